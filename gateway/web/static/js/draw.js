/**
 * Draws a position as nested shapes from a game's description: the same as gateway/web/board/svg.py. Touches no document.
 *
 * @typedef {[string, Object<string, string | number>, Shape[] | string]} Shape
 *     The name of an element, its attributes, and the shapes or the text in it.
 * @typedef {Object} Look The description of a game (gateway/web/board/description.py).
 * @typedef {{turned?: boolean, last?: number[], alarm?: number | null, dead?: Set<number>, won?: number[], small?: boolean}} Options
 */

export const BOX = 45;
const HALF = BOX / 2, EDGE = 2;
const DARK = "#1d1d1b", BRIGHT = "#ffd23f", TINT = "#e8c400", ALARM = "#e5252a", ALARM_EDGE = "#8c0012";

const ROLES = {
  shade: {fill: DARK, "fill-opacity": 0.3, stroke: "none"},
  body: {"fill-rule": "evenodd"},
  thin: {"stroke-width": 0.8},
  sheen: {fill: "url(#sheen)", stroke: "none"},
  edge: {fill: "none"},
  line: {fill: "none", stroke: "currentColor"},
  trace: {fill: "none", stroke: "currentColor", "stroke-opacity": 0.5},
  fill: {fill: "currentColor", stroke: "none"},
  spot: {fill: "currentColor", stroke: "currentColor"},
};

const SHEEN = ["radialGradient", {id: "sheen", cx: 0.34, cy: 0.28, r: 0.8},
  [[0, "#fff", 0.45], [0.5, "#fff", 0], [0.5, "#000", 0], [1, "#000", 0.3]].map(([offset, colour, opacity]) =>
    ["stop", {offset, "stop-color": colour, "stop-opacity": opacity}, []])];

/** The seat at the lower edge for those who look on: the board is not turned for it. */
export function watchedFrom({sides, turned}) {
  return sides.findIndex((_, at) => !turned.includes(at));
}

/** The upper left corner of a square. */
export function corner(look, at, turned) {
  const shown = turned ? look.names.length - 1 - at : at;
  return [shown % look.width * BOX, Math.floor(shown / look.width) * BOX];
}

/** The look of a piece by its words; one that is not listed looks like its side. */
export function pieceOf(look, words) {
  const listed = look.pieces[words];
  if (listed) return listed;
  const said = words.split(" "), kind = said.at(-1);
  const side = Math.max(0, look.sides.findIndex((name) => said.some((word) => word && name.startsWith(word))));
  const label = kind === words ? "" : kind.slice(0, 1).toUpperCase() + kind.slice(1, 2).toLowerCase();
  return {...look.plain[side % look.plain.length], label, says: words, side};
}

/** Room beside the board for labels, and the size of their letters. */
function margins(look, small) {
  const letters = Math.max(7, Math.floor(7 * Math.max(look.width, look.height) / 4));
  const margin = (labels) =>
    labels.some(Boolean) && !small && look.kind !== "text" ? letters + Math.floor(letters / 2) : 0;
  return {letters, left: margin(look.ranks), below: margin(look.files)};
}

/** [x, y, width, height] of the picture; square 0 begins at 0, 0. */
export function view(look, small = false) {
  const {left, below} = margins(look, small);
  return [-left - EDGE, -EDGE, look.width * BOX + left + 2 * EDGE, look.height * BOX + below + 2 * EDGE];
}

/**
 * The shapes of a position, by layer.
 * @param {Look} look @param {Map<number, string>} board @param {Options} options
 */
export function picture(look, board, options = {}) {
  const {turned = false, last = [], alarm = null, dead = new Set(), won = [], small = false} = options;
  const place = (at) => corner(look, at, turned);
  if (look.kind === "text") return {view: view(look, small), ground: note(look), under: [], pieces: [], over: []};
  return {
    view: view(look, small),
    ground: [...ground(look, place), ...(small ? [] : labels(look, place))],
    under: under(look, board, {turned, last, alarm}),
    pieces: [...board].sort((a, b) => a[0] - b[0]).map(([at, words]) => piece(look, at, words, turned, dead.has(at))),
    over: over(look, board, {turned, last, alarm, won}),
  };
}

