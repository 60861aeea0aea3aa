import { EXTENSION_NAMES, getDeclaredDefault } from '../../base/document-extensions.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  jsonTexts,
} from '../../base/json.ts';
import { shorten, toPlainText, toValueText } from '../../base/text.ts';
import { typesOf } from '../model/schema/keywords.ts';
import {
  choicesOf,
  type FlatSchema,
  flattenSchema,
  getSchemaComponentKey,
  neededOneOf,
  resolveReference,
} from '../openapi/document-objects.ts';

export interface SchemaTree {
  /** Empty for the root, and for the members of a choice. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly isReadOnly: boolean;
  readonly isDeprecated: boolean;
  readonly contexts: readonly string[];
  readonly description: string;
  readonly facts: readonly SchemaFact[];
  readonly children: readonly SchemaTree[];
  readonly isCut: boolean;
}

export const NO_PROPERTIES: SchemaTree = {
  ...{ name: '', type: '', description: '', facts: [], contexts: [], children: [] },
  ...{ isRequired: false, isReadOnly: false, isDeprecated: false, isCut: false },
};

export interface SchemaSource {
  readonly document: JsonObject;
  readonly localize: (text: string) => string;
}

/** Bounds of what one tree shows. A hostile schema has millions of properties, or refers to itself. */
const MAX_DEPTH = 6;
const MAX_NODES = 300;
const MAX_CHOICES = 8;

export function createSchemaTree(
  root: Json | undefined,
  { document, localize }: SchemaSource,
  { forRequest = false }: { readonly forRequest?: boolean } = {},
): SchemaTree {
  let remaining = MAX_NODES;

  function createNode(
    declared: Json | undefined,
    name: string,
    isRequired: boolean,
    depth: number,
    trail: readonly string[],
  ): SchemaTree {
    remaining -= 1;
    const { open, schema } = flattenSchema(declared, document, trail);
    const isRecursive = open.length > trail.length && new Set(open).size < open.length;
    const isCut = depth >= MAX_DEPTH || remaining <= 0 || isRecursive;
    return {
      name: shorten(name, 120),
      type: describeType(declared, document),
      isRequired,
      isReadOnly: schema['readOnly'] === true,
      isDeprecated: schema['deprecated'] === true,
      contexts: (forRequest ? [] : jsonTexts(schema[EXTENSION_NAMES.context]))
        .slice(0, 5)
        .map((context) => shorten(context, 20)),
      description: localize(toPlainText(schema['description'], 1_500)),
      facts: describeSchemaFacts(schema),
      children: isCut ? [] : createChildren(schema, depth + 1, open),
      isCut: isCut && hasChildren(schema),
    };
  }

  function createChildren(schema: JsonObject, depth: number, open: readonly string[]): readonly SchemaTree[] {
    const children: SchemaTree[] = [];
    const add = (declared: Json | undefined, name: string, isRequired = false): void => {
      if (remaining > 0) children.push(createNode(declared, name, isRequired, depth, open));
    };
    const addChildrenOf = (below: FlatSchema): void => {
      const isRecursive = new Set(below.open).size < below.open.length;
      if (!isRecursive) children.push(...createChildren(below.schema, depth, below.open));
    };
    const required = new Set(jsonItems(schema['required']));
    const properties = jsonMembers(schema['properties']);
    const rank = ([name]: readonly [string, Json]): number => (required.has(name) ? 0 : 1);
    for (const [name, property] of forRequest
      ? properties.toSorted((one, other) => rank(one) - rank(other))
      : properties) {
      if (forRequest && isJsonObject(property) && property['readOnly'] === true) continue;
      add(property, name, required.has(name));
    }
    const { additionalProperties, items } = schema;
    if (isJsonObject(additionalProperties) && Object.keys(additionalProperties).length > 0) {
      add(additionalProperties, '<any name>');
    }
    // The items of a list are shown in place of the list: `list of objects` has the properties of its items.
    const item = isJsonObject(items) ? flattenSchema(items, document, open) : undefined;
    if (item !== undefined && hasChildren(item.schema)) addChildrenOf(item);
    const choices = choicesOf(schema).filter((choice) => isJsonObject(choice) && choice['type'] !== 'null');
    if (choices.length > 1) for (const choice of choices.slice(0, MAX_CHOICES)) add(choice, '');
    else if (isJsonObject(choices[0])) addChildrenOf(flattenSchema(choices[0], document, open));
    return children;
  }

  return createNode(root, '', false, 0, []);
}

function hasChildren({ additionalProperties, allOf, items, properties, ...schema }: JsonObject): boolean {
  const isOpen = isJsonObject(items) || isJsonObject(additionalProperties);
  const parts = [...jsonMembers(properties), ...jsonItems(allOf), ...choicesOf(schema)];
  return isOpen || parts.length > 0;
}

const COUNTABLE = /^(?:boolean|file|integer|null|number|object|string)$/;

/** E.g. `string or null`, `list of Post`. @param isPlural whether of the items of a list: `integers` */
export function describeType(
  declared: Json | undefined,
  document: JsonObject,
  depth = 0,
  isPlural = false,
): string {
  const toWord = (name: string): string => {
    if (!isPlural) return shorten(name, 40);
    return name === 'any' ? 'values' : shorten(COUNTABLE.test(name) ? `${name}s` : name, 40);
  };
  const describe = (schema: Json | undefined): string => describeType(schema, document, depth + 1, isPlural);
  if (!isJsonObject(declared)) return toWord('any');
  const reference = declared['$ref'];
  if (typeof reference === 'string') {
    const key = getSchemaComponentKey(reference);
    const target = resolveReference(document, reference);
    if (key !== undefined && isJsonObject(target) && target['type'] === 'object') return shorten(key, 80);
    return depth > 3 ? toWord('any') : describe(target);
  }
  if (depth > 4) return toWord('any');
  const choices = choicesOf(declared);
  if (choices.length > 0) return [...new Set(choices.slice(0, MAX_CHOICES).map(describe))].join(' or ');
  const { format, items } = declared;
  if (format === 'binary') return toWord('file');
  const names = typesOf(declared);
  if (names.length === 0) {
    const [member] = jsonItems(declared['allOf']);
    return member === undefined ? toWord('any') : describe(member);
  }
  return names
    .slice(0, 8)
    .map((name) => {
      if (name !== 'array') return toWord(name);
      const list = isPlural ? 'lists' : 'list';
      if (!isJsonObject(items)) return list;
      return `${list} of ${describeType(items, document, depth + 1, true)}`;
    })
    .join(' or ');
}

export interface SchemaFact {
  readonly label: string;
  readonly values: readonly string[];
  readonly omitted: number;
}

const MAX_ENUM_VALUES = 40;

type FactReader = (schema: JsonObject) => readonly Json[];

const single =
  (name: string): FactReader =>
  (schema) =>
    Object.hasOwn(schema, name) && schema[name] !== undefined ? [schema[name]] : [];

const FACTS: readonly (readonly [label: string, read: FactReader, format?: 'bare'])[] = [
  ['Default', readDefault],
  ['Value', single('const')],
  ['Allowed', ({ enum: values }) => jsonItems(values)],
  ['Format', single('format'), 'bare'],
  ['Minimum', single('minimum')],
  ['Above', single('exclusiveMinimum')],
  ['Maximum', single('maximum')],
  ['Below', single('exclusiveMaximum')],
  ['Multiple of', single('multipleOf')],
  ['Minimum length', (schema) => single('minLength')(schema).filter((value) => value !== 0)],
  ['Maximum length', single('maxLength')],
  ['Minimum items', (schema) => single('minItems')(schema).filter((value) => value !== 0)],
  ['Maximum items', single('maxItems')],
  ['Duplicates', ({ uniqueItems }) => (uniqueItems === true ? ['not allowed'] : []), 'bare'],
  ['Pattern', single('pattern'), 'bare'],
  ['One needed of', ({ items, ...schema }) => neededOneOf(isJsonObject(items) ? items : schema), 'bare'],
];

export function describeSchemaFacts(schema: JsonObject): readonly SchemaFact[] {
  return FACTS.flatMap(([label, read, format]) => {
    const found = read(schema);
    if (found.length === 0) return [];
    const values = found
      .slice(0, MAX_ENUM_VALUES)
      .map((value) =>
        format === 'bare' && typeof value === 'string' ? shorten(value, 200) : toValueText(value),
      );
    return [{ label, values, omitted: Math.max(0, found.length - MAX_ENUM_VALUES) }];
  });
}

function readDefault(schema: JsonObject): readonly Json[] {
  const value = getDeclaredDefault(schema);
  const isEmpty =
    value === undefined ||
    value === null ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value).length === 0);
  return isEmpty ? [] : [value];
}

/** Keys of a schema's object components: alone, as items of a list, or as choices. */
export function listComponents(schema: Json | undefined, document: JsonObject, depth = 0): readonly string[] {
  if (!isJsonObject(schema) || depth > 3) return [];
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const key = getSchemaComponentKey(reference);
    const target = resolveReference(document, reference);
    if (key === undefined || !isJsonObject(target)) return [];
    return target['properties'] === undefined ? listComponents(target, document, depth + 1) : [key];
  }
  if (isJsonObject(schema['items'])) return listComponents(schema['items'], document, depth + 1);
  if (isJsonObject(schema['additionalProperties'])) {
    return listComponents(schema['additionalProperties'], document, depth + 1);
  }
  const choices = choicesOf(schema).slice(0, 8);
  return [...new Set(choices.flatMap((choice) => listComponents(choice, document, depth + 1)))];
}
