/**
 * The board of a table: shows positions, and lets a person choose among the moves that the server calls legal.
 *
 * It knows no rules. What stands on it, what may be chosen and what was chosen are all that it keeps; pictures are
 * drawn by field.js, squares named by grid.js, pointers read by pointer.js.
 *
 * @typedef {{board: [number, string][] | Map<number, string>, hands?: Object<string, number>[] | null,
 *            alarm?: number | null, dead?: Iterable<number>, won?: number[],
 *            notes?: Map<number, string>, marks?: (turned: boolean) => any[]}} Position
 *     What is said of squares beside what stands there, and shapes above them.
 * @typedef {{from: number | null, to: number | null, piece: string}} Move
 */
import {make} from "./dom.js";
import {BOX, figure, pieceOf, view, watchedFrom} from "./draw.js";
import {Field, icon} from "./field.js";
import {Grid, HELP} from "./grid.js";
import {Hands} from "./hands.js";
import {Moves} from "./moves.js";
import {pointers} from "./pointer.js";
import {ask} from "./popup.js";

/** The side of squares, in CSS pixels, below which a finger aims with a lens. */
const SMALL = 34;

export class Board {
  /**
   * @param {HTMLElement} host Holds the server's drawing, or nothing. @param {Object} look
   * @param {{seat?: number | null, choose?: (move: Move) => void, announce?: (text: string) => void}} options
   *     seat: of the person at this page, null for observers.
   */
  constructor(host, look, {seat = null, choose = () => {}, announce = () => {}} = {}) {
    Object.assign(this, {host, look, seat, choose, announce});
    this.size = look.width * look.height;
    this.board = new Map();
    /** @type {number[]} */ this.last = [];
    this.position = {hands: [], alarm: null, dead: new Set(), won: [], notes: new Map()};
    this.below = seat ?? watchedFrom(look);
    this.moves = new Moves([], this.board, this.size);
    this.legal = null;
    this.mode = "play";
    this.ahead = false;
    /** What is chosen: a square's piece or one in hand. @type {{from?: number, piece?: string} | null} */
    this.chosen = null;
    /** The move to make as soon as it is legal. @type {Move | null} */
    this.premove = null;
    /** The move that the server has not confirmed yet. @type {Move | null} */
    this.pending = null;
    this.waiting = "";
    /** Pieces that can move, while one was pressed that cannot. @type {Set<number>} */
    this.must = new Set();
    this.asking = null;
    /** Where there is a touch screen. @type {import("./lens.js").Lens | null} */ this.lens = null;
    this.#build();
  }

