import { extensionOf } from '../../base/document-extensions.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  ownMember,
} from '../../base/json.ts';
import { memoizeByString } from '../../base/memoize.ts';
import { compilePattern } from '../../base/pcre/index.ts';
import { hasSchemaType, typesOf } from '../model/schema/keywords.ts';
import { choicesOf, flattenSchema, mergeSchemas } from '../openapi/document-objects.ts';
import NAMED_VALUES from './values.json' with { type: 'json' };

export type ExamplePath = readonly string[];

export type ExampleOverride = (schema: JsonObject, path: ExamplePath) => Json | undefined;

interface ExampleOptions {
  readonly chooseMembers?: (schema: JsonObject, path: ExamplePath) => readonly string[];
  /** Whether an example contains a stated value. @default all but null, empty texts, lists and objects */
  readonly isUsable?: (value: Json) => boolean;
  readonly unknownText?: string;
}

export interface ExampleFactory {
  /** Invalid if no simple value fulfils all rules. @param key chooses other values, e.g. the id of an item */
  create(schema: Json | undefined, path: ExamplePath, override?: ExampleOverride, key?: string): Json;
  flatten(schema: Json | undefined): JsonObject;
}

const LIMITS = { depth: 7, requiredDepth: 24, nodes: 3_000, items: 50, choices: 20 };

