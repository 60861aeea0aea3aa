import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { resolveReference, collectReferences } from '../openapi/document-access.ts';
import { entries, list } from './objects.ts';
import { schemaComponentOf } from './pointers.ts';

/** `write`: what a caller sends, where read-only properties may be left out. `read`: what the site answers. */
export type TypeDirection = 'read' | 'write';

/** How schema components fare in the two directions, by their keys. */
export interface ComponentDirections {
  /** Whether a component's type depends on the direction. */
  differs(component: string): boolean;
  /** The direction in which operations use it; `read` where they use it in both or in none. */
  main(component: string): TypeDirection;
}

export function analyzeDirections(document: JsonObject): ComponentDirections {
  const components = document['components'];
  const differing = differingComponents(
    entries(isJsonObject(components) ? components['schemas'] : undefined),
  );
  // Most documents have none, and need not be walked.
  const used = (part: 'requestBody' | 'responses'): ReadonlySet<string> =>
    differing.size === 0 ? new Set() : reachableComponents(operationParts(document, part), document);
  const sent = used('requestBody');
  const read = used('responses');
  return {
    differs: (component) => differing.has(component),
    main: (component) => (sent.has(component) && !read.has(component) ? 'write' : 'read'),
  };
}

function operationParts({ paths }: JsonObject, part: string): readonly Json[] {
  const operations = entries(paths).flatMap(([, item]) => entries(item));
  return operations.flatMap(([, operation]) => (isJsonObject(operation) ? (operation[part] ?? []) : []));
}

/** Components that require a property which only one side may set, or that refer to such a one. */
function differingComponents(schemas: readonly (readonly [string, Json])[]): ReadonlySet<string> {
  const differing = new Set<string>();
  const users = new Map<string, string[]>();
  for (const [component, schema] of schemas) {
    for (const reference of collectReferences(schema)) {
      const used = schemaComponentOf(reference);
      if (used !== undefined) {
        users.set(used, [...(users.get(used) ?? []), component]);
      }
    }
    if (requiresOneDirectionalProperty(schema)) {
      differing.add(component);
    }
  }
  // A set that grows while it is walked: whoever is added is walked too.
  for (const component of differing) {
    for (const user of users.get(component) ?? []) {
      differing.add(user);
    }
  }
  return differing;
}

/** Whether any object within a schema requires a property that is `readOnly` or `writeOnly`. */
function requiresOneDirectionalProperty(schema: Json): boolean {
  const waiting: Json[] = [schema];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (isJsonObject(value) && Array.isArray(value['required'])) {
      const required = new Set(list(value['required']));
      if (
        entries(value['properties']).some(([name, property]) => required.has(name) && isOneDirectional(property))
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

/** The schema components that values lead to, by any number of references. */
function reachableComponents(values: readonly Json[], document: JsonObject): ReadonlySet<string> {
  const references = new Set<string>();
  for (const value of values) {
    collectReferences(value, references);
  }
  // It grows while it is walked, as above.
  for (const reference of references) {
    collectReferences(resolveReference(document, reference) ?? null, references);
  }
  return new Set([...references].flatMap((reference) => schemaComponentOf(reference) ?? []));
}
