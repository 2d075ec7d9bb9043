/**
 * Keeps a guest's preferences in this browser. An account's are the server's: its page has no script.
 */
import {byId, kept} from "./dom.js";

const form = byId("preferences");
const NAMES = {theme: "theme", board: "board", pieces: "pieces", confirm: "confirm", sound: "sound", animation: "animate"};
const SWITCHES = ["sound", "animation"];

/** Fills the form with what this browser keeps. */
function fill() {
  for (const [field, name] of Object.entries(NAMES)) {
    const text = kept.get(name);
    if (text === null) continue;
    if (SWITCHES.includes(field)) form.elements[field].checked = text === "on";
    else form.elements[field].value = text;
  }
}

/** Keeps what the form says. */
function keep() {
  for (const [field, name] of Object.entries(NAMES)) {
    const input = form.elements[field];
    kept.set(name, SWITCHES.includes(field) ? (input.checked ? "on" : "off") : input.value);
  }
  const {dataset} = document.documentElement;
  for (const name of ["theme", "board", "pieces"]) {
    if (form.elements[name].value) dataset[name] = form.elements[name].value;
    else delete dataset[name];
  }
}

form.onsubmit = (event) => {
  keep();
  event.preventDefault();
  const note = form.querySelector(".wide");
  note.setAttribute("role", "status");
  note.textContent = "Kept in this browser from now on.";
};
fill();
