/**
 * Keeps the wall of boards up to date.
 */
import {live} from "./live.js";

live();
