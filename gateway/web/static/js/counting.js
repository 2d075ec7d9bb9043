/**
 * Settles a score: what is dead is marked on the board, and the server says what each side has by that. A late module.
 *
 * It knows no rules: the points, and which squares are whose, are the game's answer (`Scoring.points`).
 */
import {make} from "./dom.js";
import {BOX, corner} from "./draw.js";
import {offered, own} from "./fold.js";
import {button, panel} from "./offers.js";
import {offerWords, person, yours} from "./words.js";

/** The side of the mark of a square that counts for a seat, in units of the board. */
const MARK = 14;

export class Counting {
  constructor(app) {
    const {table} = app;
    this.app = app;
    /** Squares that are marked as dead. @type {number[]} */
    this.dead = (offered(table, "Score") ?? own(table, "Score"))?.fields.dead ?? [];
    /** @type {{text: string, made_of: string, lands: number[][]}} */ this.points = {text: "", made_of: "", lands: []};
    /** The claim that the server was asked about last. @type {string | null} */ this.asked = null;
  }

  /** Adds to the position in which play has stopped what is dead, and whose the other squares are. */
  add(position) {
    const {look, table} = this.app;
    if (table.status === "over") this.dead = table.game.settled;
    this.#ask();
    const whose = this.points.lands.flatMap((squares, seat) => squares.map((at) => [at, seat]));
    position.dead = this.dead;
    position.notes = new Map(whose.map(([at, seat]) => [at, `counts for ${look.sides[seat]}`]));
    position.marks = (turned) => whose.map(([at, seat]) => mark(look, corner(look, at, turned), seat));
  }

  /** Marks these as dead, and nothing else. @param {number[]} dead */
  mark(dead) {
    this.dead = dead;
    this.app.drawBoard(false);
    this.app.draw();
  }

  /** A square was pressed: touching pieces of one kind are marked together, as they live and die together. */
  toggle(square) {
    const {look, table} = this.app, {board} = table.game, piece = board.get(square);
    if (!piece) return;
    const group = new Set([square]), {width} = look;
    for (const at of group) {
      for (const next of [at - width, at + width, at % width ? at - 1 : -1, (at + 1) % width ? at + 1 : -1]) {
        if (look.kind === "crossings" && board.get(next) === piece) group.add(next);
      }
    }
    const marked = new Set(this.dead), on = !marked.has(square);
    for (const at of group) on ? marked.add(at) : marked.delete(at);
    this.mark([...marked]);
  }

  /** What is marked and what it comes to, who has proposed what; for players the buttons to agree. */
  panel() {
    const {app, dead, points} = this, {table, look} = app;
    const theirs = offered(table, "Score"), mine = own(table, "Score");
    const same = theirs && equal(theirs.fields.dead ?? [], dead);
    const said = [make("p", {}, `${dead.length === 1 ? "1 marked as dead" : `${dead.length} marked as dead`}.`)];
    if (points.text) said.unshift(make("p", {class: "points"}, `${points.text}.`), make("p", {class: "muted"}, points.made_of));
    if (theirs) said.push(make("p", {}, `${person(look, table, theirs.seat)} ${offerWords(theirs)}.`));
    if (mine) said.push(make("p", {class: "muted"}, `You ${yours(offerWords(mine))}.`));
    if (table.seat === null) return panel("Play has stopped.", [], said);
    const propose = () => app.say({type: "propose", what: "score", dead: sorted(dead)});
    const buttons = [button(same ? "Agree" : "Propose this", propose, true)];
    if (theirs && !same) buttons.push(button("Show theirs", () => this.mark(theirs.fields.dead ?? [])));
    buttons.push(button("Play on", () => app.say({type: "propose", what: "resume"})));
    return panel("Play has stopped. Mark what is dead.", buttons, said);
  }

  /** Asks the server for the points by this claim, once; without an answer the next drawing asks again. */
  async #ask() {
    const {app} = this, claim = sorted(this.dead).join(",");
    if (claim === this.asked) return;
    this.asked = claim;
    const told = await app.ask(`/table/${app.number}/points?squares=${claim}`);
    if (this.asked !== claim) return;
    if (!told) {
      this.asked = null;
      return;
    }
    this.points = told;
    if (app.table.status === "settling") app.voice.say(`${told.text}.`);
    app.drawBoard(false);
    app.draw();
  }
}

function sorted(squares) {
  return [...squares].sort((a, b) => a - b);
}

function equal(one, other) {
  return one.length === other.length && new Set([...one, ...other]).size === one.length;
}

/** A small square in the colour of a side, above all that stands there. */
function mark(look, [x, y], seat) {
  const {fill, edge} = Object.values(look.pieces).find((piece) => piece.side === seat) ?? look.plain[seat];
  const from = (BOX - MARK) / 2;
  return ["rect", {class: "land", x: x + from, y: y + from, width: MARK, height: MARK, fill, stroke: edge, "stroke-width": 1.5}, []];
}
