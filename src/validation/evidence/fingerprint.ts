import type { Json } from '../../json.ts';

/**
 * Computes a short hash of a parameter's declaration. When it changes, earlier evidence about the parameter's rules no
 * longer applies. 32-bit FNV-1a distinguishes declarations and has no security purpose.
 */
export function fingerprintParameter(declared: Json): string {
  const text = JSON.stringify(declared);
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return (value >>> 0).toString(36);
}
