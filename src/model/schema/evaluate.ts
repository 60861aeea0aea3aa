import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { matchesSitePattern } from './patterns.ts';
import { readSchema } from './read-schema.ts';
import { type CheckedSchema, type Dialect, findIssues } from './walk.ts';

const MAX_STEPS = 20_000;

/**
 * Asserts formats. Ajv generates code, which some hosts forbid, and runs hostile patterns.
 * @returns `unknown` if it depends on a pattern, a disputed format or a fraction, or takes too many steps
 */
export function evaluateSchema(schema: JsonObject, value: Json): 'valid' | 'invalid' | 'unknown' {
  const read = readPlainSchema(schema);
  // An undecidable keyword holds in the first evaluation and fails in the second.
  const [possible, certain] = [true, false].map((unknown) => {
    const dialect: Dialect = {
      resolve: () => true,
      matches: (pattern, text) => matchesSitePattern(pattern, text) ?? unknown,
      hasFormat: (format, member) => hasUndisputedFormat(format, member) || unknown,
      // Validators disagree about fractions and numbers above 2^53.
      isMultiple: (number, divisor) =>
        Number.isSafeInteger(number) && Number.isSafeInteger(divisor) ? number % divisor === 0 : unknown,
    };
    const issues = findIssues(read, value, dialect, MAX_STEPS);
    return issues === undefined ? unknown : issues.length === 0;
  });
  if (possible !== certain) return 'unknown';
  return certain === true ? 'valid' : 'invalid';
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
