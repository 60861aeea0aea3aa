import type { CompressedResponse, StoredResponse } from '../store.ts';

/**
 * Estimates of the memory that stored responses take, in bytes, for V8's object layout on 64 bits without pointer
 * compression. `scripts/bench/cache-memory.mjs` compares the estimates with the memory of the process.
 */

/** Factor for objects on the heap, which V8 lets grow to twice the size of the live objects before it collects garbage. */
const GARBAGE_FACTOR = 2;
const POINTER = 8;
/** Map, length and hash of a string. The characters are padded to words. */
const STRING = 24;
const ARRAY = 32;
/** The fields of a stored response, with its boxed numbers, its typed array and its buffer. */
const RESPONSE = 640;
/** A tag in the index: its entry in the map, and the key in the tag's set. */
const INDEXED_TAG = 120;
/** The key in the set of its group and kind of read. */
const INDEXED_GROUP = 40;
/** The LRU list's and the map's entries of a key, and the object that holds its responses. */
const KEY = 320;
/** A compressed body: its entry in the response's map. */
const COMPRESSED = 560;

/** Estimates a key without its responses. */
export function estimateKeySize(key: string): number {
  return Math.ceil(GARBAGE_FACTOR * (KEY + stringSize(key)));
}

/** Estimates a response with its tags in the index and its compressed bodies. */
export function estimateResponseSize({
  body,
  headers,
  vary,
  variantKey,
  tags,
  compressed,
  group,
}: StoredResponse): number {
  const lists = listSize(headers) + listSize(vary) + listSize(tags);
  const objects =
    RESPONSE +
    (group === null ? 0 : INDEXED_GROUP) +
    stringSize(variantKey) +
    lists +
    tags.length * INDEXED_TAG;
  let size = Math.ceil(GARBAGE_FACTOR * objects) + body.buffer.byteLength;
  for (const coded of compressed?.values() ?? []) size += estimateCompressedSize(coded);
  return size;
}

/** Estimates a compressed body with its header list. The list shares nearly all strings with that of the response. */
export function estimateCompressedSize({ headers, body }: CompressedResponse): number {
  return Math.ceil(GARBAGE_FACTOR * (COMPRESSED + ARRAY + headers.length * POINTER)) + body.byteLength;
}

function listSize(list: readonly string[]): number {
  let size = ARRAY + list.length * POINTER;
  for (const text of list) size += stringSize(text);
  return size;
}

/** Header fields and tags are byte strings, which V8 stores with one byte for each character. */
function stringSize(text: string): number {
  return STRING + text.length;
}
