import type { CompressedResponse, StoredResponse } from '../store.ts';

/**
 * What an answer costs a process in memory, in bytes, as V8 lays things out on 64 bits without pointer compression.
 * `scripts/bench/cache-memory.mjs` holds it against the process's memory.
 */

/** V8 lets the heap grow by as much as lives in it before it collects what does not: an object costs its room twice. */
const UNCOLLECTED = 2;
const POINTER = 8;
/** Map, length, hash; the characters are padded to words. */
const STRING = 24;
const ARRAY = 32;
/** An answer's fields, with the numbers that stand in boxes of their own; its typed array and buffer. */
const ANSWER = 640;
/** A tag of an answer in the index: its entry in the map, and the key's in the tag's set. */
const TAGGED = 120;
/** A key's place in the LRU list, its entry in the map, and what holds its answers. */
const SLOT = 320;
/** An entry of an answer's renditions. */
const RENDITION = 560;

/** What a key costs beside its answers. */
export function estimateKeySize(key: string): number {
  return Math.ceil(UNCOLLECTED * (SLOT + stringWeight(key)));
}

export function estimateResponseSize({
  body,
  headers,
  vary,
  variant,
  tags,
  compressed,
}: StoredResponse): number {
  const lists = listWeight(headers) + listWeight(vary) + listWeight(tags);
  const objects = ANSWER + stringWeight(variant) + lists + tags.length * TAGGED;
  let weight = Math.ceil(UNCOLLECTED * objects) + body.buffer.byteLength;
  for (const rendition of compressed?.values() ?? []) weight += estimateRenditionSize(rendition);
  return weight;
}

/** Its header list shares all but few of its strings with the answer's. */
export function estimateRenditionSize({ headers, body }: CompressedResponse): number {
  return Math.ceil(UNCOLLECTED * (RENDITION + ARRAY + headers.length * POINTER)) + body.byteLength;
}

function listWeight(list: readonly string[]): number {
  let weight = ARRAY + list.length * POINTER;
  for (const text of list) weight += stringWeight(text);
  return weight;
}

/** Fields and tags are byte strings: one byte for each character. */
function stringWeight(text: string): number {
  return STRING + text.length;
}