/** What lies on the ground: marks of empty squares, the last move and its arrow, check. @returns {Shape[]} */
export function under(look, board, {turned, last, alarm}) {
  const place = (at) => corner(look, at, turned), found = [];
  for (const [at, figure, colour] of look.marks) {
    if (board.has(at)) continue;
    const [x, y] = place(at);
    found.push(["use", {class: "mark", transform: `translate(${x} ${y})`, href: figureId(figure), fill: colour,
      stroke: colour, color: colour}, []]);
  }
  for (const at of look.kind === "crossings" ? last.slice(0, -1) : last) {
    const [x, y] = place(at);
    const shown = {class: "last", fill: TINT, "fill-opacity": 0.5};
    found.push(look.round || ["lines", "holes"].includes(look.style) ? ["circle", {...shown, cx: x + HALF, cy: y + HALF, r: 20}, []]
      : ["rect", {...shown, x, y, width: BOX, height: BOX}, []]);
  }
  if (last.length === 2 && last[0] !== last[1]) found.push(arrow(place(last[0]), place(last[1])));
  if (alarm !== null) {
    const [x, y] = place(alarm);
    found.push(["circle", {class: "alarm", cx: x + HALF, cy: y + HALF, r: 20, fill: ALARM, stroke: ALARM_EDGE,
      "stroke-width": 3}, []]);
  }
  return found;
}

/** What lies above the pieces: the ring of the last stone, the dot of another piece placed, a check's badge. @returns {Shape[]} */
export function over(look, board, {turned, last, alarm, won = []}) {
  const place = (at) => corner(look, at, turned), found = [];
  const stone = look.kind === "crossings";
  if (board.has(last.at(-1)) && (last.length === 1 || stone)) {
    const [x, y] = place(last.at(-1)), {fill, detail} = pieceOf(look, board.get(last.at(-1)));
    const at = {class: "placed", cx: x + HALF, cy: y + HALF};
    found.push(["circle", stone ? {...at, r: 9, fill: "none", stroke: detail, "stroke-width": 4}
      : {...at, r: 5, fill: detail, stroke: fill, "stroke-width": 2}, []]);
  }
  if (alarm !== null) {
    const [x, y] = place(alarm);
    found.push(["circle", {class: "badge-disc", cx: x + 36, cy: y + 9, r: 7.5, fill: ALARM_EDGE, stroke: "#fff",
      "stroke-width": 1.5}, []]);
    found.push(["text", {class: "badge-text", x: x + 36, y: y + 13, "font-size": 12, fill: "#fff"}, "!"]);
  }
  for (const at of won) {
    const [x, y] = place(at), size = {x: x + 2.5, y: y + 2.5, width: 40, height: 40, rx: 10};
    for (const [name, stroke, width] of [["dark", DARK, 5], ["bright", BRIGHT, 3]]) {
      found.push(["rect", {class: `won ${name}`, ...size, fill: "none", stroke, "stroke-width": width}, []]);
    }
  }
  return found;
}

/** A piece on its square. @returns {Shape} */
export function piece(look, at, words, turned, dead = false) {
  const [x, y] = corner(look, at, turned), shown = pieceOf(look, words);
  const where = look.kind === "crossings" ? `translate(${x - 4.5} ${y - 4.5}) scale(1.2)` : `translate(${x} ${y})`;
  const inside = figure(shown);
  if (dead) inside.push(["path", {class: "crossed", d: "M13 13l19 19M32 13l-19 19", stroke: shown.detail,
    "stroke-width": 4}, []]);
  return ["g", {class: dead ? "piece dead" : "piece", "data-at": at, transform: where}, inside];
}

/** A piece alone, in a box of 45x45. @returns {Shape[]} */
export function figure(shown) {
  const use = ["use", {href: figureId(shown.figure), fill: shown.fill, stroke: shown.edge, color: shown.detail}, []];
  const letters = ["text", {class: "letters", x: HALF, y: 29, "font-size": 18, fill: shown.detail}, shown.label];
  return shown.label ? [use, letters] : [use];
}

/** The figures that pieces use, for `defs`. @returns {Shape[]} */
export function figures(look) {
  return [SHEEN, ...Object.entries(look.figures).map(([name, parts]) => ["g",
    {id: figureId(name).slice(1), "stroke-width": 1.5, "stroke-linecap": "round", "stroke-linejoin": "round"},
    parts.map(([path, role]) => ["path", {...ROLES[role], d: path}, []])])];
}

function figureId(name) {
  return `#f-${name.replaceAll(" ", "-")}`;
}

function ground(look, place) {
  const width = look.width * BOX, height = look.height * BOX, whole = {x: 0, y: 0, width, height};
  if (look.style === "lines" || look.style === "holes") {
    const rounded = look.style === "lines" ? 4 : 14;
    const table = ["rect", {class: "a", ...whole, rx: rounded, fill: look.palette[0]}, []];
    return [table, look.style === "lines" ? crossings(look) : holes(look, place)];
  }
  const gaps = look.ground.includes("."), found = [];
  if (gaps) found.push(["rect", {class: "around", ...whole, rx: 8, fill: look.around}, []]);
  for (const [first, last, fill] of look.yards) {
    const [x0, y0] = place(first), [x1, y1] = place(last);
    found.push(["rect", {class: "yard", x: Math.min(x0, x1), y: Math.min(y0, y1), width: Math.abs(x1 - x0) + BOX,
      height: Math.abs(y1 - y0) + BOX, rx: 8, fill}, []]);
  }
  if (look.track.length) {
    const path = look.track.map((at) => place(at).map((side) => side + HALF).join(" ")).join("L");
    found.push(["path", {...stroked("track", `M${path}z`, look.lines), "stroke-width": 3}, []]);
  }
  const edge = look.round ? {stroke: look.lines, "stroke-width": 1.5} : {};
  look.palette.forEach((fill, index) => {
    const squares = [...look.ground].map((digit, at) => parseInt(digit, 36) === index ? at : -1).filter((at) => at >= 0);
    const d = squares.map((at) => square(place(at), gaps, look.round)).join("");
    if (d) found.push(["path", {class: ["a", "b"][index] ?? "own", d, fill, ...edge}, []]);
  });
  if (!gaps) found.push(["path", lines(look, width, height), []]);
  return found;
}

