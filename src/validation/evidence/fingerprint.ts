import type { Json } from '../../json.ts';

/**
 * What a document says of one parameter, in a few characters: where it changes, what was learnt of its rules before
 * says nothing of those now. FNV-1a of 32 bits tells one schema from the next, and protects nothing.
 */
export function fingerprintParameter(declared: Json): string {
  const text = JSON.stringify(declared);
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return (value >>> 0).toString(36);
}
