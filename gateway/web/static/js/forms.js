/**
 * The set "forms": chessmen as plain solids whose form says how they move: straight, obliquely, both ways, round a corner.
 */
import {circle, picture} from "./men_picture.js";

const CUBE = "M10.5 21.5h24v16h-24z";

/** @type {Object<string, [string, string][]>} */
const MEN = {
  king: [[CUBE, "body"], ["M22.5 3.5l9 9-9 9-9-9z", "body"], ["M22.5 8.5v8M18.5 12.5h8", "line"]],
  queen: [[CUBE, "body"], [circle(9, 22.5, 13), "body"]],
  rook: [["M9.5 9.5h26v26h-26z", "body"], ["M22.5 14.5v16M14.5 22.5h16", "line"]],
  bishop: [["M8.5 15l6.5-6.5 7.5 7.5 7.5-7.5 6.5 6.5-7.5 7.5 7.5 7.5-6.5 6.5-7.5-7.5-7.5 7.5-6.5-6.5 7.5-7.5z", "body"]],
  knight: [["M9.5 8.5h26v28h-14v-14h-12z", "body"], ["M13.5 15.5h15v16", "line"]],
  pawn: [["M15 16.5h15v15h-15z", "body"]],
};

/** What dark men have beside their colour. */
const DARK = {king: "M14 33.5h17", queen: "M14 33.5h17", rook: "M14 32h17", bishop: "M18.5 22.5h8", knight: "M25 33h7", pawn: "M18.5 28h8"};

/** The shadow of a part, a little below it. */
function below([path]) {
  return [path.replace(/^M([\d.]+) ([\d.]+)/, (_, x, y) => `M${x} ${Number(y) + 2}`), "shade"];
}

/** The picture of all twelve. */
export function set() {
  return picture(Object.fromEntries(Object.entries(MEN).flatMap(([kind, parts]) => [
    [`open ${kind}`, [below(parts[0]), ...parts]], [kind, [below(parts[0]), ...parts, [DARK[kind], "line"]]]])));
}
