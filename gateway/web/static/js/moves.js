/**
 * Answers which moves are legal, from the short form in which the server sends them. Touches no document.
 *
 * @typedef {{from: number | null, to: number, piece: string}} Move
 * @typedef {{from?: number, to: number[] | "*", as?: string[], piece?: string, but?: number[]}} Entry
 *     Steps from a square, `as` with a choice of pieces; placements of `piece`, "*" on every empty square but some.
 */

export class Moves {
  /** @param {Entry[]} entries @param {Map<number, string>} board The board they are made on. @param {number} size */
  constructor(entries, board, size) {
    /** @type {Map<number, Map<number, string[]>>} */ this.steps = new Map();
    /** @type {Map<string, Set<number>>} */ this.placements = new Map();
    /** True where a placement may go anywhere, so that showing where says nothing. */ this.anywhere = false;
    for (const {from = null, to, as = [""], piece = "", but = []} of entries) {
      const squares = to === "*" ? empty(board, size, but) : to;
      if (from === null) {
        this.anywhere ||= to === "*";
        this.placements.set(piece, new Set([...(this.placements.get(piece) ?? []), ...squares]));
        continue;
      }
      if (!this.steps.has(from)) this.steps.set(from, new Map());
      const targets = this.steps.get(from);
      for (const square of squares) targets.set(square, [...(targets.get(square) ?? []), ...as]);
    }
  }

  /** True if a piece can go from this square. */
  source(at) {
    return this.steps.has(at);
  }

  /** The squares that a choice leads to: {from} a square, or {piece} in hand. @returns {number[]} */
  targets({from = null, piece = ""}) {
    return from === null ? [...(this.placements.get(piece) ?? [])] : [...(this.steps.get(from)?.keys() ?? [])];
  }

  /** The pieces that the piece on `from` may become on `to`, "" for itself; none where it cannot go there. */
  becoming(from, to) {
    return this.steps.get(from)?.get(to) ?? [];
  }

  /** The pieces that may be placed on a square. */
  placeable(at) {
    return [...this.placements].filter(([, squares]) => squares.has(at)).map(([piece]) => piece);
  }

  /** The one square of a column where something may be placed; null where there are several or none. */
  inColumn(at, width) {
    const squares = new Set([...this.placements.values()].flatMap((found) => [...found]));
    const found = [...squares].filter((square) => square % width === at % width);
    return found.length === 1 ? found[0] : null;
  }
}

function empty(board, size, but) {
  const left = new Set(but);
  return Array.from({length: size}, (_, at) => at).filter((at) => !board.has(at) && !left.has(at));
}
