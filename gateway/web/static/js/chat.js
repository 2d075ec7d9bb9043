/**
 * Shows what is said at the table and what happens beside the moves, and sends what the player says.
 */
import {byId, make, write} from "./dom.js";
import {isMuted, learnMuted, mute} from "./mute.js";
import {side} from "./words.js";

/** Lines kept in the page: a long evening's talk. */
const MOST = 300;

export class Chat {
  /** @param {(to: string, text: string) => boolean} say */
  constructor(say) {
    this.lines = byId("talk");
    this.form = byId("chat-form");
    this.form.onsubmit = (event) => {
      event.preventDefault();
      const field = this.form.elements.text, text = field.value.trim();
      if (text && say(this.to(), text)) field.value = "";
    };
    learnMuted(() => this.hush());
  }

  /** To whom the page speaks. */
  to() {
    return this.form.elements.to?.value || "all";
  }

  /** Observers speak among themselves, to players where they are `heard`; without a line to the server nobody speaks. */
  allow(seated, speaks, heard) {
    this.form.hidden = !speaks;
    const choice = this.form.elements.to;
    choice.closest(".to-whom").hidden = !seated && !heard;
    if (!seated && (!heard || this.seated !== false)) choice.value = "observers";
    else if (seated && choice.value === "observers" && !this.seated) choice.value = "all";
    this.seated = seated;
  }

  /** The lines of those whom the player does not want to hear go. */
  hush() {
    for (const line of [...this.lines.children]) if (line.dataset.who && isMuted(line.dataset.who)) line.remove();
  }

  /** Hears somebody no more, and says how to undo it. */
  mute(who) {
    mute(who, true);
    this.hush();
    this.add("news", `You do not hear ${who} any more. `, make("button", {type: "button", class: "button small", onclick: (event) => {
      mute(who, false);
      event.target.closest("li").remove();
    }}, "Hear again"));
  }

  /** A line that somebody said. */
  said(table, look, {seat, name, to, text}) {
    const who = seat === null || seat === undefined ? name || "Server" : table.seats[seat]?.name || table.players[seat] || side(look, seat);
    const person = seat !== null && seat !== undefined ? seat !== table.seat : Boolean(name);
    if (person && isMuted(who)) return;
    const shown = person ? make("button", {type: "button", title: `Mute ${who}`, onclick: () => this.mute(who)}, who) : make("strong", {}, who);
    this.add("said", shown, to === "all" ? "" : make("span", {class: "muted"}, ` to ${to}`), ": ", text);
  }

  /** A line about what happened. */
  note(text) {
    if (text) this.add("news", text);
  }

  add(kind, ...children) {
    const atEnd = this.lines.scrollHeight - this.lines.scrollTop - this.lines.clientHeight < 40;
    this.lines.append(make("li", {class: kind}, ...children.filter(Boolean)));
    while (this.lines.childElementCount > MOST) this.lines.firstElementChild.remove();
    if (kind === "said") this.lines.lastElementChild.dataset.who = children[0].textContent;
    if (atEnd) this.lines.scrollTop = this.lines.scrollHeight;
    byId("talk-empty").hidden = true;
  }

  clear() {
    this.lines.replaceChildren();
    byId("talk-empty").hidden = false;
  }
}

/**
 * Tells a voice what happens: a polite live region whose consecutive equal texts differ, or they would not be read again.
 */
export class Voice {
  constructor() {
    this.region = byId("live");
    this.waiting = [];
  }

  say(text) {
    if (!text) return;
    this.waiting.push(text);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), 60);
  }

  flush() {
    const text = this.waiting.splice(0).join(" ");
    write(this.region, text === this.region.textContent ? `${text}\u00a0` : text);
  }
}
