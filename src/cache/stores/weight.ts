import type { Rendition, StoredAnswer } from '../store.ts';

/**
 * What things cost in memory, in bytes, as V8 lays them out on 64 bits without pointer compression. Held against the
 * process's memory by `test/cache/stores/weight.test.ts` and `scripts/bench/cache-memory.mjs`.
 */
const POINTER = 8;
/** Map, length, hash; the characters are padded to words. */
const STRING = 24;
const ARRAY = 32;
/** A typed array, its buffer, the block outside the heap, and what the allocator adds to that. */
const BUFFER = 320;
/** An answer's fields, with the numbers that stand in boxes of their own. */
const ANSWER = 320;
/** A tag of an answer in the index: its entry in the map, and the key's in the tag's set. */
const TAGGED = 120;
/** A key's place in the LRU list, its entry in the map, and what holds its answers. */
export const SLOT = 320;
/** An entry of an answer's renditions. */
const RENDITION = 240;

/** The bytes of a string: one for each character, two where one of them is beyond Latin-1. */
export function stringWeight(text: string): number {
  return STRING + (isLatin1(text) ? text.length : 2 * text.length);
}

export function answerWeight(answer: StoredAnswer): number {
  let weight = ANSWER + BUFFER + answer.body.byteLength + stringWeight(answer.variant);
  weight += listWeight(answer.headers) + listWeight(answer.vary) + listWeight(answer.tags);
  weight += answer.tags.length * TAGGED;
  for (const rendition of answer.renditions?.values() ?? []) weight += renditionWeight(rendition);
  return weight;
}

/** Its header list shares all but few of its strings with the answer's. */
export function renditionWeight({ headers, body }: Rendition): number {
  return RENDITION + BUFFER + body.byteLength + ARRAY + headers.length * POINTER;
}

function listWeight(list: readonly string[]): number {
  let weight = ARRAY + list.length * POINTER;
  for (const text of list) weight += stringWeight(text);
  return weight;
}

function isLatin1(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0xff) return false;
  return true;
}
