/**
 * The page of a table's bytes: each player's wire as a transcript, live, as far as this browser may see it.
 */
import {byId, make, write} from "./dom.js";
import {ticketOf} from "./tickets.js";

/** Lines of one wire that are shown; the oldest go first. */
const MOST = 2000;

const AGAIN_MS = 3000;

/** What each mark at the start of a line means, for its colour. */
const MARKS = {">>": "in", "+>": "in", "<<": "out", "=>": "command", "..": "told", "!!": "bad", "#": "remark"};

const {table} = JSON.parse(byId("page-data").textContent);

/** By seat the list of its lines. @type {Map<number, HTMLElement>} */
const lists = new Map();

let paused = false;

async function follow() {
  const ticket = ticketOf(table), headers = ticket ? {authorization: `Ticket ${ticket}`} : {};
  const answer = await fetch(`/api/tables/${table}/bytes`, {headers, cache: "no-store"});
  if (!answer.ok) {
    const {message} = await answer.json();
    return say(`Nothing is shown: ${message}.`);
  }
  say("Live: what the players' programs say appears here.");
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ;) {
    const {done, value} = await reader.read();
    if (done) return say("The table has closed, or the connection is lost.");
    const blocks = (text + value).split("\n\n");
    text = blocks.pop();
    for (const block of blocks) take(block);
  }
}

/** A block of the stream: its lines `event: KIND` and `data: JSON`. @param {string} block */
function take(block) {
  const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s)));
  if (fields.event === "wires") wires(JSON.parse(fields.data));
  else if (fields.data && !fields.event) lines(JSON.parse(fields.data));
}

/** @param {{seat: number, name: string, dialect: string}[]} found */
function wires(found) {
  byId("wires").replaceChildren(...found.map(({seat, name, dialect}) => {
    if (!lists.has(seat)) lists.set(seat, make("ol", {class: "wire", tabindex: "0", "aria-label": `Wire of seat ${seat + 1}`}));
    const title = make("h2", {}, `${name || "nobody"} `, make("span", {class: "badge"}, dialect));
    return make("section", {class: "card", "aria-label": `Seat ${seat + 1}, ${name}`}, title, lists.get(seat));
  }));
  byId("none").hidden = found.length > 0;
}

/** @param {{seat: number, lines: string[]}} told */
function lines({seat, lines}) {
  const list = lists.get(seat);
  if (!list || paused) return;
  const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 40;
  list.append(...lines.map((line) => make("li", {class: MARKS[line.split(" ", 1)[0]] ?? ""}, line)));
  while (list.childElementCount > MOST) list.firstElementChild.remove();
  if (atEnd) list.scrollTop = list.scrollHeight;
}

/** @param {string} text */
const say = (text) => write(byId("standing"), text);

byId("pause").onclick = ({currentTarget}) => {
  paused = !paused;
  currentTarget.setAttribute("aria-pressed", String(paused));
};
byId("again").onclick = () => location.reload();
for (const element of document.querySelectorAll(".needs-script")) element.hidden = false;

try {
  await follow();
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  say("The connection is lost. It is tried again.");
  setTimeout(() => location.reload(), AGAIN_MS);
}
