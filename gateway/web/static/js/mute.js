/**
 * Remembers whom this person does not want to hear: with the account of who is logged in, else in this browser.
 */
import {kept} from "./dom.js";

const {dataset} = document.documentElement;

const muted = new Set(dataset.account ? [] : read());

function read() {
  try {
    return JSON.parse(kept.get("muted", "[]"));
  } catch {
    return [];
  }
}

/** Names are compared without letter case, as the server does for nearly all of them. */
const folded = (name) => name.toLowerCase();

/** @param {string} name */
export const isMuted = (name) => muted.has(folded(name));

/** @param {string} name @param {boolean} on */
export function mute(name, on) {
  if (on) muted.add(folded(name));
  else muted.delete(folded(name));
  if (!dataset.account) return kept.set("muted", JSON.stringify([...muted]));
  const body = new URLSearchParams({name, on: on ? "yes" : ""});
  fetch("/account/mute", {method: "POST", body, redirect: "manual"}).catch(() => {});
}

/** The account's list; `told` is called when it is there. @param {() => void} told */
export async function learnMuted(told) {
  if (!dataset.account) return;
  try {
    for (const name of await (await fetch("/account/muted")).json()) muted.add(folded(name));
    told();
  } catch {
    // What is muted on this page holds.
  }
}
