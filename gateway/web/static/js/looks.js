/**
 * Fetches descriptions of games, each once, by the key that a page or a message names.
 */
const looks = new Map();

/** The description of a game (gateway/web/board/description.py). Fails where the server does not know the key. */
export function lookOf(key) {
  if (!looks.has(key)) {
    const found = fetch(`/api/looks/${key}`).then((answer) => {
      if (!answer.ok) throw new Error(`look ${key}: ${answer.status}`);
      return answer.json();
    });
    found.catch(() => looks.delete(key));
    looks.set(key, found);
  }
  return looks.get(key);
}
