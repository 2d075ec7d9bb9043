/**
 * Turns Pointer Events on a board into taps and drags: mouse, touch and pen alike. A drag begins after four pixels.
 * Where `aims` says so a press is neither: it aims until it ends.
 */

const FAR = 4;

/**
 * @param {HTMLElement} surface What is touched: the grid, or a pocket.
 * @param {{square: (x: number, y: number) => number | null, begin: (event: PointerEvent) => any,
 *          lift: (held: any) => boolean, move: (held: any, x: number, y: number) => void,
 *          drop: (held: any, at: number | null, event: PointerEvent) => void, tap: (held: any, event: PointerEvent) => void,
 *          cancel: (held: any) => void, aims?: (event: PointerEvent) => boolean, aim?: (event: PointerEvent) => void,
 *          hit?: (held: any, at: number | null) => void}} does
 *     begin: what is touched, null for nothing; lift: true if it can be dragged; hit: where a press that aims has ended.
 */
export function pointers(surface, does) {
  let held = null, from = [0, 0], state = "", pointer = -1;

  const end = (event, finish) => {
    if (event.pointerId !== pointer) return;
    const was = held;
    pointer = -1;
    held = null;
    finish(was);
  };

  surface.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || pointer !== -1) return;
    held = does.begin(event);
    if (held === null) return;
    pointer = event.pointerId;
    from = [event.clientX, event.clientY];
    state = does.aims?.(event) ? "aimed" : "still";
    if (state === "aimed") does.aim(event);
    surface.setPointerCapture(pointer);
  });
  surface.addEventListener("pointermove", (event) => {
    if (event.pointerId !== pointer || state === "fixed") return;
    if (state === "aimed") return does.aim(event);
    if (state === "still") {
      if (Math.hypot(event.clientX - from[0], event.clientY - from[1]) < FAR) return;
      state = does.lift(held) ? "lifted" : "fixed";
    }
    if (state === "lifted") does.move(held, event.clientX, event.clientY);
  });
  surface.addEventListener("pointerup", (event) => end(event, (was) => {
    const at = does.square(event.clientX, event.clientY);
    if (state === "aimed") does.hit(was, at);
    else if (state === "lifted") does.drop(was, at, event);
    else if (state === "still" || at === does.square(...from)) does.tap(was, event);
  }));
  surface.addEventListener("pointercancel", (event) => end(event, (was) => does.cancel(was)));
}