  /**
   * Shows a position; `last` are source and target of the last move, or its target alone. A move that was chosen and is
   * not answered stays painted, faint, as long as the pieces stay where they are. @param {Position} position
   */
  show(position, {last = [], animate = true} = {}) {
    const board = new Map(position.board);
    if (this.pending && !same(board, this.board)) this.pending = null;
    this.board = board;
    this.position = {hands: position.hands ?? [], alarm: position.alarm ?? null, dead: new Set(position.dead ?? []),
      won: position.won ?? [], notes: position.notes ?? new Map(), marks: position.marks};
    this.last = last.filter((at) => at !== null && at !== undefined);
    this.moves = new Moves(this.legal ?? [], this.board, this.size);
    if (this.chosen && !this.#mayChoose(this.chosen)) this.chosen = null;
    this.#draw(animate);
  }

  /** The server refused the move that was chosen: everything is as before. */
  refuse() {
    this.pending = null;
    this.#draw(false);
  }

  /**
   * The moves that may be chosen; null: it is not this seat's turn. In the mode "mark" squares are chosen, one at a time.
   * `premove` false: no move can be prepared either, for the game is over.
   */
  offer(legal, {mode = "play", premove = legal === null} = {}) {
    if (legal !== this.legal) {
      this.pending = null;
      this.field.clear();
      this.asking?.close();
    }
    this.legal = legal;
    this.mode = mode;
    this.ahead = premove && legal === null && mode === "play" && this.seat !== null && this.look.judged;
    this.moves = new Moves(legal ?? [], this.board, this.size);
    const [only] = this.moves.steps.keys();
    const goesOn = !this.look.dice && this.moves.steps.size === 1 && only === this.last.at(-1) && !this.moves.placements.size;
    if (legal === null) this.must.clear();
    if (!this.chosen || !this.#mayChoose(this.chosen)) this.chosen = goesOn ? {from: only} : null;
    if (!this.ahead) this.#premoved();
    this.refresh();
  }

  /** The seat whose side is below. */
  turn(seat) {
    this.below = seat;
    this.grid.arrange(this.#turned());
    this.#draw(false);
  }

  /** The words why nothing can be chosen just now; "" when it can. */
  busy(text) {
    this.waiting = text;
    this.host.setAttribute("aria-busy", `${Boolean(text)}`);
    if (text) this.announce(text);
    this.refresh();
  }

  focus() {
    this.grid.focus();
  }

  /** The board in words: the pieces by kind, hands, the last move. */
  describe() {
    const {look, board} = this, kinds = new Map();
    for (const [at, words] of [...board].sort((a, b) => a[0] - b[0])) {
      const {says} = pieceOf(look, words);
      kinds.set(says, [...(kinds.get(says) ?? []), look.names[at]]);
    }
    const told = [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([says, names]) => `${says} ${names.join(", ")}`);
    const hands = this.position.hands.map((hand, seat) => [look.sides[seat], Object.entries(hand)])
      .filter(([, hand]) => hand.length)
      .map(([side, hand]) => `${side} in hand: ${hand.map(([piece, count]) => `${count} ${piece}`).join(", ")}`);
    const last = this.last.length ? [`Last move ${this.last.map((at) => look.names[at]).join(" to ")}`] : [];
    return [...(told.length ? told : ["The board is empty"]), ...hands, ...last].map((line) => `${line}.`).join(" ");
  }

  #build() {
    const {look} = this;
    this.hands = new Hands(look, (piece) => this.#chooseHeld(piece));
    this.field = new Field(this.host, look);
    this.grid = new Grid(look, {
      press: (at) => this.press(at), back: () => this.back(), under: () => this.#ghost(), useful: () => this.#useful(), last: () => this.last.at(-1),
      describe: () => this.announce(this.describe()), help: () => this.announce(HELP),
    });
    this.inner = make("div", {class: "inner"}, this.field.svg, this.grid.element);
    this.stage = make("div", {class: "stage"}, this.inner);
    this.host.replaceChildren(this.hands.far, this.stage, this.hands.near);
    const [x, y, width, height] = view(look), share = (part, of) => `${part / of * 100}%`;
    this.host.style.setProperty("--ratio", `${width / height}`);
    Object.assign(this.grid.element.style, {left: share(-x, width), top: share(-y, height),
      width: share(look.width * BOX, width), height: share(look.height * BOX, height)});
    this.grid.element.hidden = look.kind === "text";
    this.#listen();
    if (matchMedia("(any-pointer: coarse)").matches) this.#loadLens();
    this.grid.arrange(this.#turned());
    this.refresh();
  }

  #turned() {
    return this.look.turned.includes(this.below);
  }

  #draw(animate) {
    const {alarm, dead, won, marks} = this.position;
    this.field.clear();
    this.field.show(this.board, {last: this.last, alarm, dead, won, turned: this.#turned(), animate});
    if (marks) this.field.mark(marks(this.#turned()));
    if (this.pending) this.#foresee(this.pending);
    this.refresh();
  }

  /** Names and marks of all squares, and the hands: after any change of what may be or is chosen. */
  refresh() {
    const targets = new Set(this.chosen ? this.moves.targets(this.chosen) : this.#shownPlacements());
    this.grid.refresh((at) => this.#told(at, targets));
    const live = this.seat !== null && !this.waiting && (this.legal !== null || this.ahead || this.mode === "mark");
    this.host.classList.toggle("live", live);
    this.host.classList.toggle("anywhere", live && this.moves.anywhere);
    const may = (piece) => !this.pending && !this.waiting && (this.ahead || this.moves.targets({piece}).length > 0);
    this.hands.show(this.position.hands, live ? this.seat : null, this.below, this.chosen?.piece ?? "", may);
    this.#ghost();
    this.lens?.renew();
  }

  /** The piece that a press would place, faint under a mouse. */
  #ghost() {
    const at = this.grid.cells.indexOf(this.grid.under), {moves} = this;
    const [piece, ...others] = moves.anywhere && !this.pending && !this.waiting && !this.asking ? moves.placeable(at) : [];
    this.field.ghost(at, piece === undefined || others.length ? "" : this.#words({from: null, piece}));
  }

  /** Placements worth a mark: where a choice of squares is given, and not a piece in hand is to be chosen first. */
  #shownPlacements() {
    if (this.pending || this.moves.anywhere || this.#held()) return [];
    return [...this.moves.placements.keys()].flatMap((piece) => this.moves.targets({piece}));
  }

  /** True if the own hand has pieces to choose from. */
  #held() {
    return Object.keys(this.position.hands[this.seat] ?? {}).length > 0;
  }

  /** The name of a square, and its classes. */
  #told(at, targets) {
    const {look, board, moves} = this, words = board.get(at), kinds = [], said = [look.names[at]];
    const goal = Object.keys(look.goals).find((side) => look.goals[side].includes(at));
    const quiet = Boolean(this.pending || this.waiting), chosen = this.chosen?.from === at;
    if (look.ground[at] === ".") return {name: "no square", kinds: ["none"], chosen: false};
    if (goal) said.push(`${goal} home`);
    said.push(words ? pieceOf(look, words).says : "empty");
    const mark = (applies, kind, text) => {
      if (!applies) return;
      if (kind) kinds.push(kind);
      if (text) said.push(text);
    };
    mark(this.position.alarm === at, "", "in check");
    mark(this.position.dead.has(at), "", "marked dead");
    mark(this.position.notes.has(at), "", this.position.notes.get(at));
    mark(!quiet && moves.source(at), "source", chosen ? "" : "can move");
    mark(chosen, "chosen", "chosen");
    mark(!quiet && !this.chosen && this.must.has(at), "must", "");
    mark(!quiet && targets.has(at), words && !moves.source(at) ? "take" : "target", words ? "can be taken" : "possible");
    mark(this.last.at(-1) === at, "", "last move");
    mark(this.position.won.includes(at), "", "decided the game");
    mark(this.premove && (this.premove.from === at || this.premove.to === at), "premove", "prepared move");
    return {name: said.join(", "), kinds, chosen};
  }

  /** A square was tapped, clicked, or Enter pressed on it. */
  press(at) {
    if (this.waiting || this.pending || this.asking || this.seat === null) return;
    if (this.mode === "mark") {
      if (this.board.has(at)) this.choose({from: null, to: at, piece: ""});
      return;
    }
    if (this.legal === null) {
      this.#prepare(at);
      return;
    }
    this.must.clear();
    const square = this.#falls(at);
    if (this.chosen?.from === square) {
      this.chosen = null;
      this.refresh();
    } else if (this.chosen && this.moves.targets(this.chosen).includes(square)) {
      this.#go(this.chosen, square);
    } else if (this.moves.source(square)) {
      this.#take(square);
    } else if (this.moves.placeable(square).length) {
      this.#go(null, square);
    } else {
      const few = this.#must(square), {names} = this.look;
      this.chosen = null;
      this.must = new Set(few);
      this.refresh();
      this.announce(`${names[square]}: no move there${few.length ? `. Can move: ${few.map((at) => names[at]).join(", ")}` : ""}`);
    }
  }

  /** Where a piece of one's own cannot move: those that can, if they are few, as where a capture is forced. */
  #must(square) {
    const own = (at) => this.board.has(at) && [null, this.seat].includes(pieceOf(this.look, this.board.get(at)).side);
    const able = [...this.moves.steps.keys()];
    return own(square) && 2 * able.length <= [...this.board.keys()].filter(own).length ? able : [];
  }

  /** Takes the last choice back: a chosen piece, a prepared move. True if there was one. */
  back() {
    if (!this.chosen && !this.premove) return false;
    if (this.chosen) this.chosen = null;
    else this.premove = null;
    this.announce("Taken back");
    this.refresh();
    return true;
  }

  /** The squares that can be chosen now. */
  #useful() {
    if (this.chosen) return this.moves.targets(this.chosen);
    return [...this.moves.steps.keys(), ...[...this.moves.placements.keys()].flatMap((piece) => this.moves.targets({piece}))];
  }

  #mayChoose(choice) {
    return this.ahead || this.moves.targets(choice).length > 0;
  }

  #take(square) {
    const targets = this.moves.targets({from: square});
    if (this.look.dice && targets.length === 1) {
      this.#go({from: square}, targets[0]);
      return;
    }
    this.chosen = {from: square};
    this.refresh();
    const {names} = this.look, few = targets.length <= 8 ? `: ${targets.map((at) => names[at]).join(", ")}` : "";
    this.announce(`${names[square]} chosen, ${targets.length} ${targets.length === 1 ? "move" : "moves"}${few}`);
  }

  #chooseHeld(piece) {
    if (this.waiting || this.pending) return;
    this.chosen = this.chosen?.piece === piece ? null : {piece};
    this.refresh();
    if (this.chosen) this.announce(`${piece} chosen`);
  }

  /** Makes the move to `to`: asks which piece, where there are several, and whether it is meant, for those who want that. */
  async #go(choice, to) {
    const from = choice?.from ?? null;
    const pieces = from !== null ? this.moves.becoming(from, to)
      : choice?.piece !== undefined ? [choice.piece] : this.moves.placeable(to);
    const piece = pieces.length === 1 ? pieces[0] : await this.#which(pieces, from, to);
    if (piece === null) return;
    const asks = pieces.length === 1 && document.documentElement.dataset.confirm === "on";
    if (asks && !(await this.#meant(from, to))) return;
    this.#make({from, to, piece});
  }

  #which(pieces, from, to) {
    const title = from === null ? "Which piece?" : "Becomes which piece?";
    return this.#ask(to, title, pieces.map((piece) => ({value: piece, text: piece || "as it is",
      picture: icon(figure(pieceOf(this.look, this.#words({from, to, piece}))))})));
  }

  async #meant(from, to) {
    const {names} = this.look, move = from === null ? names[to] : `${names[from]} to ${names[to]}`;
    return await this.#ask(to, `Play ${move}?`, [{value: "yes", text: `Play ${move}`, primary: true},
      {value: "no", text: "Cancel"}]) === "yes";
  }

  async #ask(at, title, options) {
    this.asking = ask(this.stage, this.grid.cells[at], title, options);
    const answer = await this.asking.answer;
    this.asking = null;
    return answer;
  }

