import { extensionOf } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { BOUNDS, isWithinBound } from './bounds.ts';
import { matchesSitePattern } from './patterns.ts';
import { hasSchemaType } from './type-words.ts';
import { canonicalText, uniqueValues } from './values.ts';

/** The result of an evaluation. `unknown`: it depends on a pattern or a disputed format, or exceeds the step limit. */
export type EvaluationResult = 'valid' | 'invalid' | 'unknown';

/** Maximum number of schemas that are compared with a value in one evaluation. */
const MAX_STEPS = 20_000;

interface EvaluationBudget {
  steps: number;
}

/**
 * Evaluates whether a normalized schema accepts a value, by JSON Schema 2020-12 with formats asserted. Not Ajv, because
 * this must run where code generation is forbidden, and must return `unknown` instead of running a hostile pattern.
 */
export function evaluateSchema(schema: JsonObject, value: Json): EvaluationResult {
  return evaluate(schema, value, { steps: 0 });
}

function evaluate(schema: Json | undefined, value: Json, budget: EvaluationBudget): EvaluationResult {
  if (schema === undefined || schema === true) return 'valid';
  if (!isJsonObject(schema)) return 'invalid';
  budget.steps += 1;
  if (budget.steps > MAX_STEPS) return 'unknown';
  return combineAll(Object.keys(schema), (keyword) => {
    const stated = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    const evaluator = EVALUATORS.get(keyword);
    return stated === undefined || evaluator === undefined
      ? 'valid'
      : evaluator(stated, value, schema, budget);
  });
}

type KeywordEvaluator = (
  stated: Json,
  value: Json,
  schema: JsonObject,
  budget: EvaluationBudget,
) => EvaluationResult;

const EVALUATORS: ReadonlyMap<string, KeywordEvaluator> = new Map<string, KeywordEvaluator>([
  ['type', (stated, value) => toResult(hasSchemaType(value, toArray(stated).map(String)))],
  [
    'enum',
    (stated, value) =>
      toResult(toArray(stated).some((member) => canonicalText(member) === canonicalText(value))),
  ],
  ['const', (stated, value) => toResult(canonicalText(stated) === canonicalText(value))],
  ...Array.from(BOUNDS, ([keyword, bound]): [string, KeywordEvaluator] => [
    keyword,
    (stated, value) => toResult(isWithinBound(bound, value, Number(stated))),
  ]),
  ['multipleOf', multipleOf],
  ['pattern', evaluatePattern],
  ['format', (stated, value) => (hasUndisputedFormat(String(stated), value) ? 'valid' : 'unknown')],
  ['uniqueItems', (stated, value) => toResult(stated !== true || !Array.isArray(value) || isUnique(value))],
  ['prefixItems', prefixItems],
  ['items', items],
  ['required', required],
  ['properties', properties],
  ['additionalProperties', additionalProperties],
  ['patternProperties', unlessEmpty],
  ['contains', unlessEmptyList],
  ['propertyNames', unlessEmpty],
  ['dependentRequired', unlessEmpty],
  ['dependentSchemas', () => 'unknown'],
  ['if', () => 'unknown'],
  ['oneOf', oneOf],
  [
    'anyOf',
    (stated, value, _, budget) => combineAny(toArray(stated), (member) => evaluate(member, value, budget)),
  ],
  [
    'allOf',
    (stated, value, _, budget) => combineAll(toArray(stated), (member) => evaluate(member, value, budget)),
  ],
  ['not', (stated, value, _, budget) => NEGATION[evaluate(stated, value, budget)]],
]);

const NEGATION: Readonly<Record<EvaluationResult, EvaluationResult>> = {
  valid: 'invalid',
  invalid: 'valid',
  unknown: 'unknown',
};

function toResult(fits: boolean): EvaluationResult {
  return fits ? 'valid' : 'invalid';
}

function combineAll<T>(
  members: readonly T[],
  evaluateOne: (member: T) => EvaluationResult,
): EvaluationResult {
  let result: EvaluationResult = 'valid';
  for (const member of members) {
    const memberResult = evaluateOne(member);
    if (memberResult === 'invalid') return 'invalid';
    if (memberResult === 'unknown') result = 'unknown';
  }
  return result;
}

