import { isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';
import { matchesSitePattern } from './patterns.ts';
import { readSchema } from './read-schema.ts';
import { type CheckedSchema, type Dialect, findIssues } from './walk.ts';

const MAX_STEPS = 20_000;

/**
 * Asserts formats. Ajv generates code, which some hosts forbid, and runs hostile patterns.
 * @returns `false` too if it depends on a pattern, a disputed format or a fraction, or takes too many steps
 */
export function isCertainlyValid(schema: JsonObject, value: Json): boolean {
  let isCertain = true;
  const orUncertain = (verdict: boolean | undefined): boolean => {
    isCertain &&= verdict !== undefined;
    return verdict === true;
  };
  const dialect: Dialect = {
    resolve: () => true,
    matches: (pattern, text) => orUncertain(matchesSitePattern(pattern, text)),
    hasFormat: (format, member) => orUncertain(hasUndisputedFormat(format, member) || undefined),
    // Validators disagree about fractions and numbers above 2^53.
    isMultiple: (number, divisor) =>
      orUncertain(
        Number.isSafeInteger(number) && Number.isSafeInteger(divisor) ? number % divisor === 0 : undefined,
      ),
  };
  const issues = findIssues(readPlainSchema(schema), value, dialect, MAX_STEPS);
  return issues?.length === 0 && isCertain;
}

function readPlainSchema(schema: Json): CheckedSchema | boolean {
  return isJsonObject(schema) ? readSchema(schema, readPlainSchema) : schema !== false;
}

/** Formats that validators assert (ajv-formats, JSON Schema 2020-12 §7.3), and disagree about. */
const ASSERTED: ReadonlySet<string> = new Set(
  (
    'date-time date uri email uuid ipv4 time iso-time iso-date-time duration uri-reference uri-template url iri ' +
    'iri-reference idn-email hostname idn-hostname ipv6 regex json-pointer json-pointer-uri-fragment ' +
    'relative-json-pointer byte'
  ).split(' '),
);

const NUMERIC: ReadonlySet<string> = new Set(['int32', 'int64', 'float', 'double']);

/** `false` if validators can differ. */
function hasUndisputedFormat(format: string, value: Json): boolean {
  if (typeof value === 'number' && NUMERIC.has(format)) {
    return Number.isInteger(value) && Math.abs(value) < 2 ** 31;
  }
  return typeof value !== 'string' || !ASSERTED.has(format);
}
