/** What an engine says of a position, in words (gateway/bots/examining.py). Touches no document. */
import {side} from "./words.js";

/** Shares from which a side is a little better, better, and winning. */
const LITTLE = 0.15, BETTER = 0.4, WINNING = 0.75;

/** "White is better (+1.2).", "Black wins in 3 moves.", "The game is over." */
export function evaluation(look, {score, win_in: wins, share}, unit) {
  if (score === null && wins === null) return "The game is over.";
  const ahead = side(look, share < 0 ? 1 : 0), size = Math.abs(share);
  if (wins !== null) return `${side(look, wins < 0 ? 1 : 0)} wins in ${Math.abs(wins)} ${Math.abs(wins) === 1 ? "move" : "moves"}.`;
  const how = size < LITTLE ? "About even" : `${ahead} is ${size < BETTER ? "a little better" : size < WINNING ? "better" : "winning"}`;
  const leads = side(look, score < 0 ? 1 : 0), by = Math.abs(score);
  const number = {centipawns: `${leads} +${(by / 100).toFixed(1)}`, points: `${leads} by ${by.toFixed(1)} points`}[unit];
  return number ? `${how} (${number}).` : `${how}.`;
}

/** The engine's move, and whether it was made. */
export function better({best}, made) {
  if (!best) return "";
  return made?.notation === best.notation ? `Best: ${best.notation}, as played.` : `Best: ${best.notation}.`;
}
