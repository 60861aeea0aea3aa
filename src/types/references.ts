import { getContexts } from '../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers, memberAt } from '../json.ts';
import {
  addReachedReferences,
  collectReferences,
  decodeReferenceToken,
  dereference,
  getSchemaComponentKey,
  resolveReference,
} from '../openapi/document-references.ts';
import { type Operation, operationsOf } from '../openapi/operations.ts';
import { listSchemaComponents } from '../openapi/schema-view.ts';
import { type TypeNameAllocator, toTypeName } from './names.ts';
import { type DocumentParameter, readParameter } from './parameters.ts';

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
  /** In the document's order, with the direction in which operations use each. */
  readonly componentSchemas: readonly ComponentSchema[];
  /**
   * Schemas that {@link typeNameOf} named: components in their other direction, and schemas elsewhere. The
   * list grows while shapes are created.
   */
  readonly additionalSchemas: NamedSchema[] = [];
  readonly #document: JsonObject;
  readonly #names: TypeNameAllocator;
  readonly #differing: ReadonlySet<string>;
  readonly #byKey: ReadonlyMap<string | undefined, ComponentSchema>;
  readonly #otherNames: Map<string, string | undefined> = new Map();
  readonly #parameterKeys: ReadonlyMap<Json, string>;

  constructor(document: JsonObject, names: TypeNameAllocator) {
    const schemas = listSchemaComponents(document);
    this.#document = document;
    this.#names = names;
    const parameters = jsonMembers(memberAt(document, 'components', 'parameters'));
    this.#parameterKeys = new Map(parameters.map(([key, parameter]) => [parameter, key]));
    this.#differing = differingComponents(schemas);
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

  /** `undefined` if the reference has no target in the document. */
  typeNameOf(ref: string, declared: TypeDirection): string | undefined {
    // The query uses the declarations for `write`.
    const direction = declared === 'query' ? 'write' : declared;
    const named = this.#byKey.get(getSchemaComponentKey(ref));
    if (named !== undefined && (named.direction === direction || !this.#differing.has(named.componentKey))) {
      return named.typeName;
    }
    const key = `${direction} ${ref}`;
    if (!this.#otherNames.has(key)) this.#otherNames.set(key, this.#nameOther(ref, direction, named));
    return this.#otherNames.get(key);
  }

  /** Follows a chain of references. */
  resolve(value: Json | undefined): JsonObject | undefined {
    return dereference(value, this.#document);
  }

  parametersOf({ parameterObjects }: Operation): readonly DocumentParameter[] {
    return parameterObjects.flatMap((object) => this.parameterOf(object) ?? []);
  }

  parameterOf(object: JsonObject): DocumentParameter | null {
    return readParameter(object, this.#parameterKeys.get(object));
  }

  #nameOther(ref: string, direction: TypeDirection, named: ComponentSchema | undefined): string | undefined {
    const schema = named?.schema ?? resolveReference(this.#document, ref);
    if (schema === undefined) return undefined;
    const suffix = direction === 'write' ? 'Writable' : 'Readable';
    const wanted = named === undefined ? nameFromReference(ref) : `${named.typeName}${suffix}`;
    const typeName = this.#names.allocate(wanted);
    this.additionalSchemas.push({ typeName, direction, schema });
    return typeName;
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
 * `write`: sent by clients, so read-only properties aren't required. `read`: sent by the site, so write-only
 * ones aren't. `query`: sent as text, so that a list can be one item, and booleans have several spellings.
 */
export type TypeDirection = 'read' | 'write' | 'query';

/** Components that require a read-only or write-only property, directly or by reference. */
function differingComponents(schemas: readonly (readonly [string, Json])[]): ReadonlySet<string> {
  const differing = new Set<string>();
  const users = new Map<string, string[]>();
  for (const [component, schema] of schemas) {
    for (const reference of collectReferences(schema)) {
      const used = getSchemaComponentKey(reference);
      if (used !== undefined) users.set(used, [...(users.get(used) ?? []), component]);
    }
    if (requiresOneDirectionalProperty(schema)) differing.add(component);
  }
  for (const component of differing) {
    for (const user of users.get(component) ?? []) differing.add(user);
  }
  return differing;
}

function requiresOneDirectionalProperty(schema: Json): boolean {
  const waiting: Json[] = [schema];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (isJsonObject(value) && Array.isArray(value['required'])) {
      const required = new Set(jsonItems(value['required']));
      const properties = jsonMembers(value['properties']);
      if (properties.some(([name, property]) => required.has(name) && isOneDirectional(property)))
        return true;
    }
    for (const child of Object.values(value)) waiting.push(child);
  }
  return false;
}

function isOneDirectional(property: Json): boolean {
  return isJsonObject(property) && (property['readOnly'] === true || property['writeOnly'] === true);
}

/** Directly or through others. */
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