export function createExampleFactory(document: JsonObject, options: ExampleOptions = {}): ExampleFactory {
  const { chooseMembers, isUsable = isTelling, unknownText } = options;
  let nodes = 0;
  let exampleKey = '';
  const flattened = new WeakMap<JsonObject, JsonObject>();
  const flatten = (schema: Json | undefined): JsonObject => {
    if (!isJsonObject(schema)) return {};
    const known = flattened.get(schema) ?? flattenSchema(schema, document).schema;
    flattened.set(schema, known);
    return known;
  };
  const isCut = (path: ExamplePath): boolean => path.length > LIMITS.depth || nodes > LIMITS.nodes;
  const pick = (path: ExamplePath, count: number): number =>
    exampleKey === '' || count === 0 ? 0 : hashFnv(`${exampleKey} ${withoutForms(path).join('.')}`) % count;

  function create(
    declared: Json | undefined,
    path: ExamplePath,
    override: ExampleOverride,
    chosen = 0,
  ): Json {
    const schema = flatten(declared);
    nodes += 1;
    const replaced = override(schema, path);
    if (replaced !== undefined) return replaced;
    const { const: constant, default: preset, enum: allowed, example, examples } = schema;
    if (constant !== undefined) return constant;
    const own = [example, ...jsonItems(examples)].find(
      (value) => value !== undefined && hasType(schema, value),
    );
    if (own !== undefined && chooseMembers === undefined) return own;
    const choices = jsonItems(allowed).filter(isUsable);
    const named = choices.length === 0 ? [] : listNamedValues(...namesOf(path));
    const expected = choices.find((value) => named.includes(value));
    const known =
      [own, preset, expected, choices[0]].find((value) => value !== undefined && isUsable(value)) ??
      jsonItems(allowed).find((value) => !isTelling(value));
    if (known !== undefined) return known;
    const alternatives = choicesOf(schema);
    if (alternatives.length > 0 && chosen < LIMITS.choices) {
      const { anyOf: _, oneOf: __, ...others } = schema;
      return create(
        mergeSchemas(others, flatten(chooseAlternative(alternatives))),
        path,
        override,
        chosen + 1,
      );
    }
    switch (chooseType(schema, namesOf(path)[0])) {
      case 'string':
        return createText(schema, path);
      case 'integer':
      case 'number':
        return createNumber(schema, path);
      case 'boolean':
        return true;
      case 'array':
        return createList(schema, path, override);
      case 'object':
        return createObject(schema, path, override);
      default:
        return null;
    }
  }

  function chooseAlternative(alternatives: readonly Json[]): Json | undefined {
    const isShown = (alternative: Json): boolean => {
      const { type, maxItems, enum: values } = flatten(alternative);
      return alternative !== false && type !== 'null' && maxItems !== 0 && values?.toString() !== '';
    };
    return alternatives.find(isShown) ?? alternatives[0];
  }

  function createText(schema: JsonObject, path: ExamplePath): string {
    const stated = extensionOf(schema, 'format');
    // WordPress writes the site's own time without an offset, which JSON Schema's format needs.
    const { pattern, format = stated === 'date-time' ? 'date-time-local' : stated } = schema;
    const [name, resource] = namesOf(path);
    const rules = {
      name,
      resource,
      format: typeof format === 'string' ? format : '',
      pattern: typeof pattern === 'string' ? pattern : undefined,
      unknown: unknownText,
      minLength: Math.min(1_000, numberOr(schema['minLength'], 0)),
      maxLength: Math.max(0, numberOr(schema['maxLength'], 400)),
    };
    return createExampleText(rules, (count) => pick(path, count));
  }

  function createNumber(schema: JsonObject, path: ExamplePath): number {
    const multiple = Math.max(0, numberOr(schema['multipleOf'], 0));
    const isStepped = multiple > 0 || chooseType(schema, namesOf(path)[0]) === 'integer';
    const by = multiple || 1;
    const above = numberOr(schema['exclusiveMinimum'], Number.NEGATIVE_INFINITY);
    const below = numberOr(schema['exclusiveMaximum'], Number.POSITIVE_INFINITY);
    const lowest = Math.max(numberOr(schema['minimum'], Number.NEGATIVE_INFINITY), above);
    const highest = Math.min(numberOr(schema['maximum'], Number.POSITIVE_INFINITY), below);
    const isAllowed = (value: number): boolean =>
      value >= lowest &&
      value <= highest &&
      value > above &&
      value < below &&
      (!isStepped || value % by === 0);
    const known = listNamedValues(...namesOf(path))
      .map(Number)
      .filter(isAllowed);
    const start = Math.ceil((Number.isFinite(lowest) ? lowest : Math.min(1, highest)) / by) * by;
    const others = [start, start + by, start - by, (lowest + highest) / 2];
    return known[pick(path, known.length)] ?? others.find(isAllowed) ?? start;
  }

  function createList(schema: JsonObject, path: ExamplePath, override: ExampleOverride): Json {
    const { items, prefixItems } = schema;
    const first = jsonItems(prefixItems);
    const least = Math.min(numberOr(schema['minItems'], 0), LIMITS.items);
    const usual = isCut(path) || Object.keys(flatten(items)).length === 0 ? 0 : 1;
    const count = Math.min(numberOr(schema['maxItems'], LIMITS.items), Math.max(least, usual));
    const list = Array.from({ length: Math.max(count, first.length) }, (_, at) =>
      create(first[at] ?? items, [...path, String(at)], override),
    );
    return least === 0 && list.every((item) => item === '' || isEmpty(item)) ? [] : list;
  }

  function createObject(schema: JsonObject, path: ExamplePath, override: ExampleOverride): JsonObject {
    const properties = new Map(jsonMembers(schema['properties']));
    const required = new Set(jsonItems(schema['required']).map(String));
    const { additionalProperties: rest } = schema;
    const isMap = properties.size === 0 && isJsonObject(rest) && Object.keys(rest).length > 0;
    const names = isMap ? ['key'] : [...new Set([...properties.keys(), ...required])];
    const members = (chooseMembers?.(schema, path) ?? names).flatMap((name): [string, Json][] => {
      const isRequired = required.has(name);
      if (isRequired ? path.length >= LIMITS.requiredDepth : isCut(path)) return [];
      const value = create(properties.get(name) ?? rest, [...path, name], override);
      const isHollow = chooseMembers !== undefined && !isRequired && isEmpty(value);
      return value === OMITTED || isHollow ? [] : [[name, value]];
    });
    return Object.fromEntries(members);
  }

  return {
    flatten,
    create(schema, path, override = () => undefined, key = '') {
      nodes = 0;
      exampleKey = key;
      return create(schema, path, override);
    },
  };
}

export function isTelling(value: Json): boolean {
  return value !== null && value !== '' && value !== 0 && !isEmpty(value);
}

