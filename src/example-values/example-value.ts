import { getStatedFormat } from '../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../json.ts';
import { choicesOf, flattenSchema, mergeSchemas, typesOf } from '../openapi/schema-view.ts';
import { createExampleText, listPlausibleKeys, listPlausibleNumbers } from './example-text.ts';
import type { KeyedRandom } from './keyed-random.ts';

/** Where a value stands, and what determines it. */
export interface ExamplePlace {
  /** Key of the whole example: the same key, name and place give the same value. */
  readonly key: string;
  /** Names from the example's root to the value. */
  readonly path: readonly string[];
  /** What the root is, such as `product`. @default unknown */
  readonly root?: string;
}

/** Replaces the generated value of some properties; `undefined` generates it. */
export type ExampleOverride = (schema: JsonObject, place: ExamplePlace) => Json | undefined;

export interface ExampleFactory {
  /** Creates a value of the schema. It may break rules that contradict each other, or that no simple value fulfils. */
  create(schema: Json | undefined, place: ExamplePlace, override?: ExampleOverride): Json;
  /** The schema with its references and `allOf` merged into one object. */
  flatten(schema: Json | undefined): JsonObject;
}

/** Optional properties and items are left out below this depth, required ones below the second. */
const LIMITS = { depth: 7, requiredDepth: 24, items: 2, nodes: 3_000 };

/** A list of a schema with fewer items has all of them; the description of `LIMITS.items` applies to others. */
const MAX_MINIMUM = 50;

export function createExampleFactory(document: JsonObject, random: KeyedRandom): ExampleFactory {
  let nodes = 0;
  const flatten = (schema: Json | undefined): JsonObject => flattenSchema(schema, document).schema;

  function create(stated: Json | undefined, place: ExamplePlace, override: ExampleOverride): Json {
    const schema = flatten(stated);
    nodes += 1;
    const replaced = override(schema, place);
    if (replaced !== undefined) return replaced;
    if (schema['const'] !== undefined) return schema['const'];
    const pick = (count: number): number => random.pick(`${place.key} ${place.path.join('.')}`, count);
    const example = schema['example'] ?? jsonItems(schema['examples'])[0];
    if (example !== undefined) return example;
    const values = jsonItems(schema['enum']);
    if (values.length > 0) return values[pick(values.length)] ?? null;
    const alternatives = choicesOf(schema);
    if (alternatives.length > 0) {
      const { anyOf: _, oneOf: __, ...others } = schema;
      return create(mergeSchemas(others, flatten(chooseAlternative(alternatives))), place, override);
    }
    return createOfType(schema, place, override, pick);
  }

  /** The first alternative with a value to see: not null, and not an empty list. */
  function chooseAlternative(alternatives: readonly Json[]): Json | undefined {
    const isShown = (alternative: Json): boolean => {
      const { type, maxItems, enum: values } = flatten(alternative);
      return (
        alternative !== false &&
        type !== 'null' &&
        maxItems !== 0 &&
        !(jsonItems(values).length === 1 && values?.toString() === '')
      );
    };
    return alternatives.find(isShown) ?? alternatives[0];
  }

  function createOfType(
    schema: JsonObject,
    place: ExamplePlace,
    override: ExampleOverride,
    pick: (count: number) => number,
  ): Json {
    switch (chooseType(schema, namesOf(place).name)) {
      case 'string':
        return createText(schema, place);
      case 'integer':
      case 'number':
        return createNumber(schema, place, pick);
      case 'boolean':
        return pick(2) === 1;
      case 'array':
        return createList(schema, place, override);
      case 'object':
        return createObject(schema, place, override);
      default:
        return null;
    }
  }

  function createText(schema: JsonObject, place: ExamplePlace): string {
    const { key, path } = place;
    const { isPair, ...names } = namesOf(place);
    const { pattern, format } = schema;
    const stated = format ?? getStatedFormat(schema);
    return createExampleText(
      {
        // Both forms of a text are the same text.
        key: `${key} ${(isPair ? path.slice(0, -1) : path).join('.')}`,
        ...names,
        format: typeof stated === 'string' ? stated : '',
        pattern: typeof pattern === 'string' ? pattern : undefined,
        minLength: numberOr(schema['minLength'], 0),
        maxLength: numberOr(schema['maxLength'], 400),
      },
      random,
    );
  }

  function createList(schema: JsonObject, place: ExamplePlace, override: ExampleOverride): Json {
    const { items, prefixItems } = schema;
    const least = Math.min(numberOr(schema['minItems'], 0), MAX_MINIMUM);
    const isCut =
      place.path.length > LIMITS.depth || nodes > LIMITS.nodes || items === undefined || items === false;
    const count = Math.min(
      numberOr(schema['maxItems'], LIMITS.items),
      Math.max(least, isCut ? 0 : LIMITS.items),
    );
    const first = jsonItems(prefixItems);
    const list = Array.from({ length: Math.max(count, first.length) }, (_, at) =>
      create(first[at] ?? items, { ...place, path: [...place.path, String(at)] }, override),
    );
    if (schema['uniqueItems'] !== true) return list;
    const seen = new Map(list.map((item) => [JSON.stringify(item), item]));
    return [...seen.values()];
  }

  function createObject(schema: JsonObject, place: ExamplePlace, override: ExampleOverride): JsonObject {
    const properties = new Map(jsonMembers(schema['properties']));
    const required = new Set(jsonItems(schema['required']).map(String));
    const depth = place.path.length;
    const isCut = depth > LIMITS.depth || nodes > LIMITS.nodes;
    const names = [...new Set([...properties.keys(), ...required])].filter((name) =>
      required.has(name) ? depth < LIMITS.requiredDepth : !isCut,
    );
    const { additionalProperties: rest } = schema;
    if (names.length === 0 && isJsonObject(rest) && !isCut) names.push(...listPlausibleKeys(namesOf(place)));
    return Object.fromEntries(
      names.flatMap((name) => {
        const value = create(
          properties.get(name) ?? rest,
          { ...place, path: [...place.path, name] },
          override,
        );
        return value === OMITTED ? [] : [[name, value]];
      }),
    );
  }

  return {
    flatten,
    create(schema, place, override = () => undefined) {
      nodes = 0;
      const { title } = flatten(schema);
      return create(schema, { root: typeof title === 'string' ? title : '', ...place }, override);
    },
  };
}