function lines(look, width, height) {
  let inner = "";
  if (look.style === "cells") {
    for (let x = 1; x < look.width; x++) inner += `M${x * BOX} 0v${height}`;
    for (let y = 1; y < look.height; y++) inner += `M0 ${y * BOX}h${width}`;
  }
  return stroked("lines", `${inner}M0 0h${width}v${height}h-${width}z`,
    look.style === "chequered" ? look.palette[1] : look.lines);
}

function stroked(name, d, stroke) {
  return {class: name, d, fill: "none", stroke, "stroke-width": 1.5};
}

function square([x, y], gap, round) {
  if (round) return `M${x + 2.5} ${y + HALF}a20 20 0 1 0 40 0a20 20 0 1 0 -40 0z`;
  return gap ? `M${x + 2} ${y + 2}h41v41h-41z` : `M${x} ${y}h45v45h-45z`;
}

function crossings(look) {
  let path = "";
  for (let x = 0; x < look.width; x++) path += `M${x * BOX + HALF} ${HALF}v${(look.height - 1) * BOX}`;
  for (let y = 0; y < look.height; y++) path += `M${HALF} ${y * BOX + HALF}h${(look.width - 1) * BOX}`;
  return ["path", stroked("lines", path, look.lines), []];
}

function holes(look, place) {
  const hole = ([x, y]) => `M${x + 4.5} ${y + HALF}a18 18 0 1 0 36 0a18 18 0 1 0 -36 0z`;
  return ["path", {class: "holes", d: look.names.map((_, at) => hole(place(at))).join(""), fill: look.lines}, []];
}

function labels(look, place) {
  const {letters: size} = margins(look, false), found = [];
  const label = (x, y, name) => ["text", {class: "label", x, y, "font-size": size, fill: "currentColor"}, name];
  if (look.numbered) {
    look.names.forEach((name, at) => {
      const [x, y] = place(at);
      if (/^\d+$/.test(name)) found.push(["text", {class: "number", x: x + 2, y: y + 8, "text-anchor": "start",
        "font-size": 7.5, fill: look.ink}, name]);
    });
  }
  const below = look.height * BOX + size + Math.floor(size / 8);
  look.files.forEach((name, column) => {
    if (name) found.push(label(place(column)[0] + HALF, below, name));
  });
  look.ranks.forEach((name, row) => {
    if (!name) return;
    const y = place(row * look.width)[1] + HALF + Math.floor(size / 3);
    found.push(label(-(Math.floor(size / 2) + Math.floor(size / 4)), y, name));
  });
  return found;
}

/** A thin arrow from source to target, which ends before the piece there; pieces on its way stand over it. */
function arrow([x0, y0], [x1, y1]) {
  const length = Math.hypot(x1 - x0, y1 - y0), u = (x1 - x0) / length, v = (y1 - y0) / length;
  const neck = length - 27, tip = length - 18;
  const path = [[0, -1.2], [neck, -1.2], [neck, -5], [tip, 0], [neck, 5], [neck, 1.2], [0, 1.2]]
    .map(([a, b]) => `${tenths(x0 + HALF + a * u - b * v)} ${tenths(y0 + HALF + a * v + b * u)}`).join("L");
  return ["path", {class: "arrow", d: `M${path}z`, fill: DARK, "fill-opacity": 0.7}, []];
}

/** A number to a tenth, halves upwards, as both languages round it. */
function tenths(number) {
  return (Math.trunc(number * 10 + 1000.5) / 10 - 100).toFixed(1);
}

function note(look) {
  const width = look.width * BOX, height = look.height * BOX;
  const table = ["rect", {class: "a", x: 0, y: 0, width, height, rx: 8, fill: look.palette[0]}, []];
  const said = ["This board is known", "to the players' programs.", "Moves are text."];
  return [table, ...said.map((line, at) => ["text", {class: "note", x: width / 2, y: Math.floor(height / 2) + 30 * at - 25,
    fill: DARK, "font-size": 22}, line])];
}
