import { extensionOf } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers, ownMember } from '../../json.ts';
import { BOUNDS } from './bounds.ts';
import { matchesSitePattern } from './patterns.ts';
import { hasSchemaType } from './type-words.ts';
import { canonicalText, uniqueValues } from './values.ts';

/** Maximum number of schemas, and of four members of their keywords each, that are compared with a value in one evaluation. */
const MAX_STEPS = 20_000;

/**
 * Evaluates whether a normalized schema accepts a value, by JSON Schema 2020-12 with formats asserted. Not Ajv, because
 * this must run where code generation is forbidden, and must not run a hostile pattern.
 *
 * @returns `unknown` if it depends on a pattern or a disputed format, or exceeds the step limit
 */
export function evaluateSchema(schema: JsonObject, value: Json): 'valid' | 'invalid' | 'unknown' {
  // What cannot be decided holds in the first evaluation and fails in the second.
  if (!accepts(schema, value, { unknown: true, budget: { steps: MAX_STEPS } })) return 'invalid';
  return accepts(schema, value, { unknown: false, budget: { steps: MAX_STEPS } }) ? 'valid' : 'unknown';
}

interface Evaluation {
  /** The result for what cannot be decided. */
  readonly unknown: boolean;
  readonly budget: { steps: number };
}

function accepts(schema: Json | undefined, value: Json, run: Evaluation): boolean {
  if (schema === undefined || schema === true) return true;
  if (!isJsonObject(schema)) return false;
  if (run.budget.steps < 0) return run.unknown;
  run.budget.steps -= 1;
  for (const stated of Object.values(schema))
    if (typeof stated === 'object') run.budget.steps -= Object.keys(stated ?? {}).length / 4;
  return Object.entries(schema).every(([keyword, stated]) => {
    const bound = BOUNDS.get(keyword);
    return (
      bound?.(value, Number(stated)) ?? ownMember(KEYWORDS, keyword)?.(stated, value, run, schema) ?? true
    );
  });
}

type KeywordTest = (stated: Json, value: Json, run: Evaluation, schema: JsonObject) => boolean;

const KEYWORDS: Readonly<Record<string, KeywordTest>> = {
  type: (stated, value) => hasSchemaType(value, [stated].flat().map(String)),
  enum: (stated, value) => jsonItems(stated).some((member) => isSame(member, value)),
  const: isSame,
  // Validators disagree about fractions and about numbers above 2^53.
  multipleOf: (stated, value, { unknown }) =>
    typeof value !== 'number' ||
    (Number.isSafeInteger(value) && Number.isSafeInteger(stated) ? value % Number(stated) === 0 : unknown),
  // The site's own pattern accepts no more than its translation in `pattern`.
  pattern: (stated, value, { unknown }, schema) =>
    typeof value !== 'string' ||
    (matchesSitePattern(String(extensionOf(schema, 'pcre') ?? stated), value) ?? unknown),
  format: (stated, value, { unknown }) => hasUndisputedFormat(String(stated), value) || unknown,
  uniqueItems: (stated, value) =>
    stated !== true || !Array.isArray(value) || uniqueValues(value).length === value.length,
  prefixItems: (stated, value, run) =>
    jsonItems(value).every((item, at) => accepts(jsonItems(stated)[at], item, run)),
  items: (stated, value, run, schema) =>
    jsonItems(value)
      .slice(jsonItems(schema['prefixItems']).length)
      .every((item) => accepts(stated, item, run)),
  required: (stated, value, { unknown }) =>
    !isJsonObject(value) ||
    jsonItems(stated).every((name) =>
      isInheritedName(String(name)) ? unknown : Object.hasOwn(value, String(name)),
    ),
  properties: (stated, value, run) =>
    !isJsonObject(value) ||
    jsonMembers(stated).every(([name, member]) => {
      if (isInheritedName(name)) return run.unknown;
      return !Object.hasOwn(value, name) || accepts(member, value[name] ?? null, run);
    }),
  // It is unknown whether `patternProperties` applies to a property.
  additionalProperties: (stated, value, run, { properties = {}, patternProperties }) =>
    jsonMembers(value).every(
      ([name, member]) =>
        (isJsonObject(properties) && Object.hasOwn(properties, name) && !isInheritedName(name)) ||
        (patternProperties === undefined ? accepts(stated, member, run) : run.unknown),
    ),
  patternProperties: (_, value, { unknown }) => jsonMembers(value).length === 0 || unknown,
  allOf: (stated, value, run) => jsonItems(stated).every((member) => accepts(member, value, run)),
  anyOf: (stated, value, run) => jsonItems(stated).some((member) => accepts(member, value, run)),
  oneOf: (stated, value, { budget, unknown }) => {
    const [possible = 0, certain = 0] = [true, false].map(
      (each) =>
        jsonItems(stated).filter((member) => accepts(member, value, { budget, unknown: each })).length,
    );
    return possible === certain ? certain === 1 : unknown;
  },
  not: (stated, value, { budget, unknown }) => !accepts(stated, value, { budget, unknown: !unknown }),
};

function isSame(one: Json, other: Json): boolean {
  return canonicalText(one) === canonicalText(other);
}

/** Whether a property name is inherited by every object. Some validators find such a property although it is absent. */
function isInheritedName(name: string): boolean {
  return name in {};
}

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
function hasUndisputedFormat(format: string, value: Json): boolean {
  if (typeof value === 'number' && NUMERIC.has(format)) {
    return Number.isInteger(value) && Math.abs(value) < 2 ** 31;
  }
  if (typeof value !== 'string' || !ASSERTED.has(format)) return true;
  return UNDISPUTED.get(format)?.test(value) === true;
}
