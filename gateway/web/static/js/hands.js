/**
 * Shows the pieces beside a board, which can be placed.
 */
import {make} from "./dom.js";
import {figure, pieceOf} from "./draw.js";
import {icon} from "./field.js";

export class Hands {
  /** @param {Object} look @param {(piece: string) => void} choose A piece of the own hand was chosen. */
  constructor(look, choose) {
    this.look = look;
    this.choose = choose;
    this.far = make("div", {class: "hand", role: "group"});
    this.near = make("div", {class: "hand", role: "group"});
    this.shown = "";
  }

  /**
   * @param {Object<string, number>[]} hands By seat. @param {number | null} seat Whose pieces can be chosen.
   * @param {number} below The seat at the lower edge. @param {string} chosen
   * @param {(piece: string) => boolean} may
   */
  show(hands, seat, below, chosen, may) {
    const state = JSON.stringify([hands, seat, below, chosen, Object.keys(hands[seat] ?? {}).map(may)]);
    if (state === this.shown) return;
    this.shown = state;
    const held = document.activeElement?.closest?.(".hand") ? document.activeElement.dataset.piece : null;
    this.far.replaceChildren(...hands.flatMap((hand, at) => (at === below ? [] : this.#hand(hand, at, null, "", may))));
    this.near.replaceChildren(...this.#hand(hands[below] ?? {}, below, seat, chosen, may));
    const others = this.look.sides.filter((_, at) => at !== below);
    this.far.setAttribute("aria-label", `In hand: ${others.join(", ")}`);
    this.near.setAttribute("aria-label", `In hand: ${this.look.sides[below]}`);
    this.far.hidden = !this.far.hasChildNodes();
    this.near.hidden = !this.near.hasChildNodes();
    if (held) this.near.querySelector(`[data-piece="${CSS.escape(held)}"]`)?.focus({preventScroll: true});
  }

  #hand(hand, at, seat, chosen, may) {
    return Object.entries(hand).filter(([, count]) => count > 0).map(([piece, count]) => {
      const picture = icon(figure(pieceOf(this.look, this.words(piece, at)))), many = make("span", {class: "count"}, `${count}`);
      const name = `${count} ${piece}${count > 1 ? "s" : ""}`;
      if (at !== seat || !may(piece)) return make("span", {class: "held", role: "img", "aria-label": name}, picture, many);
      return make("button", {type: "button", class: "held", "data-piece": piece, "aria-label": `${name}, place one`,
        "aria-pressed": `${piece === chosen}`, onclick: (event) => event.detail === 0 && this.choose(piece)}, picture, many);
    });
  }

  /** The words of a piece in a seat's hand, as they would be on the board. */
  words(piece, seat) {
    const own = `${this.look.sides[seat]} ${piece}`;
    return own in this.look.pieces || !(piece in this.look.pieces) ? own : piece;
  }
}