  #make(move) {
    this.chosen = null;
    this.pending = move;
    this.#foresee(move);
    this.refresh();
    this.choose(move);
  }

  #foresee(move) {
    if (move.from !== null) this.field.fade(move.from);
    this.field.foresee(move.to, this.#words(move));
  }

  /** The words of the piece that a move puts on its target. */
  #words({from, piece}) {
    const moved = from === null ? "" : this.board.get(from) ?? "";
    if (!piece) return moved || this.look.sides[this.seat];
    return this.hands.words(piece, this.seat);
  }

  #prepare(at) {
    if (!this.ahead) return;
    const own = (words) => words !== undefined && [null, this.seat].includes(pieceOf(this.look, words).side);
    if (this.premove && [this.premove.from, this.premove.to].includes(at)) {
      this.premove = null;
      this.announce("Prepared move taken back");
    } else if (this.chosen && this.chosen.from !== at) {
      this.premove = {from: this.chosen.from ?? null, to: at, piece: this.chosen.piece ?? ""};
      this.chosen = null;
      this.announce(`Prepared: ${this.#spoken(this.premove)}`);
    } else {
      this.chosen = !this.chosen && own(this.board.get(at)) ? {from: at} : null;
    }
    this.refresh();
  }

  /** Makes the prepared move if it is legal now; it is forgotten either way. */
  #premoved() {
    const move = this.premove;
    this.premove = null;
    if (!move || this.legal === null || this.mode !== "play") return;
    const pieces = move.from === null ? [move.piece] : this.moves.becoming(move.from, move.to);
    if (pieces.length && this.moves.targets(move.from === null ? {piece: move.piece} : {from: move.from}).includes(move.to)) {
      this.#make({...move, piece: pieces[0]});
    } else {
      this.announce(`The prepared move ${this.#spoken(move)} is not possible`);
    }
  }

  #spoken({from, to, piece}) {
    const {names} = this.look;
    return from === null ? `${piece} to ${names[to]}` : `${names[from]} to ${names[to]}`;
  }

  async #loadLens() {
    const {Lens} = await import("./lens.js").catch(() => ({Lens: null}));
    this.lens = Lens && new Lens(this.stage, this.inner, this.grid.cells);
  }

  /** Does this press aim, with the lens? */
  #aims({pointerType}) {
    const side = this.grid.element.getBoundingClientRect().width / this.look.width;
    return pointerType !== "mouse" && this.lens !== null && side < SMALL && this.host.classList.contains("live")
      && !this.pending && !this.asking;
  }

  /** The square in whose place `at` is taken: where a disc falls to, in its column. */
  #falls(at) {
    return this.look.style === "holes" ? this.moves.inColumn(at, this.look.width) ?? at : at;
  }

  /** A piece of the hand is over this square, which a finger at `aimed` covers; null for none. */
  #over(piece, at, aimed) {
    this.field.ghost(at, this.moves.targets({piece}).includes(at) ? this.#words({from: null, piece}) : "");
    if (at !== null && aimed) this.lens.show(...aimed, at);
    else this.lens?.hide();
  }

  /** A finger that was put on `from` is lifted from `to`: a move from there to here, where that can be one; else a press. */
  #hit(from, to) {
    this.lens.hide();
    if (to === null) return;
    this.grid.focus(to, true);
    const goes = this.legal !== null && from !== to && this.moves.becoming(from, to).length > 0;
    if (goes && !(this.chosen && this.moves.targets(this.chosen).includes(to))) this.#go({from}, to);
    else this.press(to);
  }

  #square(clientX, clientY) {
    const {left, top, width, height} = this.grid.element.getBoundingClientRect();
    const x = Math.floor((clientX - left) / width * this.look.width), y = Math.floor((clientY - top) / height * this.look.height);
    if (x < 0 || y < 0 || x >= this.look.width || y >= this.look.height) return null;
    const at = y * this.look.width + x;
    return this.#turned() ? this.size - 1 - at : at;
  }

  #listen() {
    const square = (x, y) => this.#square(x, y);
    pointers(this.grid.element, {
      square,
      begin: (event) => {
        const at = square(event.clientX, event.clientY);
        if (at !== null) this.grid.focus(at, true);
        return at;
      },
      lift: (at) => {
        const may = this.moves.source(at) && !this.pending && !this.waiting && !this.asking && this.mode === "play";
        if (may && this.chosen?.from !== at) {
          this.chosen = {from: at};
          this.refresh();
        }
        return may;
      },
      move: (at, x, y) => this.field.lift(at, x, y),
      drop: (at, to) => {
        this.field.settle(at);
        if (to !== null && this.moves.becoming(at, to).length) this.#go({from: at}, to);
        else if (to !== at) this.chosen = null;
        this.refresh();
      },
      tap: (at) => this.press(at),
      cancel: (at) => {
        this.field.settle(at);
        this.lens?.hide();
      },
      aims: (event) => this.#aims(event),
      aim: ({clientX, clientY}) => {
        const at = square(clientX, clientY);
        this.lens.show(clientX, clientY, at === null ? null : this.#falls(at));
      },
      hit: (from, to) => this.#hit(from, to),
    });
    pointers(this.hands.near, {
      square,
      begin: (event) => {
        const piece = event.target.closest("button.held")?.dataset.piece;
        return piece === undefined ? null : {piece, aims: this.#aims(event)};
      },
      lift: ({piece}) => {
        if (this.chosen?.piece !== piece) this.#chooseHeld(piece);
        return true;
      },
      move: ({piece, aims}, x, y) => this.#over(piece, square(x, y), aims ? [x, y] : null),
      drop: ({piece}, to) => {
        this.#over(piece, null, null);
        if (to !== null) this.press(to);
      },
      tap: ({piece}) => this.#chooseHeld(piece),
      cancel: ({piece}) => this.#over(piece, null, null),
    });
  }
}

function same(one, other) {
  return one.size === other.size && [...one].every(([at, words]) => other.get(at) === words);
}
