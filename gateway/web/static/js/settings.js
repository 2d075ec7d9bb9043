/**
 * Keeps how pages show and play: themes, sound, confirmation, animation, name; a small dialog changes them.
 *
 * One rule holds everywhere: who is logged in has the choices of the account, in every browser, and a choice made here is
 * the account's. All others have those of their browser.
 */
import {byId, kept, make, write} from "./dom.js";

const THEMES = [["", "as the system"], ["light", "light"], ["dark", "dark"]];
const BOARDS = [["", "as the game has it"], ["wood", "wood"], ["slate", "slate"], ["green", "green"], ["contrast", "high contrast"], ["print", "print"]];
const PIECES = [["", "usual"], ["club", "club"], ["forms", "forms"]];
const CONFIRM = [["", "no"], ["on", "yes"]];

const {dataset} = document.documentElement, {account, guest = ""} = dataset;

/** What is chosen: the account's choices stand in the document. @param {string} name @param {string} usual */
const chosen = (name, usual = "") => account ? dataset[name] ?? usual : kept.get(name, usual);

/** What is chosen, with its usual value. `confirm` is "on" for each move, else "". */
export const settings = {
  theme: chosen("theme"),
  board: chosen("board"),
  pieces: chosen("pieces"),
  sound: chosen("sound") === "on",
  confirm: chosen("confirm"),
  animate: chosen("animate", "on") === "on",
  name: account || kept.get("name", guest),
};

/** Choices on their way to the account, one after the other. */
let saving = Promise.resolve();

/** Keeps a choice: with the account, or else in this browser. @param {string} name @param {string} value */
function keep(name, value) {
  if (!account) return kept.set(name, value);
  const body = new URLSearchParams({name: name === "animate" ? "animation" : name, value});
  const ask = () => fetch("/account/preference", {method: "POST", body, keepalive: true});
  const note = (ok) => write(byId("set-note"), ok ? "Kept with your account." : "Not saved: it holds on this page only.");
  saving = saving.then(ask).then((answer) => note(answer.ok), () => note(false));
}

/** Shows the page as it is chosen. */
export function applySettings() {
  for (const name of ["theme", "board", "pieces", "confirm"]) {
    if (settings[name]) dataset[name] = settings[name];
    else delete dataset[name];
  }
  dataset.animate = settings.animate ? "on" : "off";
}

/** @param {(changed: typeof settings) => void} told called after each change */
export function openSettings(told) {
  const set = (name, value) => {
    settings[name] = value;
    keep(name, value === true ? "on" : value === false ? "off" : value);
    applySettings();
    told(settings);
  };
  const choice = (name, label, values) => make("div", {class: "field"}, make("label", {for: `set-${name}`}, label),
    make("select", {id: `set-${name}`, onchange: (event) => set(name, event.target.value)},
      ...values.map(([value, text]) => make("option", {value, selected: settings[name] === value}, text))));
  const check = (name, label) => make("label", {class: "check"},
    make("input", {type: "checkbox", id: `set-${name}`, checked: settings[name], onchange: (event) => set(name, event.target.checked)}), label);
  showDialog("Settings", [
    choice("theme", "Page", THEMES), choice("board", "Board", BOARDS), choice("pieces", "Chessmen", PIECES),
    check("sound", "Sound"), check("animate", "Pieces move smoothly"),
    choice("confirm", "Confirm each move", CONFIRM),
    account ? null : make("div", {class: "field"}, make("label", {for: "set-name"}, "Name for your next game"),
      make("input", {id: "set-name", maxlength: 32, value: settings.name, autocomplete: "nickname", placeholder: "guest",
        onchange: (event) => set("name", event.target.value.trim())})),
    make("p", {class: "muted", id: "set-note", role: "status"}, account ? "Kept with your account." : "Kept in this browser."),
  ].filter(Boolean), [["Done", null, true]]);
}

/**
 * Opens the page's dialog. `buttons` are [text, what it does, whether it is the usual one]; each closes the dialog.
 * @param {(Node | string)[]} parts
 */
export function showDialog(title, parts, buttons) {
  const dialog = byId("dialog");
  const close = (act) => () => {
    dialog.close();
    act?.();
  };
  dialog.replaceChildren(make("form", {method: "dialog", onsubmit: (event) => event.preventDefault()},
    make("h2", {id: "dialog-title"}, title), ...parts,
    make("div", {class: "row end"}, ...buttons.map(([text, act, primary]) =>
      make("button", {type: "button", class: `button${primary ? " primary" : ""}`, onclick: close(act)}, text)))));
  // it returns nothing: false would take back what a click on a check box did
  dialog.onclick = (event) => {
    if (event.target === dialog) dialog.close();
  };
  dialog.showModal();
}
