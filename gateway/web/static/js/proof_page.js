/**
 * The page of a proof: fetches a table's record, shows each step of its proof, and says at the end what holds.
 */
import {byId, make, write} from "./dom.js";
import {isRenamed, Proof} from "./proof.js";
import {ticketOf} from "./tickets.js";

/** Events checked until the page is drawn again. */
const AT_ONCE = 100;

const {table, record} = JSON.parse(byId("page-data").textContent);

/** @param {string} count @param {number} number */
const counted = (number, count) => `${number.toLocaleString("en")} ${count}${number === 1 ? "" : "s"}`;

/** Numbers the checks: only the newest goes on. */
let latest = 0;

async function checkTable() {
  const mine = begin("The record is being fetched.");
  const ticket = ticketOf(table), headers = ticket ? {authorization: `Ticket ${ticket}`} : {};
  try {
    const answer = await fetch(record, {headers, cache: "no-store"});
    const text = await answer.text();
    if (answer.ok) return await check(mine, table, text);
    return verdict("bad", "There is nothing to check.", JSON.parse(text).message);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return verdict("bad", "The record cannot be fetched just now.", "The server does not answer. Try again.");
  }
}

/** @param {File} file */
async function checkFile(file) {
  await check(begin(`${file.name} is being read.`), 0, await file.text());
}

/** @param {string} text */
function begin(text) {
  byId("events").replaceChildren();
  byId("dice").replaceChildren();
  byId("dice-part").hidden = true;
  verdict("", text, "");
  latest += 1;
  return latest;
}

/** @param {number} mine @param {number} of the table; 0: any @param {string} text */
async function check(mine, of, text) {
  const proof = new Proof(of), lines = text.split("\n").filter(Boolean);
  for (let at = 0; at < lines.length && !proof.failure; at += AT_ONCE) {
    for (const line of lines.slice(at, at + AT_ONCE)) {
      if (proof.failure) break;
      let step;
      try {
        step = proof.take(line);
      } catch (error) {
        proof.failure = {seq: proof.events + 1, why: `it cannot be read: ${error.message}`, dice: false};
        break;
      }
      show(step, proof.failure);
    }
    await new Promise((rest) => setTimeout(rest));
    if (mine !== latest) return;
  }
  conclude(proof);
}

/** @param {import("./proof.js").Step} step @param {{seq: number} | null} failure */
function show(step, failure) {
  const {event} = step, holds = failure === null;
  const given = event.body === null ? "not shown to you" : isRenamed(event) ? "shown under another name" : "";
  const mark = holds ? given || "holds" : "fails";
  const summary = make("summary", {},
    make("span", {class: `mark ${holds ? "good" : "bad"}`, "aria-hidden": "true"}, holds ? "✓" : "✗"),
    make("span", {class: "number"}, String(event.seq)), make("span", {class: "kind"}, event.kind),
    make("code", {class: "muted"}, `${step.digest.slice(0, 16)}…`), make("span", {class: "visually-hidden"}, mark));
  const details = make("details", {}, summary);
  details.addEventListener("toggle", () => details.append(parts(step)), {once: true});
  byId("events").append(make("li", {}, details));
  if (step.dice.length) {
    byId("dice-part").hidden = false;
    byId("dice").append(...step.dice.map(row));
  }
}

/** What was hashed, piece by piece. @param {import("./proof.js").Step} step */
function parts({event, previous, head, digest}) {
  const line = (name, text) => [make("dt", {}, name), make("dd", {}, make("code", {}, text))];
  const hidden = event.body === null, given = hidden || isRenamed(event);
  return make("dl", {class: "parts"},
    ...line("digest of the event before", previous),
    ...line(`table ${event.table}, event ${event.seq}, ${event.at}`, head),
    ...line("kind, then a zero byte", event.kind),
    ...line("body", hidden ? "said to others: not shown to you, so its digest is taken as it stands" : event.body),
    ...(given && !hidden ? line("recorded name", "that of a deleted account, so the digest is taken as it stands") : []),
    ...line("SHA-256 of these bytes", given ? "not computed" : digest),
    ...line("recorded", event.digest));
}

/** @param {import("./proof.js").Die} die */
function row({number, seq, value, message, word, fair, of}) {
  const holds = fair === value, hexWord = word.toString(16).padStart(8, "0");
  return make("tr", {},
    make("td", {}, number === null ? "seats" : String(number)), make("td", {}, String(seq)), make("td", {}, make("code", {}, `"${message}"`)),
    make("td", {}, make("code", {}, hexWord)), make("td", {}, `${word} mod ${of}${number === null ? "" : " + 1"} = ${fair}`), make("td", {}, String(value)),
    make("td", {class: holds ? "good" : "bad"}, holds ? "✓" : "✗", make("span", {class: "visually-hidden"}, holds ? "holds" : "fails")));
}

/** @param {Proof} proof */
function conclude(proof) {
  const {events, rolls, proved, hidden, renamed, digest, failure} = proof;
  if (failure) {
    const before = `Until there ${counted(events, "event")} and ${counted(proved, "roll")} of the dice were proved.`;
    const means = failure.dice ? "dice-fail" : "chain-fail";
    verdict("bad", `Event ${failure.seq} is wrong: ${failure.why}.`, before);
    byId(means).hidden = false;
    return;
  }
  const unproved = rolls - proved, said = [`Last digest ${digest}.`];
  if (proved) said.push(`${proved} of ${counted(rolls, "roll")} of the dice are what was committed to before the game.`);
  if (unproved) said.push(`${counted(unproved, "roll")} cannot be proved yet: the secret is revealed when the game ends.`);
  if (hidden) said.push(`${counted(hidden, "line")} that players said to each other ${hidden === 1 ? "is" : "are"} not shown to you; the events behind cover them.`);
  if (renamed) said.push(`${counted(renamed, "event")} ${renamed === 1 ? "names" : "name"} a former player in place of a deleted account; the events behind cover ${renamed === 1 ? "it" : "them"}.`);
  verdict(events ? "good" : "bad", events ? `The record is whole: ${counted(events, "event")} in one chain.` : "The record is empty.", said.join(" "));
}

/** @param {"" | "good" | "bad"} how @param {string} text @param {string} more */
function verdict(how, text, more) {
  byId("verdict").className = `verdict ${how}`;
  write(byId("verdict-text"), text);
  write(byId("verdict-more"), more);
  if (!how) for (const means of ["chain-fail", "dice-fail"]) byId(means).hidden = true;
}

byId("again").onclick = checkTable;
byId("file").onchange = ({target}) => {
  const [file] = target.files;
  if (file) void checkFile(file).finally(() => { target.value = ""; });  // so that the same one can be chosen again
};
for (const element of document.querySelectorAll(".needs-script")) element.hidden = false;
await checkTable();
