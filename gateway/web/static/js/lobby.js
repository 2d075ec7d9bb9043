/**
 * Keeps the first page up to date: who waits for players, how many are here, and the boards that are being played.
 */
import {byId, make, write} from "./dom.js";
import {live} from "./live.js";
import {polled} from "./polled.js";

const PERIOD_MS = 3000;

const list = byId("open");

/** A row of the list, as templates/lobby.html writes it. */
function row(open) {
  const details = [open.rated ? `${open.time}, rated` : open.time, open.needs].filter(Boolean).join(" · ");
  const names = open.names.join(", ");
  return make("li", {class: "seek"},
    make("a", {class: "names", href: `/table/${open.table}`}, names),
    make("span", {class: "game"}, open.title, ...(open.rules ? [" ", make("span", {class: "muted"}, open.rules)] : [])),
    make("span", {class: "muted"}, details),
    make("a", {class: "button small", href: open.join, rel: "nofollow"}, "Join",
      make("span", {class: "visually-hidden"}, ` ${names}: ${open.title}`)));
}

/** Shows the rows; one that has not changed stays as it is, so that focus and scrolling stay, too. */
function show({open, here}) {
  const standing = new Map([...list.children].map((item) => [item.dataset.key, item]));
  const rows = open.map((each) => {
    const key = JSON.stringify(each), found = standing.get(key) ?? row(each);
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