/** Returned by an override for a property that the example does not have. */
export const OMITTED: Json = Object.freeze({});

/** Types of a value that a site calls `mixed`. */
const MIXED_TYPES = 6;

/** The first type that is not `null`; else what the keywords imply. A value of any type has one by its name. */
export function chooseType(schema: JsonObject, name: string): string {
  const types = typesOf(schema);
  if (types.length >= MIXED_TYPES) return /(^|_)ids?$/.test(name) ? 'integer' : 'string';
  const first = types.find((type) => type !== 'null');
  if (first !== undefined) return first;
  if (schema['type'] !== undefined) return 'null';
  if (
    isJsonObject(schema['properties']) ||
    schema['required'] !== undefined ||
    isJsonObject(schema['additionalProperties'])
  )
    return 'object';
  return schema['items'] === undefined ? 'string' : 'array';
}

/** The names that tell what a value is. An item of a list is named by the list. Both forms of a text have its name. */
export function namesOf({ path, root = '' }: ExamplePlace): {
  readonly name: string;
  readonly within: string;
  readonly isPair: boolean;
} {
  const names = [root, ...path.filter((name) => !/^\d+$/.test(name))];
  const last = names.at(-1) ?? '';
  const isPair = names.length > 2 && (last === 'raw' || last === 'rendered');
  const [within = '', name = ''] = (isPair ? names.slice(0, -1) : names).slice(-2);
  return { name, within, isPair };
}

function createNumber(schema: JsonObject, place: ExamplePlace, pick: (count: number) => number): number {
  const multiple = numberOr(schema['multipleOf'], 0);
  const isWhole = chooseType(schema, namesOf(place).name) === 'integer';
  const by = multiple > 0 ? multiple : 1;
  const lowest = Math.max(
    numberOr(schema['minimum'], Number.NEGATIVE_INFINITY),
    numberOr(schema['exclusiveMinimum'], Number.NEGATIVE_INFINITY) +
      (schema['exclusiveMinimum'] === undefined ? 0 : by),
  );
  const highest = Math.min(
    numberOr(schema['maximum'], Number.POSITIVE_INFINITY),
    numberOr(schema['exclusiveMaximum'], Number.POSITIVE_INFINITY) -
      (schema['exclusiveMaximum'] === undefined ? 0 : by),
  );
  const plausible = listPlausibleNumbers(namesOf(place)).filter(
    (value) => value >= lowest && value <= highest && (multiple > 0 || isWhole ? value % by === 0 : true),
  );
  const [expected] = plausible.slice(pick(Math.max(1, plausible.length)));
  if (expected !== undefined) return expected;
  const from = Number.isFinite(lowest) ? lowest : Math.min(1, highest);
  const start = Math.ceil(from / by) * by;
  const steps = Math.min(100, Math.max(1, Math.floor((highest - start) / by) + 1));
  return start + pick(steps) * by;
}

function numberOr(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}