function combineAny<T>(
  members: readonly T[],
  evaluateOne: (member: T) => EvaluationResult,
): EvaluationResult {
  return NEGATION[combineAll(members, (member) => NEGATION[evaluateOne(member)])];
}

function oneOf(stated: Json, value: Json, _: JsonObject, budget: EvaluationBudget): EvaluationResult {
  const results = toArray(stated).map((member) => evaluate(member, value, budget));
  if (results.includes('unknown')) return 'unknown';
  return toResult(results.filter((result) => result === 'valid').length === 1);
}

/** Evaluates only safe integers, because validators disagree about fractions and about numbers above 2^53. */
function multipleOf(stated: Json, value: Json): EvaluationResult {
  if (typeof value !== 'number') return 'valid';
  if (!Number.isSafeInteger(value) || !Number.isSafeInteger(stated)) return 'unknown';
  return toResult(value % Number(stated) === 0);
}

/** Matches the site's own pattern, which accepts no more than its translation in `pattern`. */
function evaluatePattern(stated: Json, value: Json, schema: JsonObject): EvaluationResult {
  if (typeof value !== 'string') return 'valid';
  const fits = matchesSitePattern(String(extensionOf(schema, 'pcre') ?? stated), value);
  return fits === undefined ? 'unknown' : toResult(fits);
}

function prefixItems(stated: Json, value: Json, _: JsonObject, budget: EvaluationBudget): EvaluationResult {
  if (!Array.isArray(value)) return 'valid';
  const list: readonly Json[] = value;
  return combineAll([...toArray(stated).entries()], ([at, member]) => {
    const item = list[at];
    return item === undefined ? 'valid' : evaluate(member, item, budget);
  });
}

function items(stated: Json, value: Json, schema: JsonObject, budget: EvaluationBudget): EvaluationResult {
  if (!Array.isArray(value)) return 'valid';
  const list: readonly Json[] = value;
  const from = toArray(schema['prefixItems'] ?? []).length;
  return combineAll(list.slice(from), (item) => evaluate(stated, item, budget));
}

/** Whether a property name is inherited by every object. Some validators find such a property although it is absent. */
function isInheritedName(name: string): boolean {
  return name in {};
}

function required(stated: Json, value: Json): EvaluationResult {
  if (!isJsonObject(value)) return 'valid';
  return combineAll(toArray(stated).map(String), (name) =>
    isInheritedName(name) ? 'unknown' : toResult(Object.hasOwn(value, name)),
  );
}

function properties(stated: Json, value: Json, _: JsonObject, budget: EvaluationBudget): EvaluationResult {
  if (!isJsonObject(value) || !isJsonObject(stated)) return 'valid';
  return combineAll(Object.entries(stated), ([name, member]) => {
    if (isInheritedName(name)) return 'unknown';
    const property = Object.hasOwn(value, name) ? value[name] : undefined;
    return property === undefined ? 'valid' : evaluate(member, property, budget);
  });
}

function additionalProperties(
  stated: Json,
  value: Json,
  schema: JsonObject,
  budget: EvaluationBudget,
): EvaluationResult {
  if (!isJsonObject(value)) return 'valid';
  const declared = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const others = Object.entries(value).filter(
    ([name]) => !Object.hasOwn(declared, name) || isInheritedName(name),
  );
  // It is unknown whether `patternProperties` applies to these properties.
  return combineAll(others, ([, member]) =>
    schema['patternProperties'] ? 'unknown' : evaluate(stated, member, budget),
  );
}

function unlessEmpty(_: Json, value: Json): EvaluationResult {
  return isJsonObject(value) && Object.keys(value).length > 0 ? 'unknown' : 'valid';
}

function unlessEmptyList(_: Json, value: Json): EvaluationResult {
  return Array.isArray(value) ? 'unknown' : 'valid';
}

function isUnique(value: readonly Json[]): boolean {
  return uniqueValues(value).length === value.length;
}

function toArray(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [value];
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
