import { EXTENSION_NAMES, getSampleFacts } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../../json.ts';
import { type JsonLocation, locatePointer } from '../../openapi/document-references.ts';
import { type OpenApiDocument, pathsOf } from '../../openapi/index.ts';
import { choicesOf, typesOf } from '../../openapi/schema-view.ts';
import { HAL_MEMBERS } from '../../validation/response/schema.ts';
import {
  type InferredSchema,
  isMapShape,
  mapValues,
  nameStringFormat,
  nameStringKind,
  type StringsShape,
} from '../../validation/shapes/shape.ts';
import { createInferenceAction, type OverlayAction } from '../overlay-action.ts';
import { ENUMERATION_NAME } from './create-schema.ts';
import type { SchemaPlace } from './schema-places.ts';

/** Facts of one schema. A larger object is described in part. */
const MAX_FACTS = 200;
const MAX_DEPTH = 6;

/** Number of values from which a fact is stated, and of the same word. What one or two items have may be theirs alone. */
const LEAST_VALUES = 3;

/**
 * Creates the actions that tell what the values in samples are like, so that examples are of their kind. A fact is one of a few
 * words of our own. Of a site's own words, those pass that the document has anyway, such as an allowed value of another
 * parameter, and only in members whose words a program chooses.
 */
export function describeSamples(
  document: OpenApiDocument,
  places: readonly SchemaPlace[],
): readonly OverlayAction[] {
  const vocabulary = collectVocabulary(document);
  return places.flatMap(({ operations, pointer, responses, schema, shape }) => {
    const isRoot = pointer.startsWith('/components/')
      ? pointer.split('/').length === 4
      : pointer.endsWith('/schema');
    const at: JsonLocation | undefined = isRoot ? locatePointer(document, pointer)?.location : undefined;
    if (at === undefined) return [];
    const found = new Map<string, string>();
    collectFacts(schema, shape, [], vocabulary, found);
    const known = getSampleFacts(schema);
    const added = [...found].filter(([path, fact]) => known.get(path) !== fact);
    if (added.length === 0) return [];
    const evidence = { kind: 'inferred', responses, operations } as const;
    const change = { [EXTENSION_NAMES.samples]: Object.fromEntries(added) };
    return [createInferenceAction(at, change, 'What values are like, for examples.', evidence)];
  });
}

/** The words that a document contains as names of routes, as titles, and as values that it allows. */
function collectVocabulary(document: OpenApiDocument): ReadonlySet<string> {
  const words = new Set(pathsOf(document).flatMap((path) => path.split('/')));
  const visit = (value: Json, name: string): void => {
    if (typeof value === 'string' && /^(?:title|default|enum)$/.test(name)) words.add(value);
    for (const item of jsonItems(value)) visit(item, name);
    for (const [inner, member] of jsonMembers(value)) visit(member, inner);
  };
  visit(document, '');
  return words;
}

/** Adds the facts about the values at a path, and below. A component that the schema refers to has its own. */
function collectFacts(
  stated: Json | undefined,
  shape: InferredSchema,
  path: readonly string[],
  vocabulary: ReadonlySet<string>,
  found: Map<string, string>,
): void {
  const schema = selectSchema(stated);
  if (found.size >= MAX_FACTS || path.length > MAX_DEPTH || schema === undefined) return;
  const fact = path.length === 0 ? undefined : describeValues(shape, schema, path.at(-1) ?? '', vocabulary);
  if (fact !== undefined) found.set(path.join('.'), fact);
  const { lists, objects } = shape;
  if (lists?.items) collectFacts(schema['items'], lists.items, [...path, '*'], vocabulary, found);
  if (objects === null || objects.isCut) return;
  if (isMapShape(objects)) {
    collectFacts(schema['additionalProperties'], mapValues(objects), [...path, '*'], vocabulary, found);
    return;
  }
  for (const [name, property] of jsonMembers(schema['properties'])) {
    if (HAL_MEMBERS.has(name)) continue;
    const member = objects.members.get(name);
    // Some objects lack the member, and an example of most of them lacks it too.
    if (objects.count >= LEAST_VALUES && (member?.count ?? 0) * 2 < objects.count) {
      if (found.size < MAX_FACTS) found.set([...path, name].join('.'), 'absent');
    } else if (member !== undefined) collectFacts(property, member, [...path, name], vocabulary, found);
  }
}

/** The schema, or its only choice that is not null; `undefined` if facts about its values stand elsewhere or nowhere. */
function selectSchema(stated: Json | undefined): JsonObject | undefined {
  if (!isJsonObject(stated) || stated['$ref'] !== undefined) return undefined;
  const choices = choicesOf(stated).filter((choice) => isJsonObject(choice) && choice['type'] !== 'null');
  return choices.length === 1 ? selectSchema(choices[0]) : stated;
}

/** Describes values in one word, or in the words that they have; `undefined` if there is too little to say. */
function describeValues(
  { booleans, count, digits, fractions, integers, lists, nulls, objects, strings, trues }: InferredSchema,
  schema: JsonObject,
  name: string,
  vocabulary: ReadonlySet<string>,
): string | undefined {
  const known = count - nulls;
  if (count < LEAST_VALUES) return undefined;
  if (known === 0)
    return schema['type'] === undefined || typesOf(schema).includes('null') ? 'null' : undefined;
  if (known < LEAST_VALUES) return undefined;
  if (booleans === known) return String(trues * 2 > booleans);
  if (integers + fractions === known && digits !== null) {
    const [least, greatest] = digits;
    return `${least === greatest ? '' : `${least}-`}${greatest} digits`;
  }
  if (strings?.count === known && schema['enum'] === undefined)
    return describeStrings(strings, name, vocabulary);
  const isSingle = lists?.count === known && lists.items?.count === lists.count - lists.empty;
  // An example has one object of each list anyway.
  return isSingle && objects === null && lists.items?.objects === null ? '1 item' : undefined;
}

function describeStrings(
  strings: StringsShape,
  name: string,
  vocabulary: ReadonlySet<string>,
): string | undefined {
  if (strings.empty === strings.count) return 'empty';
  if (strings.count - strings.empty < LEAST_VALUES) return undefined;
  const words = ENUMERATION_NAME.test(name)
    ? [...(strings.words ?? [])].filter(([word, seen]) => seen >= LEAST_VALUES && vocabulary.has(word))
    : [];
  if (words.length > 0)
    return `one of ${words
      .map(([word]) => word)
      .sort()
      .join(', ')}`;
  return nameStringFormat(strings.formats) ?? nameStringKind(strings);
}
