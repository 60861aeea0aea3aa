import type { CompressedResponse, StoredResponse } from '../store.ts';

/**
 * Estimates of the memory that stored responses take, in bytes, for V8's object layout on 64 bits without pointer
 * compression. They are within 15 % of the memory of the process for bodies of 10 KB.
 */

/**
 * Adds the garbage that V8 lets grow beside objects on the heap. It collects more often the more the memory outside of the
 * heap grows, which are the bodies: so the objects of small responses leave more garbage.
 */
function withGarbage(objects: number, bodyBytes = 0): number {
  return Math.ceil(objects * (1.5 + (2 * objects) / (objects + bodyBytes)));
}

const POINTER = 8;
/** Map, length and hash of a string. The characters are padded to words. */
const STRING = 24;
const ARRAY = 32;
/** The fields of a stored response, with its boxed numbers, its typed array and its buffer. */
const RESPONSE = 800;
/** A tag that no other response has: its entry in the table of tags. */
const OWN_TAG = 96;
/** The LRU list's and the map's entries of a key, and the object that holds its responses. */
const KEY = 360;
/** A compressed body: its entry in the response's map. */
const COMPRESSED = 560;
/** Shorter header names and values are mostly those of other responses too, which share one string. */
const MIN_OWN_LENGTH = 48;

/** Estimates a key without its responses. */
export function estimateKeySize(key: string): number {
  return 2 * (KEY + stringSize(key));
}

/** Estimates a response with its compressed bodies, without tags that no other response has. */
export function estimateResponseSize(response: StoredResponse): number {
  const { body, compressed, headers, tags, variantKey, vary } = response;
  const pointers = headers.length + tags.length + vary.length;
  let objects = RESPONSE + 3 * ARRAY + pointers * POINTER + stringSize(variantKey);
  for (const text of headers) if (text.length >= MIN_OWN_LENGTH) objects += stringSize(text);
  const { byteLength } = body.buffer;
  let size = withGarbage(objects, byteLength) + byteLength;
  for (const coded of compressed?.values() ?? []) size += estimateCompressedSize(coded);
  return size;
}

/** Estimates a tag that no other response has. */
export function estimateTagSize(tag: string): number {
  return 2 * (OWN_TAG + stringSize(tag));
}

/** Estimates a compressed body with its header list. The list shares nearly all strings with that of the response. */
export function estimateCompressedSize({ headers, body }: CompressedResponse): number {
  return withGarbage(COMPRESSED + ARRAY + headers.length * POINTER, body.byteLength) + body.byteLength;
}

/** Header fields and tags are byte strings, which V8 stores with one byte for each character. */
function stringSize(text: string): number {
  return STRING + Math.ceil(text.length / POINTER) * POINTER;
}
