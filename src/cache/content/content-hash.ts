/** Hashes that compare contents, not cryptographic: MurmurHash3's mixing in two lanes. */

const ENCODER = new TextEncoder();
const PRIME_A = 0xcc9e2d51;
const PRIME_B = 0x1b873593;

/** Hashes bytes to an integer of 53 bits. */
export function hashBytes(bytes: Uint8Array, seed = 0): number {
  let one = Math.imul(seed ^ 0x9747b28c, PRIME_B);
  let two = Math.imul(seed ^ 0x3c6ef372, PRIME_A);
  const words = toWords(bytes);
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? 0;
    one = Math.imul(one ^ word, PRIME_A);
    one ^= one >>> 15;
    two = Math.imul(two ^ word, PRIME_B);
    two ^= two >>> 13;
  }
  for (let at = words.byteLength; at < bytes.byteLength; at += 1) {
    const byte = bytes[at] ?? 0;
    one = Math.imul(one ^ byte, PRIME_A);
    two = Math.imul(two ^ byte, PRIME_B);
  }
  return combine(one ^ bytes.byteLength, two);
}

/** Views bytes as words of 32 bits, without the last three at most. */
function toWords(bytes: Uint8Array): Int32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return new Int32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 2);
}

export function hashText(text: string): number {
  return hashBytes(ENCODER.encode(text));
}

function combine(one: number, two: number): number {
  const high = finish(one) & 0x1fffff;
  return high * 0x1_0000_0000 + (finish(two) >>> 0);
}

function finish(lane: number): number {
  let mixed = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
