/**
 * Keeps the first page up to date: who waits for players, how many are here, and the boards that are being played. Its
 * form shows what the chosen rule set has.
 */
import {byId, filled, write} from "./dom.js";
import {live} from "./live.js";
import {polled} from "./polled.js";
import {countTurns} from "./turns.js";
import {yours} from "./yours.js";

const PERIOD_MS = 3000;

const list = byId("open");

/** Options of other rule sets than the chosen one are put away. */
function fit() {
  for (const field of form.querySelectorAll("[data-rules]")) {
    const rules = field.closest(".of-game").querySelector("select").value;
    field.hidden = !field.dataset.rules.split(" ").includes(rules);
    field.querySelector("input, select").disabled = field.hidden;
  }
}

const form = document.querySelector(".play");
form.addEventListener("change", fit);
addEventListener("pageshow", fit);

// Who has opened the options of one game sees those of the next.
form.addEventListener("toggle", ({target}) => {
  if (target.matches(".more")) for (const other of form.querySelectorAll(".more")) other.open = target.open;
}, true);

// The address has what was chosen for this game.
form.addEventListener("formdata", ({formData}) => {
  for (const [name, value] of [...formData]) {
    if (!value || (name.includes(".") && !name.startsWith(`${formData.get("game")}.`))) formData.delete(name);
  }
});

/** Shows the rows; one that has not changed stays as it is, so that focus and scrolling stay, too. */
function show({open, here}) {
  const standing = new Map([...list.children].map((item) => [item.dataset.key, item]));
  const rows = open.map((each) => {
    const key = JSON.stringify(each), found = standing.get(key) ?? filled("seek-template", each);
    found.dataset.key = key;
    return found;
  });
  if (rows.length !== list.children.length || rows.some((item, at) => item !== list.children[at])) {
    const focused = list.contains(document.activeElement) ? document.activeElement : null;
    list.replaceChildren(...rows);
    if (focused?.isConnected) focused.focus({preventScroll: true});
  }
  byId("nobody").hidden = rows.length > 0;
  write(byId("here"), here);
}

const {game, page} = list.dataset;
polled(`/api/lobby?${new URLSearchParams({game, page})}`, PERIOD_MS, show);

live();
yours();
countTurns();
