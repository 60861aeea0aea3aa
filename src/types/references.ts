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

/** A schema that becomes one named type of the module. */
export interface NamedSchema {
  readonly typeName: string;
  readonly direction: TypeDirection;
  readonly schema: Json;
}

/** A schema of `components.schemas`. */
export interface ComponentSchema extends NamedSchema {
  readonly componentKey: string;
}

/** Resolves the references of a document, within the document only: no file and no URL is read. */
export class ReferenceResolver {
  /** All schema components in the document's order. The direction of each is that in which operations use it. */
  readonly componentSchemas: readonly ComponentSchema[];
  /**
   * Further schemas that {@link typeNameOf} has named so far: components in their other direction, if the types differ,
   * and schemas outside of the components. The list grows while shapes are created.
   */
  readonly additionalSchemas: NamedSchema[] = [];
  readonly #document: JsonObject;
  readonly #names: TypeNameAllocator;
  /** The components whose types depend on the direction. */
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
    // Keys that are type names already are allocated first, so that they keep their names.
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

  /** The type name of the schema that a `$ref` points at; `undefined` if it has no target in the document. */
  typeNameOf(ref: string, declared: TypeDirection): string | undefined {
    // Components are not declared once more for the query.
    const direction = declared === 'query' ? 'write' : declared;
    const named = this.#byKey.get(getSchemaComponentKey(ref));
    if (named !== undefined && (named.direction === direction || !this.#differing.has(named.componentKey))) {
      return named.typeName;
    }
    const key = `${direction} ${ref}`;
    if (!this.#otherNames.has(key)) this.#otherNames.set(key, this.#nameOther(ref, direction, named));
    return this.#otherNames.get(key);
  }

  /** The object itself, or the target of its `$ref`, through a chain of references; `undefined` if there is none. */
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

/** A name from the location of a schema: `#/components/schemas/Post/properties/title` gives `PostTitle`. */
function nameFromReference(ref: string): string {
  const structure = /^(?:#|components|schemas|properties|paths|schema|items|content|\d+)?$/;
  const words = ref.split('/').filter((token) => !structure.test(token));
  return words
    .slice(-2)
    .map((token) => toTypeName(decodeReferenceToken(token)))
    .join('');
}

/**
 * The direction of content. `write`: a client sends it, so read-only properties are not required. `read`: the site sends
 * it, so write-only properties are not required. `query`: a client sends it as text, so that a list can be a single item, and
 * booleans have several spellings.
 */
export type TypeDirection = 'read' | 'write' | 'query';

/** Components that require a read-only or write-only property, or that refer to such a component. */
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
  // The loop also visits the entries that it adds to the set.
  for (const component of differing) {
    for (const user of users.get(component) ?? []) differing.add(user);
  }
  return differing;
}

/** Whether any object in a schema requires a property that is `readOnly` or `writeOnly`. */
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

/** The references of all requests and of all responses, directly or through others. */
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
