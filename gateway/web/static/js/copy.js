/**
 * Puts a button beside each command that copies it. Where the browser gives pages no clipboard, the command is selected.
 */
import {byId, make, write} from "./dom.js";

const SHOWN_MS = 2000;

/** @param {HTMLElement} code */
async function copy(code, button) {
  let done = "Copied";
  try {
    await navigator.clipboard.writeText(code.textContent ?? "");
  } catch {
    getSelection()?.selectAllChildren(code);
    done = "Selected: copy it with your keyboard or menu";
  }
  write(button, done === "Copied" ? done : "Selected");
  write(byId("copied"), `${done}: ${code.textContent}`);
  setTimeout(() => write(button, "Copy"), SHOWN_MS);
}

for (const code of document.querySelectorAll(".copy > code")) {
  const button = make("button", {class: "button small", type: "button"}, "Copy");
  button.addEventListener("click", () => copy(/** @type {HTMLElement} */ (code), button));
  code.after(button);
}
