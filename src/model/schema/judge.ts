import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { surelyOfFormat } from './formats.ts';
import { matches } from './patterns.ts';
import { hasType } from './type-words.ts';
import { canonical, withoutDuplicates } from './values.ts';

/** `unknown`: it would take a site's regular expression, a format or an effort that nobody should trust here. */
export type Verdict = 'valid' | 'invalid' | 'unknown';

/** How many pairs of a schema and a value one judgement may look at. */
const MAX_STEPS = 20_000;

interface Effort {
  steps: number;
}

/**
 * Whether a normalised schema accepts a value, by JSON Schema 2020-12 with formats asserted. An interpreter of our
 * own, because it has to run where no code may be made from text, and to say `unknown` rather than run a pattern of
 * the site's on the site's text.
 */
export function judge(schema: JsonObject, value: Json): Verdict {
  return weigh(schema, value, { steps: 0 });
}

function weigh(schema: Json | undefined, value: Json, effort: Effort): Verdict {
  if (schema === undefined || schema === true) return 'valid';
  if (!isJsonObject(schema)) return 'invalid';
  effort.steps += 1;
  if (effort.steps > MAX_STEPS) return 'unknown';
  return all(Object.keys(schema), (keyword) => {
    const stated = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    const weighKeyword = KEYWORDS.get(keyword);
    return stated === undefined || weighKeyword === undefined
      ? 'valid'
      : weighKeyword(stated, value, schema, effort);
  });
}

type Keyword = (stated: Json, value: Json, schema: JsonObject, effort: Effort) => Verdict;

const KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ['type', (stated, value) => says(hasType(value, listOf(stated).map(String)))],
  ['enum', (stated, value) => says(listOf(stated).some((member) => canonical(member) === canonical(value)))],
  ['const', (stated, value) => says(canonical(stated) === canonical(value))],
  ['minimum', onNumbers((bound, value) => value >= bound)],
  ['maximum', onNumbers((bound, value) => value <= bound)],
  ['exclusiveMinimum', onNumbers((bound, value) => value > bound)],
  ['exclusiveMaximum', onNumbers((bound, value) => value < bound)],
  ['multipleOf', multipleOf],
  ['minLength', onTexts((bound, value) => [...value].length >= bound)],
  ['maxLength', onTexts((bound, value) => [...value].length <= bound)],
  ['pattern', matching],
  ['format', (stated, value) => surelyOfFormat(String(stated), value)],
  ['minItems', onLists((bound, value) => value.length >= bound)],
  ['maxItems', onLists((bound, value) => value.length <= bound)],
  ['uniqueItems', (stated, value) => says(stated !== true || !Array.isArray(value) || isUnique(value))],
  ['prefixItems', prefixItems],
  ['items', items],
  ['minProperties', onObjects((bound, value) => Object.keys(value).length >= bound)],
  ['maxProperties', onObjects((bound, value) => Object.keys(value).length <= bound)],
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
  ['anyOf', (stated, value, _, effort) => any(listOf(stated), (member) => weigh(member, value, effort))],
  ['allOf', (stated, value, _, effort) => all(listOf(stated), (member) => weigh(member, value, effort))],
  ['not', (stated, value, _, effort) => OPPOSITE[weigh(stated, value, effort)]],
]);

const OPPOSITE: Readonly<Record<Verdict, Verdict>> = {
  valid: 'invalid',
  invalid: 'valid',
  unknown: 'unknown',
};

function says(fits: boolean): Verdict {
  return fits ? 'valid' : 'invalid';
}

function all<T>(members: readonly T[], weighOne: (member: T) => Verdict): Verdict {
  let verdict: Verdict = 'valid';
  for (const member of members) {
    const one = weighOne(member);
    if (one === 'invalid') return 'invalid';
    if (one === 'unknown') verdict = 'unknown';
  }
  return verdict;
}

function any<T>(members: readonly T[], weighOne: (member: T) => Verdict): Verdict {
  return OPPOSITE[all(members, (member) => OPPOSITE[weighOne(member)])];
}

