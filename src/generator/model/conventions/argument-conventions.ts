import { EXTENSION_NAMES } from '../../../base/document-extensions.ts';
import {
  changeMembers,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  memberAt,
} from '../../../base/json.ts';
import { baseOf } from '../naming/namespaces.ts';
import type { ArgumentField } from '../site.ts';
import { applyChanges, type SchemaChange } from './apply-convention.ts';
import data from './argument-conventions.json' with { type: 'json' };
import { listNames } from './resource-conventions.ts';
import { expandSchema } from './schema-notation.ts';

// Arguments that code requires or accepts, although no index states it; `source` names the code. Paths are
// templates without parameter names by namespace without version: `wc:/products/{}`, or `wc:*` for all.

interface EndpointConvention {
  readonly methods: string;
  readonly paths: string;
  readonly required?: string;
  /** Types of items by query parameters whose text the plugin splits at commas. */
  readonly lists?: { readonly [names: string]: Json };
  /** Null for an argument that the code doesn't read. */
  readonly arguments?: { readonly [name: string]: Json };
  readonly takesList?: boolean;
  readonly takesFile?: boolean;
}

const ENDPOINTS: readonly EndpointConvention[] = data.endpoints;

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
    // A type of null: the site doesn't validate the argument.
    const schema = { [EXTENSION_NAMES.type]: null, ...expandSchema(declared ?? {}) };
    if (declared === null) byName.delete(name);
    else byName.set(name, { name, required: false, schema: withSiteWords(schema, byName.get(name)?.schema) });
  }
  for (const [names, type] of Object.entries(lists)) {
    for (const name of listNames(names)) {
      const field = byName.get(name);
      if (field?.schema['type'] !== 'string' || field.schema['enum'] !== undefined) continue;
      const list = { type: ['string', 'array'], items: { type } };
      byName.set(name, { ...field, schema: { [EXTENSION_NAMES.type]: 'string', ...field.schema, ...list } });
    }
  }
  return [...byName.values()];
}

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

const CHANGES: { readonly [name: string]: (schema: JsonObject, detail: string) => JsonObject } = {
  /** `date-time` would refuse times that the site takes. */
  date: (schema) => ({ format: 'date-time-local', ...schema }),
  null: (schema) => {
    const { type } = schema;
    const isOne = typeof type === 'string' && type !== 'null';
    return isOne ? { [EXTENSION_NAMES.type]: type, ...schema, type: [type, 'null'] } : schema;
  },
  partial: ({ required: _, ...schema }) => schema,
  'one of': (schema, names) => withOneOf(schema, listNames(names)),
};

interface MemberConvention {
  readonly paths: string;
  readonly members: { readonly [paths: string]: string | undefined };
}

const BODIES: readonly MemberConvention[] = data.bodies;
const TYPES: readonly MemberConvention[] = data.types;

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

/** Replaces types that a plugin leaves open (`mixed`). */
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

/** The extension marks that the site's schema doesn't require it, so that its error is another one. */
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
  // WooCommerce lists all types for `mixed`, because WordPress expects a list.
  const isOpen = declared === null || (Array.isArray(declared) && declared.length > 5);
  return isOpen ? { [EXTENSION_NAMES.type]: declared, ...others, type } : schema;
}
