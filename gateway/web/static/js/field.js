/**
 * Keeps the picture of a board in step with a position: adopts what the server drew, moves pieces, changes little.
 */
import {draw} from "./dom.js";
import {BOX, corner, figures, over, picture, piece, pieceOf, under, view} from "./draw.js";

const MOVE_MS = 150;
const LAYERS = ["ground", "under", "pieces", "over"];

/** The node of a shape. @returns {SVGElement} */
export function node([tag, attributes, inside]) {
  return draw(tag, attributes, ...(typeof inside === "string" ? [inside] : inside.map(node)));
}

/** A picture of its own, for buttons: 45x45. */
export function icon(shapes, name = "") {
  return draw("svg", {viewBox: `0 0 ${BOX} ${BOX}`, class: "icon", "text-anchor": "middle",
    ...(name ? {role: "img", "aria-label": name} : {"aria-hidden": "true"})}, ...shapes.map(node));
}

export class Field {
  /** @param {HTMLElement} host Where the server has drawn, or nothing is yet. @param {Object} look */
  constructor(host, look) {
    this.look = look;
    this.turned = false;
    /** What is shown, by square: the words of the piece and whether it is dead. @type {Map<number, string>} */
    this.shown = new Map();
    /** @type {Map<number, SVGElement>} */ this.nodes = new Map();
    this.svg = host.querySelector("svg.board-picture") ?? draw("svg", {class: "board-picture", "text-anchor": "middle",
      viewBox: view(look).join(" ")}, ...LAYERS.map((name) => draw("g", {class: name})));
    this.layers = Object.fromEntries(LAYERS.map((name) => [name, this.svg.querySelector(`:scope > .${name}`)]));
    this.svg.removeAttribute("role");
    this.svg.removeAttribute("aria-label");
    this.svg.setAttribute("aria-hidden", "true");
    if (!this.svg.querySelector("defs")) this.svg.prepend(draw("defs", {}, ...figures(look).map(node)));
    this.turned = this.svg.hasAttribute("data-turned");
    this.adopted = this.layers.ground.hasChildNodes();
    for (const old of this.adopted ? this.layers.pieces.children : []) this.nodes.set(Number(old.dataset.at), old);
  }

  /**
   * @param {Map<number, string>} board
   * @param {{last: number[], alarm: number | null, dead: Set<number>, won: number[], turned: boolean, animate: boolean}} options
   */
  show(board, {last, alarm, dead, won, turned, animate}) {
    if (!this.adopted || turned !== this.turned || this.svg.getAttribute("viewBox") !== view(this.look).join(" ")) {
      this.#all(board, {last, alarm, dead, won, turned});
      return;
    }
    if (this.look.kind === "text") return;
    fill(this.layers.under, under(this.look, board, {last, alarm, turned}));
    fill(this.layers.over, over(this.look, board, {last, alarm, won, turned}));
    this.#pieces(board, dead, last, animate && !matchMedia("(prefers-reduced-motion: reduce)").matches);
  }

  #all(board, options) {
    const made = picture(this.look, board, options);
    this.svg.setAttribute("viewBox", made.view.join(" "));
    for (const name of LAYERS) fill(this.layers[name], made[name]);
    this.turned = options.turned;
    this.adopted = true;
    this.nodes = new Map([...this.layers.pieces.children].map((shown) => [Number(shown.dataset.at), shown]));
    this.shown = new Map([...board].map(([at, words]) => [at, key(words, options.dead.has(at))]));
  }

  #pieces(board, dead, last, animate) {
    const gone = [];
    for (const [at, old] of this.nodes) {
      const words = board.get(at), wanted = words && key(words, dead.has(at));
      if (wanted && (this.shown.get(at) ?? this.#asDrawn(old, at, words, dead)) === wanted) {
        this.shown.set(at, wanted);
        this.settle(at);
        continue;
      }
      gone.push([at, this.shown.get(at)]);
      old.remove();
      this.nodes.delete(at);
      this.shown.delete(at);
    }
    for (const [at, words] of board) {
      if (this.nodes.has(at)) continue;
      const made = node(piece(this.look, at, words, this.turned, dead.has(at)));
      this.layers.pieces.append(made);
      this.nodes.set(at, made);
      this.shown.set(at, key(words, dead.has(at)));
      const from = last.length === 2 && last[1] === at ? last[0] : gone.find(([, was]) => was === this.shown.get(at))?.[0];
      if (animate && from !== undefined && from !== at) this.#slide(made, from, at);
    }
  }

  /** The key of a piece that the server drew, if it is the one that would be drawn now. */
  #asDrawn(old, at, words, dead) {
    const use = old.querySelector("use"), looks = pieceOf(this.look, words);
    const same = use?.getAttribute("href") === `#f-${looks.figure.replaceAll(" ", "-")}` &&
      use.getAttribute("fill") === looks.fill && (old.querySelector(".letters")?.textContent ?? "") === looks.label;
    return same ? key(words, old.classList.contains("dead")) : "";
  }

  #slide(made, from, at) {
    const [x0, y0] = corner(this.look, from, this.turned), [x1, y1] = corner(this.look, at, this.turned);
    const place = this.#place(x1, y1);
    made.animate([{transform: `translate(${x0 - x1}px, ${y0 - y1}px) ${place}`}, {transform: place}],
      {duration: MOVE_MS, easing: "ease-out"});
  }

  /** A piece's own transform, in the words of CSS. */
  #place(x, y) {
    return this.look.kind === "crossings" ? `translate(${x - 4.5}px, ${y - 4.5}px) scale(1.2)` : `translate(${x}px, ${y}px)`;
  }

  /** Shows the piece of a square under a pointer while it is dragged. */
  lift(at, clientX, clientY) {
    const moved = this.nodes.get(at);
    if (!moved) return;
    if (!moved.classList.contains("lifted")) {
      moved.classList.add("lifted");
      this.layers.pieces.append(moved);
    }
    const {left, top, width} = this.svg.getBoundingClientRect(), [x0, y0, whole] = view(this.look);
    const unit = whole / width;
    moved.style.transform = this.#place((clientX - left) * unit + x0 - BOX / 2, (clientY - top) * unit + y0 - BOX / 2);
  }

  /** Puts a piece that was dragged back on its square. */
  settle(at) {
    const still = this.nodes.get(at);
    if (!still?.classList.contains("lifted")) return;
    still.classList.remove("lifted");
    still.style.transform = "";
  }

  /** Shows a move that is not confirmed yet, faint. */
  foresee(at, words) {
    this.layers.over.append(draw("g", {class: "foreseen"}, node(piece(this.look, at, words, this.turned))));
  }

  /** Shows a piece that would be placed on a square; "" none. */
  ghost(at, words) {
    for (const old of this.svg.querySelectorAll(".ghost")) old.remove();
    if (words) this.layers.over.append(draw("g", {class: "ghost"}, node(piece(this.look, at, words, this.turned))));
  }

  /** Adds shapes above the pieces, until the next position. */
  mark(shapes) {
    this.layers.over.append(...shapes.map(node));
  }

  /** Makes the piece of a square faint. */
  fade(at) {
    this.nodes.get(at)?.classList.add("faded");
  }

  clear() {
    for (const old of this.svg.querySelectorAll(".foreseen")) old.remove();
    for (const old of this.svg.querySelectorAll(".faded")) old.classList.remove("faded");
  }
}

function key(words, dead) {
  return `${words}|${dead}`;
}

function fill(layer, shapes) {
  layer.replaceChildren(...shapes.map(node));
}
