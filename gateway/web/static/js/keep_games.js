/**
 * Offers to keep a guest's games in the account that one logs in to, or makes: where this browser has tickets of a guest,
 * the forms of the page present them. A new account keeps them unless one says no; who logs in may be at another's browser.
 */
import {tickets} from "./tickets.js";

const held = tickets();

if (held.length) {
  for (const choice of document.querySelectorAll("[name=tickets]")) {
    choice.value = JSON.stringify(held);
    choice.checked = ["/register", "/openid/name"].includes(choice.form.getAttribute("action"));
    choice.parentElement.hidden = false;
  }
}
