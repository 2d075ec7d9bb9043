/**
 * The lens over a small board: while a finger presses, its surroundings, enlarged above it, with the square that is meant.
 *
 * Loaded where there is a touch screen, and shown where squares are smaller than a fingertip.
 */
import {make} from "./dom.js";

/** CSS pixels: the side of the lens, of a square in it, and how far it stands from the finger. */
const SIDE = 148, SQUARE = 50, AWAY = 36;

export class Lens {
  /**
   * @param {HTMLElement} stage What the lens stands in. @param {HTMLElement} board What is enlarged: picture and squares.
   * @param {HTMLElement[]} cells The squares of `board`, by their numbers.
   */
  constructor(stage, board, cells) {
    Object.assign(this, {stage, board, cells});
    this.element = make("div", {class: "lens", "aria-hidden": "true", inert: true});
  }

  /** Shows what is around a point of the window; `at` is the square that is meant, null for none. */
  show(x, y, at) {
    Object.assign(this, {x, y, at});
    if (!this.element.isConnected) this.#copy();
    this.#mark();
    const {left, top, width} = this.board.getBoundingClientRect(), scale = SQUARE / this.cells[0].getBoundingClientRect().width;
    this.copy.style.width = `${width}px`;
    this.copy.style.transform = `translate(${SIDE / 2 - (x - left) * scale}px, ${SIDE / 2 - (y - top) * scale}px) scale(${scale})`;
    const [across, down] = this.#place();
    Object.assign(this.element.style, {width: `${SIDE}px`, height: `${SIDE}px`, left: `${across}px`, top: `${down}px`});
  }

  /** The board has changed meanwhile. */
  renew() {
    if (!this.element.isConnected) return;
    this.element.remove();
    this.show(this.x, this.y, this.at);
  }

  hide() {
    this.element.remove();
  }

  #copy() {
    this.copy = this.board.cloneNode(true);
    this.copied = new Map();
    for (const cell of this.copy.querySelectorAll("[data-square]")) {
      this.copied.set(Number(cell.dataset.square), cell);
      cell.removeAttribute("data-square");
    }
    this.copy.querySelector("defs")?.remove();
    this.element.replaceChildren(this.copy);
    this.stage.append(this.element);
  }

  #mark() {
    this.meant?.classList.remove("meant");
    this.meant = this.copied.get(this.at);
    this.meant?.classList.add("meant");
  }

  /** Above the finger; beside it, away from the nearer edge, where the window has no room above. */
  #place() {
    const above = this.y - AWAY - SIDE, most = document.documentElement.clientWidth - SIDE;
    if (above >= 0) return [Math.max(0, Math.min(this.x - SIDE / 2, most)), above];
    return [this.x > most / 2 + SIDE / 2 ? Math.max(0, this.x - AWAY - SIDE) : Math.min(this.x + AWAY, most), 0];
  }
}
