/**
 * Makes a picture without size whose figures boards refer to: the same as `_figure` of gateway/web/board/svg.py.
 *
 * A figure's parts are [path, role] as in gateway/games/figures.py. Holes run against the clock.
 */
import {draw} from "./dom.js";

const ROLES = {
  shade: {fill: "#1d1d1b", "fill-opacity": 0.3, stroke: "none"},
  body: {},
  line: {fill: "none", stroke: "currentColor"},
  fill: {fill: "currentColor", stroke: "none"},
};

/** The path of a circle. */
export function circle(radius, x, y) {
  const half = `a${radius} ${radius} 0 1 0`;
  return `M${x - radius} ${y}${half} ${2 * radius} 0${half} ${-2 * radius} 0z`;
}

/** @param {Object<string, [string, string][]>} men By the names of figures: "king" is dark, "open king" bright. */
export function picture(men) {
  const figures = Object.entries(men).map(([name, parts]) => draw("g", {id: `f-${name.replace(" ", "-")}`,
    "stroke-width": 1.5, "stroke-linecap": "round", "stroke-linejoin": "round"},
  ...parts.map(([d, role]) => draw("path", {...ROLES[role], d}))));
  const made = draw("svg", {id: "men", width: 0, height: 0, "aria-hidden": "true"}, draw("defs", {}, ...figures));
  made.style.position = "absolute";
  return made;
}
