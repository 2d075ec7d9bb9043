/**
 * Puts the code of a link, which stands behind "#", into the form that takes it, and takes it out of the address.
 */
import {byId} from "./dom.js";

const field = byId("code");

function fill() {
  const code = location.hash.slice(1);
  if (!code) return;
  field.value = code;
  history.replaceState(null, "", location.pathname);
  field.form.querySelector("[type=password], button").focus();
}

addEventListener("hashchange", fill);
fill();
