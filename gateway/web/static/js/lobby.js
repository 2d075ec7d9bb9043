/**
 * Keeps the first page up to date: who waits for players, how many are here, and the boards that are being played.
 */
import {byId, filled, write} from "./dom.js";
import {live} from "./live.js";
import {polled} from "./polled.js";
import {yours} from "./yours.js";

const PERIOD_MS = 3000;

const list = byId("open");

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
