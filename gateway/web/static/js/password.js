/**
 * Puts the code of a link, which stands behind "#", into the form for a new password, and takes it out of the address.
 */
import {byId} from "./dom.js";

function fill() {
  const code = location.hash.slice(1);
  if (!code) return;
  byId("code").value = code;
  history.replaceState(null, "", location.pathname);
  byId("password").focus();
}

addEventListener("hashchange", fill);
fill();
