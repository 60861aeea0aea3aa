import { getContexts } from '../../base/document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonMembers, memberAt } from '../../base/json.ts';
import { UniqueNames } from '../../base/unique-names.ts';
import { capitalize } from '../model/naming/words.ts';
import {
  addReachedReferences,
  collectReferences,
  decodeReferenceToken,
  dereference,
  getSchemaComponentKey,
  listSchemaComponents,
  resolveReference,
  type SchemaObject,
} from '../openapi/document-objects.ts';
import { isPathItemMethod, listOperations, type Operation, operationsOf } from '../openapi/operations.ts';

export interface NamedSchema {
  readonly typeName: string;
  readonly direction: TypeDirection;
  readonly schema: Json;
}

export interface ComponentSchema extends NamedSchema {
  readonly componentKey: string;
}

/** Resolves references within the document; no file or URL is read. */
export class ReferenceResolver {
  /** In the document's order. Those that are only sent have the direction `write`. */
  readonly componentSchemas: readonly ComponentSchema[];
  /** Schemas elsewhere that {@link typeNameOf} named. The list grows while shapes are created. */
  readonly additionalSchemas: NamedSchema[] = [];
  readonly #document: JsonObject;
  readonly #names: TypeNameAllocator;
  readonly #byKey: ReadonlyMap<string | undefined, ComponentSchema>;
  readonly #otherNames: Map<string, string> = new Map();
  readonly #parameterKeys: ReadonlyMap<Json, string>;

  constructor(document: JsonObject, names: TypeNameAllocator) {
    const schemas = listSchemaComponents(document);
    this.#document = document;
    this.#names = names;
    const parameters = jsonMembers(memberAt(document, 'components', 'parameters'));
    this.#parameterKeys = new Map(parameters.map(([key, parameter]) => [parameter, key]));
    const { requests, responses } = collectMessageReferences(document);
    const sent = new Set(Array.from(requests, getSchemaComponentKey));
    const read = new Set(Array.from(responses, getSchemaComponentKey));
    // Keys that are type names already keep their names.
    const isTypeName = ([key]: readonly [string, Json]): boolean => toTypeName(key) === key;
    const ordered = [...schemas.filter(isTypeName), ...schemas.filter((entry) => !isTypeName(entry))];
    const typeNames = new Map(ordered.map(([key]) => [key, names.allocate(key, `${key}Resource`)]));
    this.componentSchemas = schemas.map(([componentKey, schema]) => ({
      componentKey,
      typeName: typeNames.get(componentKey) ?? componentKey,
      direction: sent.has(componentKey) && !read.has(componentKey) ? 'write' : 'read',
      schema,
    }));
    this.#byKey = new Map(this.componentSchemas.map((named) => [named.componentKey, named]));
  }

