import { extensionOf, getSampleFacts } from '../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../json.ts';
import { choicesOf, flattenSchema, mergeSchemas, typesOf } from '../openapi/schema-view.ts';
import { orderMembers } from './agreements.ts';
import {
  createExampleText,
  createReferenceId,
  findPlausibleChoice,
  getPlausibleBoolean,
  isUsuallyNull,
  listPlausibleKeys,
  listPlausibleNumbers,
  OWN_ID,
  toSnakeCase,
  type ValuePlace,
} from './example-text.ts';
import type { KeyedRandom } from './keyed-random.ts';

/** Where a value stands, and what determines it. */
export interface ExamplePlace {
  /** Key of the whole example: the same key, name and place give the same value. */
  readonly key: string;
  /** Names from the example's root to the value. */
  readonly path: readonly string[];
  /** What the root is, such as `product`; at a nested resource, what that is. @default unknown */
  readonly root?: string;
  /** Number of names before the root. @default 0 */
  readonly rootDepth?: number;
}

/** A place, and what samples of the component around it are like. */
interface SampledPlace extends ExamplePlace {
  /** By the path in the component, with `*` for an index and a name that is data. */
  readonly facts?: ReadonlyMap<string, string>;
  readonly factPath?: readonly string[];
}

/** Replaces the generated value of some properties; `undefined` generates it. */
export type ExampleOverride = (schema: JsonObject, place: ExamplePlace) => Json | undefined;

/** What the examples of requests contain, which are shorter than those of responses. */
interface ExampleChoices {
  /** Names the properties that an example of an object has. */
  readonly chooseMembers: (schema: JsonObject, place: ExamplePlace) => readonly string[];
  /** Whether an example contains a value that the schema states. */
  readonly isUsable: (value: Json) => boolean;
}

export interface ExampleFactory {
  /** Creates a value of the schema. It may break rules that contradict each other, or that no simple value fulfils. */
  create(schema: Json | undefined, place: ExamplePlace, override?: ExampleOverride): Json;
  /** The schema with its references and `allOf` merged into one object. */
  flatten(schema: Json | undefined): JsonObject;
  /** The allowed value that a person expects at a place; `undefined` if none is known. */
  choose(values: readonly Json[], place: ExamplePlace): string | undefined;
}

/** Optional properties and items are left out below this depth, required ones below the second. */
const LIMITS = { depth: 7, requiredDepth: 24, nodes: 3_000 };

/** A list has two items to show that it is one. One object shows what its items are, and sums need no second one. */
const ITEMS = { scalars: 2, objects: 1 };

/** A list of a schema with fewer items has all of them; the description of `ITEMS` applies to others. */
const MAX_MINIMUM = 50;

const DECIDING_KEYWORDS = ['const', 'enum', 'example', 'examples', 'pattern', 'maxLength'];