function oneOf(stated: Json, value: Json, _: JsonObject, effort: Effort): Verdict {
  const verdicts = listOf(stated).map((member) => weigh(member, value, effort));
  if (verdicts.includes('unknown')) return 'unknown';
  return says(verdicts.filter((verdict) => verdict === 'valid').length === 1);
}

function onNumbers(holds: (bound: number, value: number) => boolean): Keyword {
  return (stated, value) => says(typeof value !== 'number' || holds(Number(stated), value));
}

function onTexts(holds: (bound: number, value: string) => boolean): Keyword {
  return (stated, value) => says(typeof value !== 'string' || holds(Number(stated), value));
}

function onLists(holds: (bound: number, value: readonly Json[]) => boolean): Keyword {
  return (stated, value) => says(!Array.isArray(value) || holds(Number(stated), value));
}

function onObjects(holds: (bound: number, value: JsonObject) => boolean): Keyword {
  return (stated, value) => says(!isJsonObject(value) || holds(Number(stated), value));
}

/** Validators disagree on fractions and on numbers beyond 2^53: only whole, safe ones are certain. */
function multipleOf(stated: Json, value: Json): Verdict {
  if (typeof value !== 'number') return 'valid';
  if (!Number.isSafeInteger(value) || !Number.isSafeInteger(stated)) return 'unknown';
  return says(value % Number(stated) === 0);
}

/** By the site's own pattern, which accepts no more than the translation that stands in `pattern`. */
function matching(stated: Json, value: Json, schema: JsonObject): Verdict {
  if (typeof value !== 'string') return 'valid';
  const fits = matches(String(schema['x-waygate-pcre'] ?? stated), value);
  return fits === undefined ? 'unknown' : says(fits);
}

function prefixItems(stated: Json, value: Json, _: JsonObject, effort: Effort): Verdict {
  if (!Array.isArray(value)) return 'valid';
  const list: readonly Json[] = value;
  return all([...listOf(stated).entries()], ([at, member]) => {
    const item = list[at];
    return item === undefined ? 'valid' : weigh(member, item, effort);
  });
}

function items(stated: Json, value: Json, schema: JsonObject, effort: Effort): Verdict {
  if (!Array.isArray(value)) return 'valid';
  const list: readonly Json[] = value;
  const from = listOf(schema['prefixItems'] ?? []).length;
  return all(list.slice(from), (item) => weigh(stated, item, effort));
}

/** Some validators look names up in plain objects, where `toString` is found though nobody sent it. */
function isAmbiguous(name: string): boolean {
  return name in {};
}

function required(stated: Json, value: Json): Verdict {
  if (!isJsonObject(value)) return 'valid';
  return all(listOf(stated).map(String), (name) =>
    isAmbiguous(name) ? 'unknown' : says(Object.hasOwn(value, name)),
  );
}

function properties(stated: Json, value: Json, _: JsonObject, effort: Effort): Verdict {
  if (!isJsonObject(value) || !isJsonObject(stated)) return 'valid';
  return all(Object.entries(stated), ([name, member]) => {
    if (isAmbiguous(name)) return 'unknown';
    const own = Object.hasOwn(value, name) ? value[name] : undefined;
    return own === undefined ? 'valid' : weigh(member, own, effort);
  });
}

function additionalProperties(stated: Json, value: Json, schema: JsonObject, effort: Effort): Verdict {
  if (!isJsonObject(value)) return 'valid';
  const declared = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const others = Object.entries(value).filter(
    ([name]) => !Object.hasOwn(declared, name) || isAmbiguous(name),
  );
  // Whether `patternProperties` claims them is unknown, which that keyword says already.
  return all(others, ([, member]) =>
    schema['patternProperties'] ? 'unknown' : weigh(stated, member, effort),
  );
}

function unlessEmpty(_: Json, value: Json): Verdict {
  return isJsonObject(value) && Object.keys(value).length > 0 ? 'unknown' : 'valid';
}

function unlessEmptyList(_: Json, value: Json): Verdict {
  return Array.isArray(value) ? 'unknown' : 'valid';
}

function isUnique(value: readonly Json[]): boolean {
  return withoutDuplicates(value).length === value.length;
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [value];
}
