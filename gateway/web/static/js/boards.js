/**
 * Keeps the boards on the page of a game up to date.
 */
import {live} from "./live.js";

live();
