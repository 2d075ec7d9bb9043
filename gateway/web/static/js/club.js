/**
 * The set "club": chessmen of turned wood, as clubs have them, drawn with few lines so that they are plain on small
 * boards.
 */
import {circle, picture} from "./men_picture.js";

const FOOT = "M11 39.5v-3.2q0-2.3 2.5-2.3h18q2.5 0 2.5 2.3v3.2z", BAND = "M13.6 36.8h17.8";
const SHADE = "M9 40a13.5 2.6 0 1 0 27 0a13.5 2.6 0 1 0-27 0z";

/** @type {Object<string, [string, string][]>} */
const MEN = {
  king: [
    ["M22.5 17.2q3.4-4.6 8.2-3.4q5.4 2 4 8.2q-1.2 4-4.3 7l-1 5h-13.8l-1-5q-3.1-3-4.3-7q-1.4-6.2 4-8.2q4.8-1.2 8.2 3.4z", "body"],
    ["M20.9 3.6h3.2v3h3v3.2h-3v3.6h-3.2v-3.6h-3v-3.2h3z", "body"],
    ["M14.6 29q7.9-2.4 15.8 0M22.5 17.2v6.4", "line"],
  ],
  queen: [
    ["M9.6 13.2l4.6 9.6 2.8-12 5.5 11 5.5-11 2.8 12 4.6-9.6-3.4 15.6-1.6 5.2h-15.8l-1.6-5.2z", "body"],
    [circle(2, 9.6, 11.4) + circle(2, 17, 8.6) + circle(2, 28, 8.6) + circle(2, 35.4, 11.4), "body"],
    ["M13 28.8q9.5-2.6 19 0", "line"],
  ],
  rook: [
    ["M12.5 8.5h4.6v3.6h3.1v-3.6h4.6v3.6h3.1v-3.6h4.6v8.2l-3.3 3v9.6l2.4 4.7h-18.2l2.4-4.7v-9.6l-3.3-3z", "body"],
    ["M15.8 19.7h13.4M15.8 29.3h13.4", "line"],
  ],
  bishop: [
    ["M22.5 8.6q8.2 6.6 8.2 12.8q0 4.6-4.4 7.1q.8 3 4.3 5.5h-16.2q3.5-2.5 4.3-5.5q-4.4-2.5-4.4-7.1q0-6.2 8.2-12.8z", "body"],
    [circle(2.2, 22.5, 6.6), "body"],
    ["M25.4 14l-4.4 6.4M18.9 28.5h7.2", "line"],
  ],
  knight: [
    ["M24.2 6.6Q26.8 8.6 27.2 10.6Q35 14.6 34.2 26Q34 30.4 32.2 34H15.4Q15.6 29.4 20.6 25.6Q22.6 23.8 22.4 21.8Q19.6 23.4 " +
      "17.4 23.4Q16 26.4 13.2 27Q9.8 27 8.9 24.2Q8.7 22.3 10.4 20.4Q12.8 17.2 14.5 13.9Q17.3 10.7 22 9.9Q22.4 7.9 24.2 6.6z", "body"],
    [circle(1.5, 18.6, 15.8) + circle(0.9, 12, 23.8), "fill"],
    ["M28 14.6Q31.4 20.5 30.4 30", "line"],
  ],
  pawn: [
    ["M18.6 19h7.8q.6 8 5.4 15h-18.6q4.8-7 5.4-15z", "body"],
    [circle(5.6, 22.5, 13.4), "body"],
    ["M16.6 17.6h11.8a1.5 1.5 0 0 1 0 3h-11.8a1.5 1.5 0 0 1 0-3z", "body"],
  ],
};

/** The picture of all twelve; dark men have a bright band on the foot. */
export function set() {
  const whole = (parts) => [[SHADE, "shade"], ...parts, [FOOT, "body"]];
  return picture(Object.fromEntries(Object.entries(MEN).flatMap(([kind, parts]) => [
    [`open ${kind}`, whole(parts)], [kind, [...whole(parts), [BAND, "line"]]]])));
}