/** @param choices what an example contains. @default all members but those that most samples lack, and all values */
export function createExampleFactory(
  document: JsonObject,
  random: KeyedRandom,
  choices?: ExampleChoices,
): ExampleFactory {
  let nodes = 0;
  const flatten = (schema: Json | undefined): JsonObject => flattenSchema(schema, document).schema;

  function create(stated: Json | undefined, from: SampledPlace, override: ExampleOverride): Json {
    const schema = flatten(stated);
    const own = getSampleFacts(schema);
    const named = atResource(schema, from);
    const place = own.size > 0 ? { ...named, facts: own, factPath: [] } : named;
    nodes += 1;
    const replaced = override(schema, place);
    if (replaced !== undefined) return replaced;
    const { const: constant, enum: allowed, example, examples } = schema;
    const isUsable = (value: Json | undefined): value is Json =>
      value !== undefined && (choices?.isUsable(value) ?? true);
    const known = [constant, example, jsonItems(examples)[0]].find(isUsable);
    if (known !== undefined) return known;
    const values = jsonItems(allowed).filter(isUsable);
    if (values.length > 0)
      return values[random.pick(`${place.key} ${place.path.join('.')}`, values.length)] ?? null;
    const isNull = typesOf(schema).includes('null') && isUsuallyNull(namesOf(place));
    if (isNull || factAt(place) === 'null') return null;
    const alternatives = choicesOf(schema);
    if (alternatives.length > 0) {
      const { anyOf: _, oneOf: __, ...others } = schema;
      return create(mergeSchemas(others, flatten(chooseAlternative(alternatives))), place, override);
    }
    return createOfType(schema, place, override);
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

  function createOfType(schema: JsonObject, place: SampledPlace, override: ExampleOverride): Json {
    const fact = factAt(place);
    switch (chooseType(schema, namesOf(place).name)) {
      case 'string':
        return createText(schema, place);
      case 'integer':
      case 'number':
        return createNumber(schema, place, fact, random);
      case 'boolean':
        return getPlausibleBoolean(namesOf(place)) ?? fact !== 'false';
      case 'array':
        return createList(schema, place, override);
      case 'object':
        return createObject(schema, place, override);
      default:
        return null;
    }
  }

  function createText(schema: JsonObject, place: SampledPlace): string {
    const { pattern, format } = schema;
    const stated = format ?? extensionOf(schema, 'format');
    return createExampleText(
      {
        ...valuePlaceOf(place),
        format: typeof stated === 'string' ? stated : '',
        pattern: typeof pattern === 'string' ? pattern : undefined,
        minLength: Math.min(1_000, numberOr(schema['minLength'], 0)),
        maxLength: Math.max(0, numberOr(schema['maxLength'], 400)),
        fact: factAt(place),
      },
      random,
    );
  }

  function createList(schema: JsonObject, place: SampledPlace, override: ExampleOverride): Json {
    const { items, prefixItems } = schema;
    const least = Math.min(numberOr(schema['minItems'], 0), MAX_MINIMUM);
    const isCut =
      place.path.length > LIMITS.depth || nodes > LIMITS.nodes || items === undefined || items === false;
    const item = flatten(items);
    // Objects of which nothing is known.
    if (least === 0 && Object.keys(item).length === 0 && /\bobjects\b/i.test(String(schema['description'])))
      return [];
    const isSingle =
      factAt(place) === '1 item' || [item, ...choicesOf(item).map(flatten)].some(isObjectSchema);
    const usual = isSingle ? ITEMS.objects : ITEMS.scalars;
    const count = Math.min(numberOr(schema['maxItems'], usual), Math.max(least, isCut ? 0 : usual));
    const first = jsonItems(prefixItems);
    const list = Array.from({ length: Math.max(count, first.length) }, (_, at) =>
      create(first[at] ?? items, below(place, String(at), '*'), override),
    );
    // A list of nothing known tells less than none.
    if (least === 0 && list.every((value) => value !== null && typeof value === 'object' && isEmpty(value)))
      return [];
    const areScalars = least < 2 && list.every((value) => typeof value !== 'object');
    if (schema['uniqueItems'] !== true && !areScalars) return list;
    const seen = new Map(list.map((value) => [JSON.stringify(value), value]));
    return [...seen.values()];
  }

  function createObject(schema: JsonObject, place: SampledPlace, override: ExampleOverride): JsonObject {
    const properties = new Map(jsonMembers(schema['properties']));
    const required = new Set(jsonItems(schema['required']).map(String));
    const depth = place.path.length;
    const isCut = depth > LIMITS.depth || nodes > LIMITS.nodes;
    const isShown = (name: string): boolean =>
      required.has(name) ? depth < LIMITS.requiredDepth : !isCut && factAt(below(place, name)) !== 'absent';
    const names =
      choices?.chooseMembers(schema, place) ??
      [...new Set([...properties.keys(), ...required])].filter(isShown);
    const { additionalProperties: rest } = schema;
    // A map of nothing known tells less than an empty one.
    const isMap = names.length === 0 && isJsonObject(rest) && Object.keys(rest).length > 0 && !isCut;
    const members = (isMap ? listPlausibleKeys(namesOf(place)) : names).flatMap((name): [string, Json][] => {
      if (nodes > LIMITS.nodes && !required.has(name)) return [];
      const value = create(properties.get(name) ?? rest, below(place, name, isMap ? '*' : name), override);
      const isHollow = choices !== undefined && !required.has(name) && isEmpty(value);
      return value === OMITTED || isHollow ? [] : [[name, value]];
    });
    // What a schema or an override decides stays.
    return orderMembers(Object.fromEntries(members), (name) => {
      const member = flatten(properties.get(name));
      const isDecided = DECIDING_KEYWORDS.some((keyword) => member[keyword] !== undefined);
      return !isDecided && override(member, below(place, name)) === undefined;
    });
  }

  return {
    flatten,
    choose: (values, place) => findPlausibleChoice(values, valuePlaceOf(place), random),
    create(schema, place, override = () => undefined) {
      nodes = 0;
      const { title } = flatten(schema);
      return create(schema, { root: typeof title === 'string' ? title : '', ...place }, override);
    },
  };
}

/** Whether a value is a list or an object without members. */
function isEmpty(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isObjectSchema(schema: JsonObject): boolean {
  return chooseType(schema, '') === 'object';
}

function below(place: SampledPlace, name: string, inFacts: string = name): SampledPlace {
  return { ...place, path: [...place.path, name], factPath: [...(place.factPath ?? []), inFacts] };
}

/** What samples are like at a place; `undefined` if that is not known. */
function factAt({ factPath = [], facts }: SampledPlace): string | undefined {
  return facts?.get(factPath.join('.'));
}

/** Both forms of a text have one key, and so do all items of a list. */
function valuePlaceOf(place: ExamplePlace): ValuePlace {
  const { key, path } = place;
  const { isPair, ...names } = namesOf(place);
  const listed = listNames(place);
  const own = isPair ? listed.slice(0, -1) : listed;
  const index = path.filter(isIndex).reduce((sum, name) => sum + Number(name), 0);
  return {
    ...names,
    example: key,
    object: `${key} ${own.slice(0, -1).join('.')}`,
    key: `${key} ${own.join('.')}`,
    index,
  };
}

function isIndex(name: string): boolean {
  return /^\d{1,3}$/.test(name);
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
export function namesOf(place: ExamplePlace): {
  readonly name: string;
  readonly within: string;
  readonly isPair: boolean;
} {
  const names = [place.root ?? '', ...listNames(place)];
  const last = names.at(-1) ?? '';
  const isPair = names.length > 2 && (last === 'raw' || last === 'rendered');
  const [within = '', name = ''] = (isPair ? names.slice(0, -1) : names).slice(-2);
  return { name, within, isPair };
}

/** A resource in another one, such as `previous` of a deletion, is named by its own title. */
function atResource({ properties, title }: JsonObject, place: SampledPlace): SampledPlace {
  const isTitle = typeof title === 'string' && /^[a-z][a-z_-]{1,40}$/.test(title);
  if (!isTitle || place.path.length === 0 || !isJsonObject(properties)) return place;
  return { ...place, root: title, rootDepth: place.path.length };
}

/** The names from a root to a place, without indexes. Items of a batch, and what a deletion removed, are those of the root. */
export function listNames({ path, rootDepth = 0 }: ExamplePlace): readonly string[] {
  return path.filter(
    (name, at) =>
      at >= rootDepth &&
      !isIndex(name) &&
      !(at === 0 && path.length > 1 && /^(?:create|update|delete|previous)$/.test(name)),
  );
}

function createNumber(
  schema: JsonObject,
  place: ExamplePlace,
  fact: string | undefined,
  random: KeyedRandom,
): number {
  const multiple = numberOr(schema['multipleOf'], 0);
  const at = valuePlaceOf(place);
  const isWhole = chooseType(schema, at.name) === 'integer';
  const by = multiple > 0 ? multiple : 1;
  const lowest = Math.max(
    numberOr(schema['minimum'], Number.NEGATIVE_INFINITY),
    numberOr(schema['exclusiveMinimum'], Number.NEGATIVE_INFINITY) + by,
  );
  const highest = Math.min(
    numberOr(schema['maximum'], Number.POSITIVE_INFINITY),
    numberOr(schema['exclusiveMaximum'], Number.POSITIVE_INFINITY) - by,
  );
  const isAllowed = (value: number): boolean =>
    value >= lowest && value <= highest && (multiple > 0 || isWhole ? value % by === 0 : true);
  const isOwn = /^(?:(?:create|update|delete)\.\d+\.|previous\.)?id$/.test(place.path.join('.'));
  const expected = [...(isOwn ? [OWN_ID] : []), ...listPlausibleNumbers(at, random)].find(isAllowed);
  if (expected !== undefined) return expected;
  const [, least, greatest = '2'] = /^(?:(\d+)-)?(\d+) digits$/.exec(fact ?? '') ?? [];
  const digits = Math.min(9, Math.ceil((Number(least ?? greatest) + Number(greatest)) / 2));
  const isReference = /_ids?$/.test(toSnakeCase(at.name));
  const reference = isReference && fact === undefined ? createReferenceId(at, random) : Number.NaN;
  if (isAllowed(reference)) return reference;
  const key = isReference ? at.name : at.key;
  const smallest = digits === 0 ? 0 : 10 ** (digits - 1);
  const seen =
    smallest + ((random.pick(key, Math.max(1, 9 * smallest)) + 7 * at.index) % Math.max(1, 9 * smallest));
  if (isAllowed(seen)) return seen;
  const from = Number.isFinite(lowest) ? lowest : Math.min(1, highest);
  const start = Math.ceil(from / by) * by;
  const steps = Math.min(100, Math.max(1, Math.floor((highest - start) / by) + 1));
  return start + ((random.pick(key, steps) + at.index) % steps) * by;
}

function numberOr(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}
