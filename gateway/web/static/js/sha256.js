/**
 * Computes SHA-256 and HMAC-SHA256, also where a page that came over plain HTTP has no WebCrypto.
 *
 * Sources: FIPS 180-4, sections 4 to 6; RFC 2104 for HMAC.
 */

const MASK = 0xffffffffn;
const BLOCK = 64;

/** The whole part of the `degree`-th root of `value`, by Newton's method. @param {bigint} value @param {bigint} degree */
function root(value, degree) {
  let found = 1n << BigInt(Math.ceil(value.toString(2).length / Number(degree)));
  for (;;) {
    const next = ((degree - 1n) * found + value / found ** (degree - 1n)) / degree;
    if (next >= found) return found;
    found = next;
  }
}

/** The first `count` primes. @param {number} count */
function primes(count) {
  const found = [];
  for (let number = 2; found.length < count; number += 1) {
    if (found.every((prime) => number % prime)) found.push(number);
  }
  return found.map(BigInt);
}

/** The first 32 bits of the fractions of the square roots of the first 8 primes. */
const START = Uint32Array.from(primes(8), (prime) => Number(root(prime << 64n, 2n) & MASK));

/** The same of the cube roots of the first 64 primes. */
const ROUNDS = Uint32Array.from(primes(64), (prime) => Number(root(prime << 96n, 3n) & MASK));

/** @param {number} word @param {number} by */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** The message, a bit 1, zeros, and its length in bits as a number of 64 bits. @param {Uint8Array} message */
function padded(message) {
  const whole = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK);
  whole.set(message);
  whole[message.length] = 0x80;
  new DataView(whole.buffer).setBigUint64(whole.length - 8, BigInt(message.length) * 8n);
  return new DataView(whole.buffer);
}

/**
 * The digest, 32 bytes.
 * @param {Uint8Array} message
 * @returns {Uint8Array}
 */
export function sha256(message) {
  const view = padded(message), words = new Uint32Array(64), hash = START.slice();
  for (let at = 0; at < view.byteLength; at += BLOCK) {
    for (let t = 0; t < 64; t += 1) words[t] = t < 16 ? view.getUint32(at + 4 * t) : scheduled(words, t);
    compress(hash, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  hash.forEach((word, index) => digest.setUint32(4 * index, word));
  return new Uint8Array(digest.buffer);
}

/** @param {Uint32Array} words @param {number} t */
function scheduled(words, t) {
  const early = words[t - 15], late = words[t - 2];
  const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
  const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
  return words[t - 16] + first + words[t - 7] + second;
}

/** @param {Uint32Array} hash @param {Uint32Array} words */
function compress(hash, words) {
  let [a, b, c, d, e, f, g, h] = hash;
  for (let t = 0; t < 64; t += 1) {
    const mixed = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + mixed + ((e & f) ^ (~e & g)) + ROUNDS[t] + words[t]) | 0;
    const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => { hash[index] += word; });
}

/**
 * HMAC-SHA256, 32 bytes.
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 */
export function hmac(key, message) {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const inner = sha256(joined(block.map((byte) => byte ^ 0x36), message));
  return sha256(joined(block.map((byte) => byte ^ 0x5c), inner));
}

/** @param {...Uint8Array} parts */
export function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The bytes that are written so. @param {string} text two digits a byte */
export const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
