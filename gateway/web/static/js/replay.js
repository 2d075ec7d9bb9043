/**
 * Lists the moves of a game and leads through them: first, back, on, last, by itself, and `#17` in the address.
 */
import {byId, make} from "./dom.js";
import {movesOf} from "./fold.js";

const EACH_MS = 1000;

/**
 * The moves by rounds: a round ends when a seat is to move that is not behind the one before.
 * @returns {{number: number, turns: {seat: number, moves: Object[]}[]}[]}
 */
function rounds(moves) {
  const found = [];
  let round = null, turn = null;
  for (const step of moves) {
    if (!turn || step.seat !== turn.seat) {
      if (!round || step.seat < turn.seat) found.push(round = {number: found.length + 1, turns: []});
      round.turns.push(turn = {seat: step.seat, moves: []});
    }
    turn.moves.push(step);
  }
  return found;
}

export class Replay {
  /** @param {(ply: number | null) => void} show told the ply to be shown; null: the present */
  constructor(show) {
    this.show = show;
    this.list = byId("moves");
    this.game = null;
    /** What each line of the list shows. @type {string[]} */ this.shown = [];
    /** Whether another move is marked since the list was scrolled. */ this.unseen = false;
    /** The ply that is looked at; null: the present. @type {number | null} */ this.ply = null;
    const buttons = {first: () => this.go(0), back: () => this.step(-1), on: () => this.step(1), last: () => this.go(null),
      auto: () => this.auto()};
    for (const [name, act] of Object.entries(buttons)) byId(`replay-${name}`).onclick = act;
    addEventListener("hashchange", () => this.fromAddress());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** Left and right lead through the moves, where nothing else takes these keys. */
  key(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest?.("input, textarea, select, [role=grid], dialog, [contenteditable]")) return;
    const act = {ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1)}[event.key];
    if (act && this.game) {
      event.preventDefault();
      act();
    }
  }

  /** Draws the list of a game, from the first line that differs; the last ply is marked where the present is looked at. */
  listGame(game, sides) {
    this.game = game;
    const moves = movesOf(game);
    const inColumns = sides.length === 2, lines = rounds(moves);
    const told = lines.map(({turns}) => JSON.stringify([inColumns, turns]));
    const same = told.findIndex((line, at) => line !== this.shown[at]), kept = same < 0 ? told.length : same;
    const old = [...this.list.children].slice(Math.min(kept, this.shown.length));
    this.shown = told;
    this.list.classList.toggle("columns", inColumns);
    for (const line of old) line.remove();
    this.list.append(...lines.slice(kept).map(({number, turns}) => {
      const cells = turns.map(({seat, moves: made}) => make("span", {class: "turn", "data-seat": seat},
        ...made.map((step) => make("a", {href: `#${step.ply}`, tabindex: "-1"}, step.notation || words(step)))));
      if (inColumns && turns[0].seat === 1) cells.unshift(make("span", {class: "turn"}, "…"));
      return make("li", {}, make("span", {class: "number"}, `${number}`), ...cells);
    }));
    byId("moves-empty").hidden = moves.length > 0;
    byId("replay").hidden = !moves.length;
    this.mark();
  }

  /** The ply that `#17` names is shown. */
  fromAddress() {
    const found = /^#(\d{1,5})$/.exec(location.hash);
    if (found && this.game) this.go(Number(found[1]));
  }

  step(by) {
    if (!this.game) return;
    this.go((this.ply ?? this.game.ply) + by);
  }

  go(ply) {
    if (!this.game) return;
    const last = this.game.ply;
    this.ply = ply === null || ply >= last ? null : Math.max(0, ply);
    this.show(this.ply);
    this.mark();
    this.scroll();
  }

  auto() {
    if (this.timer) return this.stop();
    if (this.ply === null) this.go(0);
    byId("replay-auto").setAttribute("aria-pressed", "true");
    this.timer = setInterval(() => (this.ply === null ? this.stop() : this.step(1)), EACH_MS);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    byId("replay-auto").setAttribute("aria-pressed", "false");
  }

  mark() {
    const at = this.ply ?? this.game?.ply ?? 0;
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const link = this.list.querySelector(`[href="#${at}"]`);
    link?.setAttribute("aria-current", "step");
    this.unseen = true;
    byId("replay-first").disabled = byId("replay-back").disabled = at <= 0;
    byId("replay-last").disabled = byId("replay-on").disabled = this.ply === null;
  }

  /** Scrolls the list, and not the page, to a move that was marked anew. The page is laid out for it. */
  scroll() {
    if (!this.unseen) return;
    this.unseen = false;
    const {list} = this, row = list.querySelector("[aria-current]")?.closest("li"), top = row ? row.offsetTop - list.offsetTop : 0;
    const below = row ? top + row.offsetHeight - list.clientHeight : 0;
    list.scrollTop = Math.max(Math.min(list.scrollTop, top), below);
  }
}

/** A move whose notation is not known, as after a long poll. */
function words({move}) {
  return move.from === null && move.to === null ? "pass" : [move.piece, move.from, move.to].filter((part) => part !== null && part !== "").join("-");
}
