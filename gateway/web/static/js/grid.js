/**
 * Makes the squares of a board a grid for keyboards and screen readers: named cells, one tab stop, arrow keys.
 */
import {make} from "./dom.js";

export const HELP = "Arrow keys move, Enter chooses, Escape takes back, Home and End go to the ends of the row. " +
  "N and P go to the next and the previous square that can be chosen, L to the last move, D describes the board.";

export class Grid {
  /**
   * @param {Object} look The description of the game.
   * @param {{press: (at: number) => void, back: () => boolean, under: () => void, useful: () => number[], last: () => number | undefined,
   *          describe: () => void, help: () => void}} does What keys do; back: true if there was something to take back.
   *          under: another square is under the pointer.
   */
  constructor(look, does) {
    this.look = look;
    this.does = does;
    this.current = 0;
    /** @type {HTMLElement | null} */ this.under = null;
    this.cells = look.names.map((_, at) => make("div", {class: "cell", role: "gridcell", tabindex: "-1", "data-square": at}));
    this.element = make("div", {class: "grid", role: "grid", "aria-label": `Board: ${look.title}`,
      onkeydown: (event) => this.#key(event), onclick: (event) => this.#click(event),
      onfocusin: (event) => this.#focused(event), onpointerover: (event) => this.#over(event),
      onpointerleave: () => this.#mark(null)});
    this.arrange(false);
    this.#stop(0);
  }

  /** The order of the cells: as they are seen from one side. */
  arrange(turned) {
    const {width, height} = this.look, order = turned ? [...this.cells].reverse() : this.cells;
    this.turned = turned;
    const held = this.element.contains(document.activeElement) ? document.activeElement : null;
    this.element.replaceChildren(...Array.from({length: height}, (_, row) =>
      make("div", {role: "row", class: "squares"}, ...order.slice(row * width, (row + 1) * width))));
    for (const row of this.element.children) row.style.gridTemplateColumns = `repeat(${width}, 1fr)`;
    held?.focus({preventScroll: true});
  }

  /** Names and classes of all cells: `told(at)` gives both, and whether it is chosen. */
  refresh(told) {
    this.cells.forEach((cell, at) => {
      const {name, kinds, chosen} = told(at);
      set(cell, "aria-label", name);
      set(cell, "class", ["cell", ...kinds].join(" "));
      set(cell, "aria-selected", chosen ? "true" : null);
    });
  }

  /** `pointed`: by a pointer, which needs no frame around the square. */
  focus(at = this.current, pointed = false) {
    this.element.classList.toggle("pointed", pointed);
    this.#stop(at);
    this.cells[at].focus({preventScroll: true});
  }

  #stop(at) {
    this.cells[this.current].tabIndex = -1;
    this.current = at;
    this.cells[at].tabIndex = 0;
  }

  #focused(event) {
    const at = this.cells.indexOf(event.target);
    if (at >= 0) this.#stop(at);
  }

  #over({target, pointerType}) {
    this.#mark(pointerType !== "touch" && this.cells.includes(target) ? target : null);
  }

  /** Keeps the cell under a pointer. */
  #mark(cell) {
    if (cell === this.under) return;
    this.under = cell;
    this.does.under();
  }

  /** Clicks that no pointer made: assistive technology. */
  #click(event) {
    const at = this.cells.indexOf(event.target);
    if (event.detail === 0 && at >= 0) this.does.press(at);
  }

  #key(event) {
    this.element.classList.remove("pointed");
    if (event.altKey || event.metaKey) return;
    const to = this.#goal(event);
    if (to !== null) this.focus(to);
    else if (event.ctrlKey) return;
    else if (event.key === "Enter" || event.key === " ") this.does.press(this.current);
    else if (event.key === "Escape") {
      if (!this.does.back()) return;
    } else if (event.key.toLowerCase() === "d") this.does.describe();
    else if (event.key === "?") this.does.help();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The square that a key leads to; null for other keys. */
  #goal(event) {
    const {width, height} = this.look, size = width * height, way = this.turned ? -1 : 1;
    const shown = this.turned ? size - 1 - this.current : this.current;
    const column = shown % width, row = Math.floor(shown / width);
    const seen = (at) => (this.turned ? size - 1 - at : at);
    switch (event.ctrlKey ? `Ctrl${event.key}` : event.key) {
      case "ArrowLeft": return column > 0 ? this.current - way : this.current;
      case "ArrowRight": return column < width - 1 ? this.current + way : this.current;
      case "ArrowUp": return row > 0 ? this.current - way * width : this.current;
      case "ArrowDown": return row < height - 1 ? this.current + way * width : this.current;
      case "Home": return seen(row * width);
      case "End": return seen(row * width + width - 1);
      case "PageUp": return seen(column);
      case "PageDown": return seen(size - width + column);
      case "CtrlHome": return seen(0);
      case "CtrlEnd": return seen(size - 1);
      case "n": case "N": return this.#next(1, seen);
      case "p": case "P": return this.#next(-1, seen);
      case "l": case "L": return this.does.last() ?? null;
      default: return null;
    }
  }

  #next(way, seen) {
    const useful = this.does.useful().map(seen).sort((a, b) => a - b), here = seen(this.current);
    if (!useful.length) return this.current;
    const found = way > 0 ? useful.find((at) => at > here) ?? useful[0] : useful.findLast((at) => at < here) ?? useful.at(-1);
    return seen(found);
  }
}

function set(element, name, value) {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}
