/**
 * Keeps a person's own games on a page of theirs up to date.
 */
import {countTurns} from "./turns.js";
import {yours} from "./yours.js";

yours();
countTurns();
