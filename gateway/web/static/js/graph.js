/**
 * The graph of an analysis, a slider through the moves; and the arrow of the engine's move on the board.
 */
import {draw, make, write} from "./dom.js";
import {BOX, corner} from "./draw.js";
import {node} from "./field.js";
import {side} from "./words.js";

const WIDTH = 320, HEIGHT = 96, HALF = HEIGHT / 2, FINE = {"vector-effect": "non-scaling-stroke"};
const SHAFT = 9, HEAD = 17, ADVICE = "#0a6b3d";

export class Graph {
  /** @param {(ply: number) => void} go shows the position after `ply` moves */
  constructor(go) {
    this.go = go;
    this.ply = 0;
    this.last = 0;
    this.svg = draw("svg", {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true"});
    this.slider = make("div", {class: "slider", role: "slider", tabindex: "0", "aria-label": "Evaluation, move by move",
      "aria-valuemin": "0", onkeydown: (event) => this.#key(event), onpointerdown: (event) => this.#press(event),
      onpointermove: (event) => event.buttons && this.#press(event)}, this.svg);
    this.element = make("div", {class: "graph", hidden: true}, make("span"), this.slider, make("span"));
    this.advice = draw("g", {class: "advice"});
  }

  /** @param {any[]} positions what the engine says of each @param {(ply: number) => string} words the same, spoken */
  show(positions, look, words) {
    this.words = words;
    this.last = positions.length - 1;
    const [above, , below] = this.element.children;
    write(above, side(look, 0));
    write(below, side(look, 1));
    const points = positions.map(({share}, ply) => `${this.#x(ply)} ${this.#y(share)}`);
    const turns = positions.filter(({turning}) => turning).map(({ply, share}) => `M${this.#x(ply)} ${this.#y(share)}h0`);
    const line = `M${points.join("L")}`;
    this.cursor = draw("path", {class: "cursor", ...FINE});
    this.svg.replaceChildren(
      draw("path", {class: "area", d: `${line}L${WIDTH} ${HALF}H0z`}), draw("path", {class: "middle", d: `M0 ${HALF}H${WIDTH}`, ...FINE}),
      draw("path", {class: "value", d: line, ...FINE}), this.cursor, draw("path", {class: "turns", d: turns.join(""), ...FINE}));
    this.slider.setAttribute("aria-valuemax", `${this.last}`);
    this.element.hidden = false;
  }

  #x(ply) {
    return +(WIDTH * ply / Math.max(1, this.last)).toFixed(1);
  }

  #y(share) {
    return +(HALF - share * (HALF - 3)).toFixed(1);
  }

  /** Marks the position that is looked at. */
  mark(ply) {
    this.ply = ply;
    this.cursor.setAttribute("d", `M${this.#x(ply)} 0V${HEIGHT}`);
    this.slider.setAttribute("aria-valuenow", `${ply}`);
    this.slider.setAttribute("aria-valuetext", `After ${ply} ${ply === 1 ? "move" : "moves"}. ${this.words(ply)}`);
  }

  #key(event) {
    const ply = {ArrowLeft: this.ply - 1, ArrowDown: this.ply - 1, ArrowRight: this.ply + 1, ArrowUp: this.ply + 1,
      PageDown: this.ply - 10, PageUp: this.ply + 10, Home: 0, End: this.last}[event.key];
    if (ply === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.go(Math.max(0, ply));
  }

  #press(event) {
    const {left, width} = this.slider.getBoundingClientRect();
    const ply = Math.round((event.clientX - left) / width * this.last);
    if (ply !== this.ply) this.go(Math.max(0, Math.min(this.last, ply)));
  }

  /** Draws the engine's move on the board of the page: an arrow, a ring where something is placed; null: none. */
  advise({board, look, below}, move) {
    const at = (square) => corner(look, square, look.turned.includes(below)).map((part) => part + BOX / 2);
    const shape = !move || move.target === null || look.kind === "text" ? []
      : move.source === null ? [ring(at(move.target))] : [arrow(at(move.source), at(move.target))];
    this.advice.replaceChildren(...shape.map(node));
    if (this.advice.parentNode !== board.field.svg) board.field.svg.append(this.advice);
  }
}

const PAINT = {fill: ADVICE, stroke: "#fff", "stroke-width": 2, "stroke-linejoin": "round", opacity: 0.85};

function ring([cx, cy]) {
  const circle = (r) => `M${cx - r} ${cy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  return ["path", {d: circle(19) + circle(12), "fill-rule": "evenodd", ...PAINT}, []];
}

/** A whole arrow from the middle of one square to the middle of another. */
function arrow([x0, y0], [x1, y1]) {
  const length = Math.hypot(x1 - x0, y1 - y0), u = (x1 - x0) / length, v = (y1 - y0) / length, neck = length - HEAD;
  const outline = [[4, SHAFT / 2], [neck, SHAFT / 2], [neck, HEAD * 0.7], [length + 4, 0], [neck, -HEAD * 0.7], [neck, -SHAFT / 2],
    [4, -SHAFT / 2]].map(([a, b]) => `${(x0 + a * u - b * v).toFixed(1)} ${(y0 + a * v + b * u).toFixed(1)}`);
  return ["path", {d: `M${outline.join("L")}z`, ...PAINT}, []];
}
