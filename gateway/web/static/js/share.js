/**
 * Shares a finished game: its link to copy or to send, made and taken back where the game is private. Loaded when it is
 * asked for; without scripts /table/ID/share does the same.
 */
import {make} from "./dom.js";
import {copyField} from "./elsewhere.js";
import {showDialog} from "./settings.js";

const TITLE = "Share this game", DONE = [["Done", null, true]];

/** @param {number} table @param {string} ticket of the page's player, "" without one */
export async function openShare(table, ticket) {
  const ask = async (method) => {
    const headers = ticket ? {authorization: `Ticket ${ticket}`} : {};
    try {
      const answer = await fetch(`/api/tables/${table}/share`, {method, headers, cache: "no-store"});
      const told = answer.status === 204 ? {private: true, address: null} : await answer.json();
      answer.ok ? show(told) : say(`${told.message[0].toUpperCase()}${told.message.slice(1)}.`);
    } catch {
      say("The server does not answer. Try again.");
    }
  };
  const say = (text) => showDialog(TITLE, [make("p", {role: "alert"}, text)], DONE);
  const show = ({address, private: hidden}) => {
    if (address) return showDialog(TITLE, linked(location.origin + address, hidden, () => ask("DELETE")), DONE);
    showDialog(TITLE, [
      make("p", {}, "This game is private: those who played it see it, and nobody else."),
      make("p", {}, "With a link, whoever has it sees names, moves, result and proof, and nothing of what was said. You can take it back."),
    ], [["Not now", null], ["Make a link", () => ask("POST"), true]]);
  };
  await ask("GET");
}

/** The server's name, as the head of the page has it. */
const site = document.querySelector(".site")?.textContent.trim() ?? "Board game";

function linked(address, hidden, takeBack) {
  const send = () => navigator.share({title: document.title, url: address}).catch(() => {}); // the person has thought better of it
  const buttons = [
    navigator.share && make("button", {type: "button", class: "button", onclick: send}, "Send…"),
    hidden && make("button", {type: "button", class: "button danger", onclick: takeBack}, "Take it back"),
  ].filter(Boolean);
  return [
    make("p", {}, hidden ? "Whoever has this link sees the game, and nothing of what was said." : "This game is public: its page is the link."),
    copyField(address, "Link to this game"), make("div", {class: "row"}, ...buttons),
    make("p", {}, "For a page of your own, a frame with the board and its moves:"),
    copyField(`<iframe src="${address}/embed" title="${site}" width="420" height="560" style="border:0"></iframe>`, "HTML of a frame"),
  ];
}
