import type { Json } from '../../json.ts';
import type { EvaluationResult } from './evaluate.ts';

/**
 * Values that everybody takes for a value of the format: narrower than the RFCs, because validators differ and a
 * default that one of them refuses is worth less than none. All are linear.
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
 * The other formats that validators are known to assert (ajv-formats, JSON Schema 2020-12 §7.3). Words beyond these,
 * such as WordPress's `ip`, `hex-color`, `text-field`, are remarks to all of them.
 */
const ASSERTED: ReadonlySet<string> = new Set([
  ...UNDISPUTED.keys(),
  ...(
    'time iso-time iso-date-time duration uri-reference uri-template url iri iri-reference idn-email hostname ' +
    'idn-hostname ipv6 regex json-pointer json-pointer-uri-fragment relative-json-pointer byte int32 int64 float double'
  ).split(' '),
]);

const NUMERIC: ReadonlySet<string> = new Set(['int32', 'int64', 'float', 'double']);

/** Whether a value is of a format for every validator; `unknown` where they may differ. */
export function hasUndisputedFormat(format: string, value: Json): EvaluationResult {
  if (typeof value === 'number' && NUMERIC.has(format))
    return Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? 'valid' : 'unknown';
  if (typeof value !== 'string' || !ASSERTED.has(format)) return 'valid';
  return UNDISPUTED.get(format)?.test(value) ? 'valid' : 'unknown';
}
