import type { Verdict } from './judge.ts';

/**
 * Values that everybody takes for a value of the format: narrower than the RFCs, because validators differ and a
 * default that one of them refuses is worth less than none. All are linear.
 */
const SURE: ReadonlyMap<string, RegExp> = new Map([
  [
    'date-time',
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d)$/,
  ],
  ['date', /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/],
  ['uri', /^https?:\/\/[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){0,9}(?:\/[\w./-]{0,500})?$/],
  ['email', /^[a-z\d]{1,60}@[a-z\d]{1,60}\.[a-z]{2,20}$/i],
  ['uuid', /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/],
  ['ipv4', /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/],
]);

/** Formats of WordPress and others that no validator of JSON Schema knows: remarks. */
const REMARKS: ReadonlySet<string> = new Set([
  'ip',
  'hex-color',
  'text-field',
  'textarea-field',
  'html',
  'password',
]);

export function surelyOfFormat(format: string, value: string): Verdict {
  if (REMARKS.has(format)) return 'valid';
  return SURE.get(format)?.test(value) ? 'valid' : 'unknown';
}
