import { EXTENSION_NAMES } from '../../document-extensions.ts';
import { changeMembers, isJsonObject, type Json, type JsonObject, jsonItems, memberAt } from '../../json.ts';
import { baseOf } from '../naming/namespaces.ts';
import type { ArgumentField } from '../site.ts';
import { applyChanges, type SchemaChange } from './apply-convention.ts';
import data from './argument-conventions.json' with { type: 'json' };
import { listNames } from './resource-conventions.ts';
import { expandSchema } from './schema-notation.ts';

// Arguments that the code of WordPress and of plugins requires or accepts, although no index states it. `source` says where it
// is. A path is
// `wc:/products/{}`: the template without parameter names, by the namespace without its version; `wc:*` stands for all of them.

interface EndpointConvention {
  readonly methods: string;
  readonly paths: string;
  /** Arguments that the code needs, beside those that the index states. */
  readonly required?: string;
  /** Types of items by names of query parameters that are a text with several values, which the plugin separates at commas. */
  readonly lists?: { readonly [names: string]: Json };
  /** Arguments that the code reads; null for one that it does not read. */
  readonly arguments?: { readonly [name: string]: Json };
  /** Whether the body is a list of objects with the arguments. */
  readonly takesList?: boolean;
  /** Whether the endpoint takes a file, although neither its arguments nor its path mention one. */
  readonly takesFile?: boolean;
}

const ENDPOINTS: readonly EndpointConvention[] = data.endpoints;

/** Known arguments of one endpoint. */
export interface KnownArguments {
  readonly required: readonly string[];
  readonly takesList: boolean;
  readonly takesFile: boolean;
  readonly correct: (fields: readonly ArgumentField[]) => readonly ArgumentField[];
}

export function findKnownArguments(
  method: string,
  namespace: string,
  anonymousTemplate: string,
): KnownArguments {
  const path = pathKey(namespace, anonymousTemplate);
  const rows = ENDPOINTS.filter(
    ({ methods, paths }) => listNames(methods).includes(method) && listNames(paths).includes(path),
  );
  return {
    required: rows.flatMap(({ required }) => listNames(required)),
    takesList: rows.some(({ takesList }) => takesList === true),
    takesFile: rows.some(({ takesFile }) => takesFile === true),
    correct: (fields) => rows.reduce(correctFields, fields),
  };
}

function correctFields(
  fields: readonly ArgumentField[],
  { arguments: known = {}, lists = {} }: EndpointConvention,
): readonly ArgumentField[] {
  const byName = new Map(fields.map((field) => [field.name, field]));
  for (const [name, declared] of Object.entries(known)) {
    // A stated type of null says that the site does not validate the argument.
    const schema = { [EXTENSION_NAMES.type]: null, ...expandSchema(declared ?? {}) };
    if (declared === null) byName.delete(name);
    else byName.set(name, { name, required: false, schema: withSiteWords(schema, byName.get(name)?.schema) });
  }
  for (const [names, type] of Object.entries(lists)) {
    for (const name of listNames(names)) {
      const field = byName.get(name);
      if (field?.schema['type'] !== 'string' || field.schema['enum'] !== undefined) continue;
      // The site refuses a list in any other form than a text. Its own type is kept.
      const list = { type: ['string', 'array'], items: { type } };
      byName.set(name, { ...field, schema: { [EXTENSION_NAMES.type]: 'string', ...field.schema, ...list } });
    }
  }
  return [...byName.values()];
}

/** Replaces descriptions by those that the site states, which are in its language. */
function withSiteWords(known: JsonObject, declared: Json | undefined): JsonObject {
  return changeMembers(known, (child, name) => {
    const word = memberAt(declared, name);
    if (isJsonObject(child)) return withSiteWords(child, word);
    return name === 'description' && typeof word === 'string' && word !== '' ? word : child;
  });
}

function pathKey(namespace: string, anonymousTemplate: string): string {
  return `${baseOf(namespace)}:${anonymousTemplate.slice(namespace.length + 1)}`;
}

/** Changes by what `argument-conventions.json` says of members. */
const CHANGES: { readonly [name: string]: (schema: JsonObject, detail: string) => JsonObject } = {
  /** The format of OpenAPI's registry, by which nothing is refused: the site takes times of more forms than `date-time` has. */
  date: (schema) => ({ format: 'date-time-local', ...schema }),
  null: (schema) => {
    const { type } = schema;
    const isOne = typeof type === 'string' && type !== 'null';
    return isOne ? { [EXTENSION_NAMES.type]: type, ...schema, type: [type, 'null'] } : schema;
  },
  /** Only some members are sent, because the endpoint adds the others before it validates them. */
  partial: ({ required: _, ...schema }) => schema,
  'one of': (schema, names) => withOneOf(schema, listNames(names)),
};

interface MemberConvention {
  readonly paths: string;
  /** The change by paths of members. */
  readonly members: { readonly [paths: string]: string | undefined };
}

const BODIES: readonly MemberConvention[] = data.bodies;
const TYPES: readonly MemberConvention[] = data.types;

/** Adds what the code of the endpoint takes and needs to the schema of a body. */
export function withKnownValues(
  schema: JsonObject,
  namespace: string,
  anonymousTemplate: string,
): JsonObject {
  const change = (each: JsonObject, declared: string): JsonObject => {
    const [, name = declared, detail = ''] = /^(one of) (.*)$/.exec(declared) ?? [];
    return CHANGES[name]?.(each, detail) ?? each;
  };
  return applyChanges(schema, listChanges(BODIES, pathKey(namespace, anonymousTemplate), change));
}

/** Replaces types that a plugin leaves open (`mixed`) in the properties of a schema. Returns the schema itself if none is. */
export function withKnownTypes(schema: JsonObject, namespace: string): JsonObject {
  return applyChanges(schema, listChanges(TYPES, `${baseOf(namespace)}:`, withType));
}

function listChanges(
  rows: readonly MemberConvention[],
  path: string,
  change: (schema: JsonObject, declared: string) => JsonObject,
): readonly SchemaChange[] {
  const any = path.replace(/:.*/s, ':*');
  return rows
    .filter(({ paths }) => listNames(paths).some((each) => each === path || each === any))
    .flatMap(({ members }) => Object.entries(members))
    .flatMap(([paths, declared = '']) =>
      listNames(paths).map((each): SchemaChange => [each, (schema) => change(schema, declared)]),
    );
}

/** Requires one of some members. The extension says that the site's schema does not: its error is another one. */
function withOneOf(schema: JsonObject, names: readonly string[]): JsonObject {
  const { anyOf, properties, required } = schema;
  const known = names.filter((name) => memberAt(properties, name) !== undefined);
  if (known.length === 0 || anyOf !== undefined) return schema;
  return {
    ...schema,
    ...(known.length === 1
      ? { required: [...new Set([...jsonItems(required), ...known])] }
      : { anyOf: known.map((name) => ({ required: [name] })) }),
    [EXTENSION_NAMES.needed]: known,
  };
}

function withType(schema: JsonObject, type: string): JsonObject {
  const { items: _, type: declared = null, ...others } = schema;
  // WordPress expects the types of a schema as a list, so WooCommerce lists all of them for `mixed`.
  const isOpen = declared === null || (Array.isArray(declared) && declared.length > 5);
  return isOpen ? { [EXTENSION_NAMES.type]: declared, ...others, type } : schema;
}
