import type { Json } from '../../json.ts';

/**
 * Values that every validator accepts for a format. The patterns are narrower than the RFCs, because validators differ,
 * and a default that one of them rejects is worse than none. All of them match in linear time.
 */
const UNDISPUTED: ReadonlyMap<string, RegExp> = new Map([
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

/**
 * All formats that validators assert (ajv-formats, JSON Schema 2020-12 §7.3). Validators ignore other formats, such as
 * WordPress's `ip`, `hex-color` and `text-field`.
 */
const ASSERTED: ReadonlySet<string> = new Set([
  ...UNDISPUTED.keys(),
  ...(
    'time iso-time iso-date-time duration uri-reference uri-template url iri iri-reference idn-email hostname ' +
    'idn-hostname ipv6 regex json-pointer json-pointer-uri-fragment relative-json-pointer byte int32 int64 float double'
  ).split(' '),
]);

const NUMERIC: ReadonlySet<string> = new Set(['int32', 'int64', 'float', 'double']);

/** Whether every validator accepts the value for the format. `false` if validators may differ, or if it is invalid. */
export function hasUndisputedFormat(format: string, value: Json): boolean {
  if (typeof value === 'number' && NUMERIC.has(format)) {
    return Number.isInteger(value) && Math.abs(value) < 2 ** 31;
  }
  if (typeof value !== 'string' || !ASSERTED.has(format)) return true;
  return UNDISPUTED.get(format)?.test(value) === true;
}
