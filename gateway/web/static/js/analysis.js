/**
 * The analysis of a finished game: its progress, the graph, the turning points, the better moves, variations by hand.
 * Loaded when it is asked for. The page calls `draw` whenever its board is drawn.
 */
import {byId, make, write} from "./dom.js";
import {movesOf} from "./fold.js";
import {Graph} from "./graph.js";
import {better, evaluation} from "./verdict.js";
import {side} from "./words.js";
import {Variation} from "./variation.js";

const LOOK_MS = 700, SHEET = "../css/analysis.css";

/** Resolves when the style sheet is there, or cannot be had. */
function styled() {
  return new Promise((done) => document.head.append(
    make("link", {rel: "stylesheet", href: new URL(SHEET, import.meta.url).href, onload: done, onerror: done})));
}

const sentence = (text) => text ? `${text[0].toUpperCase()}${text.slice(1)}.` : "";

export class Analysis {
  /** @param {any} app The table's page; its game is over. */
  constructor(app) {
    this.app = app;
    this.result = null;
    this.shown = false;
    this.ready = styled();
    this.variation = new Variation(app, () => this.mark());
    this.graph = new Graph((ply) => app.replay.go(ply));
    this.#build();
  }

  #build() {
    const part = (tag, id, more = {}) => make(tag, {id, hidden: true, ...more});
    this.state = make("p", {id: "analysis-state", class: "muted", role: "status"});
    this.progress = part("progress", "analysis-progress", {"aria-label": "Positions looked at"});
    this.again = part("button", "analysis-again", {type: "button", class: "button small", onclick: () => this.#ask("POST")});
    this.again.append("Ask again");
    this.verdict = part("p", "verdict", {"aria-live": "polite"});
    this.turns = part("ol", "turning-points");
    this.title = make("h2", {id: "analysis-title", tabindex: "-1"}, "Analysis");
    this.section = make("section", {id: "analysis", class: "card analysis", "aria-labelledby": "analysis-title"},
      make("div", {class: "row between"}, this.title,
        make("button", {type: "button", class: "button small", onclick: () => this.close()}, "Close")),
      this.state, this.progress, this.again, this.graph.element, this.verdict,
      this.heading = part("h3", "turning-title"), this.turns, this.variation.element);
    this.heading.append("Turning points");
  }

  async open() {
    await this.ready;
    if (!this.shown) {
      this.shown = true;
      document.querySelector(".side .moves").before(this.section);
      document.querySelector(".table").classList.add("analysed");
      if (!this.result) this.#ask("POST");
      this.app.drawBoard(false);
    }
    this.title.focus();
    this.section.scrollIntoView({block: "nearest"});
  }

  /** Everything is as before it was asked for. */
  close() {
    if (!this.shown) return;
    this.shown = false;
    clearTimeout(this.timer);
    this.variation.leave();
    this.graph.advise(this.app, null);
    this.section.remove();
    document.querySelector(".table").classList.remove("analysed");
    for (const mark of document.querySelectorAll("#moves .turned")) mark.remove();
    if (this.app.table.status === "over") byId("analyse").focus();
    this.app.drawBoard(false);
  }

  /** The board is about to be drawn; true: it was, a variation is on it. */
  draw(animate) {
    if (!this.shown) return false;
    if (this.app.table.status !== "over") {
      this.result = null;
      this.close();
      return false;
    }
    const tried = this.variation.draw(this.#ply(), animate);
    this.mark();
    return tried;
  }

  #ply() {
    return this.app.replay.ply ?? this.app.table.game.ply;
  }

  async #ask(method) {
    const {number, ticket} = this.app;
    this.again.hidden = true;
    try {
      const headers = ticket ? {authorization: `Ticket ${ticket}`} : {};
      const answer = await fetch(`/api/tables/${number}/analysis`, {method, headers, cache: "no-store"});
      const told = await answer.json();
      if (answer.ok) this.#hear(told);
      else this.#fails(sentence(told.message), answer.status);
    } catch {
      this.#fails("The server does not answer.", 0);
    }
  }

  #fails(text, status) {
    this.progress.hidden = true;
    write(this.state, text);
    this.again.hidden = status === 501;
  }

  #hear({state, ahead, done, total, why, result}) {
    this.progress.hidden = state !== "running";
    if (state === "failed") return this.#fails(sentence(why), 0);
    if (state === "done") return this.#show(result);
    const games = ahead === 1 ? "1 game is" : `${ahead} games are`;
    write(this.state, state === "running" ? `Position ${done} of ${total}…` : ahead ? `${games} looked at first…` : "It begins in a moment…");
    Object.assign(this.progress, {max: total || 1, value: done});
    if (this.shown) this.timer = setTimeout(() => this.#ask(state === "none" ? "POST" : "GET"), LOOK_MS);
  }

  #show(result) {
    const {look, table: {game}} = this.app, moves = movesOf(game);
    this.result = result;
    this.progress.hidden = true;
    write(this.state, `By ${result.engine}.`);
    this.graph.show(result.positions, look, (ply) => this.#words(ply));
    const turning = result.positions.filter((looked) => looked.turning);
    this.turns.replaceChildren(...turning.map(({ply}) => make("li", {}, ...this.#turn(moves[ply - 1], ply))));
    if (!turning.length) this.turns.append(make("li", {class: "none"}, "None: no move changed much."));
    for (const part of [this.verdict, this.heading, this.turns]) part.hidden = false;
    this.mark();
  }

  /** A turning point in words; its link leads to the position in which another move was better. */
  #turn({seat, notation}, ply) {
    const {look} = this.app, before = this.result.positions[ply - 1], after = this.result.positions[ply];
    const chance = ({share}) => `${Math.round(50 * (1 + (seat === 0 ? share : -share)))}\u00a0%`;
    const number = document.querySelector(`#moves [href="#${ply}"]`)?.closest("li").querySelector(".number").textContent;
    return [make("a", {href: `#${ply - 1}`}, `${number ?? ply}. ${side(look, seat)}: ${notation}`),
      ` ${side(look, seat)} from ${chance(before)} to ${chance(after)}.`,
      before.best ? ` Better: ${before.best.notation}.` : ""];
  }

  /** What the engine says of a position, in words. */
  #words(ply) {
    const {look, table: {game}} = this.app, {positions, unit} = this.result, moves = movesOf(game);
    const turned = positions[ply].turning && positions[ply - 1].best
      ? `${moves[ply - 1].notation} turned the game: ${positions[ply - 1].best.notation} was better. ` : "";
    return `${turned}${evaluation(look, positions[ply], unit)} ${better(positions[ply], moves[ply])}`.trim();
  }

  /** Graph, arrow and words for the position that is looked at, and the marks in the list of moves. */
  mark() {
    const ply = this.#ply(), looked = this.result?.positions[ply], tried = this.variation.tries;
    this.graph.advise(this.app, tried ? null : looked?.best?.move ?? null);
    if (!looked) return;
    this.graph.mark(ply);
    this.verdict.hidden = tried;
    write(this.verdict, this.#words(ply));
    for (const {ply: at} of this.result.positions.filter(({turning}) => turning)) {
      const link = document.querySelector(`#moves [href="#${at}"]`);
      if (link && !link.querySelector(".turned")) link.append(make("span", {class: "turned"},
        make("span", {"aria-hidden": "true"}, "?"), make("span", {class: "visually-hidden"}, ", turning point")));
    }
  }
}
