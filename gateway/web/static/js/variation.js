/**
 * Moves tried by hand on the board of a finished game. The server says where they lead, and what is legal there.
 */
import {make, renew, write} from "./dom.js";
import {drawTally} from "./tally.js";
import {side} from "./words.js";

export class Variation {
  /** @param {any} app The table's page. @param {() => void} changed told when a variation begins or ends */
  constructor(app, changed) {
    Object.assign(this, {app, changed});
    this.plays = app.board.choose;
    /** The variation on the board: behind `ply` moves of the game. @type {{ply: number, moves: any[], told: any} | null} */
    this.line = null;
    this.said = make("p", {id: "variation", role: "status"});
    this.buttons = make("div", {class: "row"});
    this.element = make("div", {class: "variation"}, this.said, this.buttons);
    this.#around();
  }

  /** Whether moves are tried. */
  get tries() {
    return this.line !== null;
  }

  /** Draws the variation behind `ply` moves. False: there is none; one behind another move is left. */
  draw(ply, animate) {
    if (this.line && this.line.ply !== ply) this.leave();
    if (!this.line) return false;
    const {app, line: {told: {position, last, legal, turn}}} = this;
    app.board.seat = turn;
    app.board.choose = (move) => this.#add(move);
    drawTally(app.look, app.tally = position.tally);
    app.board.show(position, {last, animate});
    app.board.offer(legal, {premove: false});
    return true;
  }

  leave() {
    if (!this.line) return;
    this.line = null;
    Object.assign(this.app.board, {seat: this.app.table.seat, choose: this.plays});
    this.#around();
    this.changed();
  }

  /** The moves made so far in words, and what can be done. */
  #around() {
    const {line} = this, button = (text, act) => make("button", {type: "button", class: "button small", onclick: act}, text);
    if (!line) {
      write(this.said, "");
      renew(this.buttons, [button("Try moves", () => this.#ask(this.app.replay.ply ?? this.app.table.game.ply, []))]);
      return;
    }
    const {ply, moves, told} = line;
    write(this.said, [told.notations.join(" "), this.#standing(told)].filter(Boolean).join(". "));
    renew(this.buttons, [
      ...(told.pass ? [button("Pass", () => this.#add({from: null, to: null, piece: ""}))] : []),
      ...(moves.length ? [button("Take back", () => this.#ask(ply, moves.slice(0, -1)))] : []),
      button("Back to the game", () => this.#back())]);
  }

  #standing({turn, outcome, dice}) {
    const {look} = this.app;
    if (outcome) return `${outcome.winner === null ? "Draw" : `${side(look, outcome.winner)} wins`}${outcome.detail ? `, ${outcome.detail}` : ""}.`;
    if (turn !== null) return `${side(look, turn)} to move: choose on the board.`;
    return dice ? "Here the dice are rolled." : "Here play stops.";
  }

  #back() {
    this.leave();
    this.app.drawBoard(true);
    this.buttons.querySelector("button").focus();
  }

  #add({from, to, piece}) {
    void this.#ask(this.line.ply, [...this.line.moves, [from, to, piece]]);
  }

  async #ask(ply, moves) {
    const {number, ticket} = this.app, focused = this.buttons.contains(document.activeElement);
    const headers = {"content-type": "application/json", ...(ticket && {authorization: `Ticket ${ticket}`})};
    try {
      const answer = await fetch(`/table/${number}/variation`, {method: "POST", headers, body: JSON.stringify({ply, moves})});
      const told = await answer.json();
      if (!answer.ok) throw new Error(told.message);
      this.line = {ply, moves, told};
      this.#around();
      this.app.drawBoard(true);
      if (focused && !this.buttons.contains(document.activeElement)) this.buttons.querySelector("button").focus();
    } catch (error) {
      this.app.board.refuse();
      write(this.said, `${error.message}.`);
    }
  }
}
