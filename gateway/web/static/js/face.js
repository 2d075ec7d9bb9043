/**
 * Writes the time that is left as a clock shows it: the server's `clock_face`. No document.
 */

/** "1 day", "3 days". */
export const many = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** "1 day 4 h", "1:02:03", "4:12", and tenths below ten seconds: "0:09.4". */
export function face(seconds) {
  const tenths = Math.floor(seconds * 10 + 1e-6);
  const whole = Math.floor(tenths / 10), two = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor(whole / 60) % 60, hours = Math.floor(whole / 3600);
  if (seconds < 10) return `0:${two(whole)}.${tenths % 10}`;
  if (hours > 23) return `${many(Math.floor(hours / 24), "day")}${hours % 24 ? ` ${hours % 24} h` : ""}`;
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
