import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../json.ts';
import {
  collectReferences,
  decodeReferenceToken,
  dereference,
  getSchemaComponentKey,
  resolveReference,
} from '../openapi/document-references.ts';
import { listSchemaComponents } from '../openapi/schema-view.ts';
import { type TypeNameAllocator, toTypeName } from './names.ts';

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
export interface ReferenceResolver {
  /** The type name of the schema that a `$ref` points at; `undefined` if it has no target in the document. */
  typeNameOf(ref: string, direction: TypeDirection): string | undefined;
  /** The object itself, or the target of its `$ref`, through a chain of references; `undefined` if there is none. */
  resolve(value: Json | undefined): JsonObject | undefined;
  /** All schema components in the document's order. The direction of each is that in which operations use it. */
  readonly componentSchemas: readonly ComponentSchema[];
  /**
   * Further schemas that {@link typeNameOf} has named so far: components in their other direction, if the types differ,
   * and schemas outside of the components. The list grows while shapes are created.
   */
  readonly additionalSchemas: readonly NamedSchema[];
}

export function createReferenceResolver(document: JsonObject, names: TypeNameAllocator): ReferenceResolver {
  const { dependsOnDirection, mainDirection } = analyzeDirections(document);
  const componentSchemas = nameComponents(document, names, mainDirection);
  const byComponent = new Map<string | undefined, ComponentSchema>(
    componentSchemas.map((named) => [named.componentKey, named]),
  );
  const additionalSchemas: NamedSchema[] = [];
  const otherNames = new Map<string, string | undefined>();

  const nameOther = (ref: string, direction: TypeDirection): string | undefined => {
    const named = byComponent.get(getSchemaComponentKey(ref));
    const schema = named?.schema ?? resolveReference(document, ref);
    if (schema === undefined) return undefined;
    const suffix = direction === 'write' ? 'Writable' : 'Readable';
    const typeName = names.allocate(
      named === undefined ? nameFromReference(ref) : `${named.typeName}${suffix}`,
    );
    additionalSchemas.push({ typeName, direction, schema });
    return typeName;
  };

  return {
    typeNameOf(ref, stated) {
      // Components are not declared once more for the query.
      const direction = stated === 'query' ? 'write' : stated;
      const named = byComponent.get(getSchemaComponentKey(ref));
      if (named !== undefined && (named.direction === direction || !dependsOnDirection(named.componentKey))) {
        return named.typeName;
      }
      const key = `${direction} ${ref}`;
      if (!otherNames.has(key)) {
        otherNames.set(key, nameOther(ref, direction));
      }
      return otherNames.get(key);
    },
    resolve: (value) => dereference(value, document),
    componentSchemas,
    additionalSchemas,
  };
}

/** Names the components. Keys that are type names already are allocated first, so that they keep their names. */
function nameComponents(
  document: JsonObject,
  names: TypeNameAllocator,
  direction: (component: string) => TypeDirection,
): readonly ComponentSchema[] {
  const schemas = listSchemaComponents(document);
  const isTypeName = ([component]: readonly [string, Json]): boolean => toTypeName(component) === component;
  const ordered = [...schemas.filter(isTypeName), ...schemas.filter((entry) => !isTypeName(entry))];
  const taken = new Map(ordered.map(([component]) => [component, names.allocate(component)]));
  return schemas.map(([component, schema]) => ({
    componentKey: component,
    typeName: taken.get(component) ?? component,
    direction: direction(component),
    schema,
  }));
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
 * it, so write-only properties are not required. `query`: a client sends it as text, so that a list may be a single item, and
 * booleans have several spellings.
 */
export type TypeDirection = 'read' | 'write' | 'query';

/** The directions in which a document uses its schema components. */
interface ComponentDirections {
  /** Whether a component's type depends on the direction. */
  dependsOnDirection(component: string): boolean;
  /** The direction in which operations use the component; `read` if they use it in both or in none. */
  mainDirection(component: string): TypeDirection;
}

/** Determines the directions in which the operations of a document use its schema components. */
function analyzeDirections(document: JsonObject): ComponentDirections {
  const differing = differingComponents(listSchemaComponents(document));
  // The operations of most documents are not traversed, because no component depends on the direction.
  const used = (part: 'requestBody' | 'responses'): ReadonlySet<string> =>
    differing.size === 0 ? new Set() : reachableComponents(operationParts(document, part), document);
  const sent = used('requestBody');
  const read = used('responses');
  return {
    dependsOnDirection: (component) => differing.has(component),
    mainDirection: (component) => (sent.has(component) && !read.has(component) ? 'write' : 'read'),
  };
}

function operationParts({ paths }: JsonObject, part: string): readonly Json[] {
  const operations = jsonMembers(paths).flatMap(([, item]) => jsonMembers(item));
  return operations.flatMap(([, operation]) => (isJsonObject(operation) ? (operation[part] ?? []) : []));
}

/** Components that require a read-only or write-only property, or that refer to such a component. */
function differingComponents(schemas: readonly (readonly [string, Json])[]): ReadonlySet<string> {
  const differing = new Set<string>();
  const users = new Map<string, string[]>();
  for (const [component, schema] of schemas) {
    for (const reference of collectReferences(schema)) {
      const used = getSchemaComponentKey(reference);
      if (used !== undefined) {
        users.set(used, [...(users.get(used) ?? []), component]);
      }
    }
    if (requiresOneDirectionalProperty(schema)) {
      differing.add(component);
    }
  }
  // The loop also visits the entries that it adds to the set.
  for (const component of differing) {
    for (const user of users.get(component) ?? []) {
      differing.add(user);
    }
  }
  return differing;
}

/** Whether any object in a schema requires a property that is `readOnly` or `writeOnly`. */
function requiresOneDirectionalProperty(schema: Json): boolean {
  const waiting: Json[] = [schema];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (isJsonObject(value) && Array.isArray(value['required'])) {
      const required = new Set(jsonItems(value['required']));
      if (
        jsonMembers(value['properties']).some(
          ([name, property]) => required.has(name) && isOneDirectional(property),
        )
      ) {
        return true;
      }
    }
    if (typeof value === 'object' && value !== null) {
      for (const child of Object.values(value)) {
        waiting.push(child);
      }
    }
  }
  return false;
}

function isOneDirectional(property: Json): boolean {
  return isJsonObject(property) && (property['readOnly'] === true || property['writeOnly'] === true);
}

/** The schema components that values refer to, directly or through other components. */
function reachableComponents(values: readonly Json[], document: JsonObject): ReadonlySet<string> {
  const references = new Set<string>();
  for (const value of values) {
    collectReferences(value, references);
  }
  // The loop also visits the references that it adds.
  for (const reference of references) {
    collectReferences(resolveReference(document, reference) ?? null, references);
  }
  return new Set([...references].flatMap((reference) => getSchemaComponentKey(reference) ?? []));
}