  typeNameOf(ref: string, declared: TypeDirection): string | undefined {
    const component = this.#byKey.get(getSchemaComponentKey(ref));
    if (component !== undefined) return component.typeName;
    // The query uses the declarations for `write`.
    const direction = declared === 'query' ? 'write' : declared;
    const known = this.#otherNames.get(`${direction} ${ref}`);
    if (known !== undefined) return known;
    const schema = resolveReference(this.#document, ref);
    if (schema === undefined) return undefined;
    const typeName = this.#names.allocate(nameFromReference(ref));
    this.#otherNames.set(`${direction} ${ref}`, typeName);
    this.additionalSchemas.push({ typeName, direction, schema });
    return typeName;
  }

  resolve(value: Json | undefined): JsonObject | undefined {
    return dereference(value, this.#document);
  }

  parametersOf({ parameterObjects }: Operation): readonly DocumentParameter[] {
    return parameterObjects.flatMap((object) => readParameter(object, this.#parameterKeys.get(object)) ?? []);
  }
}

/** `#/components/schemas/Post/properties/title` gives `PostTitle`. */
function nameFromReference(ref: string): string {
  const structure = /^(?:#|components|schemas|properties|paths|schema|items|content|\d+)?$/;
  const words = ref.split('/').filter((token) => !structure.test(token));
  return words
    .slice(-2)
    .map((token) => toTypeName(decodeReferenceToken(token)))
    .join('');
}

/**
 * `write` has no required read-only properties, `read` no write-only ones; `query` is text: a list can be one item. Of
 * `{ type: 'array', items: { type: 'integer' } }`, `read` is `number[]`, `write` `readonly number[]`, and `query` `QueryNumbers`.
 */
export type TypeDirection = 'read' | 'write' | 'query';

function collectMessageReferences(
  document: JsonObject,
): Readonly<Record<'requests' | 'responses', ReadonlySet<string>>> {
  const [requests, responses] = [new Set<string>(), new Set<string>()];
  for (const { parameterObjects, shared } of operationsOf(document)) {
    collectReferences([...parameterObjects, shared.requestBody ?? null], requests);
    collectReferences(shared.responses ?? null, responses);
    for (const reference of getContexts(shared).values()) responses.add(reference);
  }
  for (const found of [requests, responses]) addReachedReferences(found, document);
  return { requests, responses };
}

export const PARAMETER_LOCATIONS = ['query', 'header', 'path', 'cookie'] as const;

export type ParameterLocation = (typeof PARAMETER_LOCATIONS)[number];

export interface DocumentParameter {
  readonly name: string;
  readonly in: ParameterLocation;
  readonly required: boolean;
  readonly schema: SchemaObject;
  readonly componentKey?: string;
}

/** Operations that OpenAPI has a field for; their unique ids are the keys of `operations`. */
export function listTypedOperations(document: JsonObject): readonly Operation[] {
  const ids = new Set<string>();
  return listOperations(document).flatMap((operation) => {
    const method = operation.method.toLowerCase();
    if (!isPathItemMethod(method)) return [];
    const isDeclared = operation.shared.operationId === operation.id && !ids.has(operation.id);
    let id = isDeclared ? operation.id : `${method} ${operation.path}`;
    while (ids.has(id)) id += '_';
    ids.add(id);
    return [isDeclared ? operation : operation.withId(id)];
  });
}

function readParameter(object: JsonObject, componentKey: string | undefined): DocumentParameter | null {
  const location = PARAMETER_LOCATIONS.find((name) => name === object['in']);
  const { name } = object;
  if (location === undefined || typeof name !== 'string') return null;
  return {
    name,
    in: location,
    required: location === 'path' || object['required'] === true,
    // A parameter with `content` is a text on the wire, e.g. JSON.
    schema: { ...readObjectSchema(object), ...(isJsonObject(object['content']) ? { type: 'string' } : {}) },
    ...(componentKey === undefined ? {} : { componentKey }),
  };
}

export function readObjectSchema(object: JsonObject): JsonObject {
  const [content] = jsonMembers(object['content']);
  const declared = object['schema'] ?? (isJsonObject(content?.[1]) ? content[1]['schema'] : undefined);
  const schema = isJsonObject(declared) ? declared : {};
  const { description, deprecated } = object;
  return {
    ...schema,
    ...(description === undefined ? {} : { description }),
    ...(deprecated === true ? { deprecated } : {}),
  };
}

const RESERVED_NAMES: readonly string[] = [
  ...['ArrayBuffer', 'Bytes', 'Date', 'Pick', 'Promise', 'QueryBoolean', 'QueryNumber', 'QueryNumbers'],
  ...['QueryWords', 'Uint8Array', 'components', 'operations', 'paths'],
];

const MAX_NAME_LENGTH = 120;

/** Unique type names, as close to the wanted ones as TypeScript allows. */
export class TypeNameAllocator {
  readonly #names: UniqueNames;

  constructor(reserved: readonly string[] = []) {
    this.#names = new UniqueNames([...RESERVED_NAMES, ...reserved]);
  }

  /** @param alternatives names to try before adding a number */
  allocate(wanted: string, ...alternatives: readonly string[]): string {
    return this.#names.claim(toTypeName(wanted), ...alternatives.map(toTypeName));
  }
}

/** `post-edit` becomes `PostEdit`, and `WC_Order` stays. Capitals avoid keywords; globals can be shadowed. */
export function toTypeName(text: string): string {
  const words = text
    .normalize('NFC')
    .replace(/[\u{10000}-\u{10ffff}]/gu, '')
    .split(/[^\p{ID_Start}\p{Nd}_$]+/u)
    .filter((word) => word !== '');
  const joined = words.map(capitalize).join('').slice(0, MAX_NAME_LENGTH);
  if (joined === '') return 'Unnamed';
  return /^[\p{ID_Start}_$]/u.test(joined) ? joined : `_${joined}`;
}

export function toPropertyKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : toStringLiteral(name);
}

/** Characters that are invisible or change the direction of text (CVE-2021-42574). */
const INVISIBLE = /[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Invisible characters are escaped. */
export function toStringLiteral(text: string): string {
  return JSON.stringify(text).replace(
    INVISIBLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
