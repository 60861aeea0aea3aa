import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../json.ts';
import {
  collectReferences,
  getSchemaComponentKey,
  resolveReference,
} from '../openapi/document-references.ts';
import { listSchemaComponents } from '../openapi/schema-view.ts';

/**
 * The direction of content. `write`: a client sends it, so read-only properties are not required. `read`: the site sends
 * it, so write-only properties are not required. `query`: a client sends it as text, so that a list may be a single item, and
 * booleans have several spellings.
 */
export type TypeDirection = 'read' | 'write' | 'query';

/** The directions in which a document uses its schema components. */
export interface ComponentDirections {
  /** Whether a component's type depends on the direction. */
  dependsOnDirection(component: string): boolean;
  /** The direction in which operations use the component; `read` if they use it in both or in none. */
  mainDirection(component: string): TypeDirection;
}

/** Determines the directions in which the operations of a document use its schema components. */
export function analyzeDirections(document: JsonObject): ComponentDirections {
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