function isEmpty(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

export const OMITTED: Json = Object.freeze({});

function withoutForms(path: ExamplePath): ExamplePath {
  return path.filter((name) => name !== 'raw' && name !== 'rendered');
}

function namesOf(path: ExamplePath): readonly [name: string, resource: string] {
  const names = withoutForms(path).filter((name) => !/^\d{1,3}$/.test(name));
  return [names.at(-1) ?? '', names.at(-2) ?? ''];
}

const MIXED_TYPES = 6;

export function chooseType(schema: JsonObject, name: string): string {
  const types = typesOf(schema);
  if (types.length >= MIXED_TYPES) return /(^|_)ids?$/.test(name) ? 'integer' : 'string';
  const first = types.find((type) => type !== 'null');
  if (first !== undefined) return first;
  if (schema['type'] !== undefined) return 'null';
  const { additionalProperties: rest, items, properties, required } = schema;
  if (isJsonObject(properties) || required !== undefined || isJsonObject(rest)) return 'object';
  return items === undefined ? 'string' : 'array';
}

function numberOr(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

function hasType(schema: JsonObject, value: Json): boolean {
  const types = typesOf(schema);
  return types.length === 0 || hasSchemaType(value, types);
}

export function hashFnv(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

const MAX_NAME_LENGTH = 100;

const toSnakeCase: (name: string) => string = memoizeByString((name) =>
  name
    .slice(0, MAX_NAME_LENGTH)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase(),
);

/** Usual values for a name or its last words: `email` for `author_email`. @param resource e.g. `widgets` */
function listNamedValues(name: string, resource = ''): readonly Json[] {
  const values = ownMember(NAMED_VALUES, `${resource}.${name}`) ?? findByLastWords(toSnakeCase(name));
  return Array.isArray(values) ? values : values === undefined ? [] : [values];
}

function findByLastWords(words: string): Json | undefined {
  const next = words.indexOf('_') + 1;
  return ownMember(NAMED_VALUES, words) ?? (next === 0 ? undefined : findByLastWords(words.slice(next)));
}

const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-03-14',
  time: '09:30:00',
  'date-time': '2026-03-14T09:30:00+00:00',
  'date-time-local': '2026-03-14T09:30:00',
  email: 'ada@example.com',
  'hex-color': '#1e5a8c',
  ip: '192.0.2.7',
  ipv4: '192.0.2.7',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/winter-market',
  url: 'https://example.com/winter-market',
  uuid: '65f9647e-9ba2-48db-a142-a98b6cbab8ad',
};

const FORMATS_OF_NAMES: readonly (readonly [name: RegExp, format: string])[] = [
  [/(^|_)uuid$/, 'uuid'],
  [/(^|_)(date|modified|expires)(_gmt)?$|(^|_)date_(?!format)[a-z_]+$|_at(_gmt)?$/, 'date-time-local'],
  [/(^|_)(url|uri|link|href|website|src|source|thumbnail|avatar)$/, 'uri'],
];

interface TextRules {
  readonly name: string;
  readonly resource?: string;
  readonly format: string;
  readonly pattern: string | undefined;
  readonly minLength: number;
  readonly unknown?: string | undefined;
  readonly maxLength: number;
}

const MAX_PATTERN_LENGTH = 2_000;

/** Tried where a pattern refuses the text of a name: numbers, codes, names of blocks, dates. */
const SHORT_TEXTS = ['1', 'abc', 'core/paragraph', '2026-03-14'];

function createExampleText(rules: TextRules, pick: (count: number) => number): string {
  const { format, maxLength, minLength, name, pattern } = rules;
  const snake = toSnakeCase(name);
  const [, implied = ''] = FORMATS_OF_NAMES.find(([known]) => known.test(snake)) ?? [];
  const values = listNamedValues(name, rules.resource);
  const named = values[pick(values.length)];
  const isUrl = typeof named === 'string' && named.startsWith('https:');
  const base = String(
    (isUrl ? named : undefined) ??
      ownMember(FORMATS, format) ??
      named ??
      ownMember(FORMATS, implied) ??
      rules.unknown ??
      `Example ${snake.replaceAll('_', ' ').trim()}`.trim(),
  );
  const longer = base.padEnd(minLength, base.includes(' ') ? ` ${base}` : 'x');
  const text = longer.slice(0, maxLength).trimEnd().padEnd(minLength, 'x');
  if (pattern === undefined || pattern.length > MAX_PATTERN_LENGTH) return text;
  const compiled = compilePattern(pattern);
  return [text, ...SHORT_TEXTS].find((each) => compiled.test(each)) ?? text;
}
