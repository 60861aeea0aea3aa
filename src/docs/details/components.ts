import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../../json.ts';
import {
  getSchemaComponentKey,
  resolveReference,
  toSchemaReference,
} from '../../openapi/document-references.ts';
import { choicesOf } from '../../openapi/schema-view.ts';

/** The keys of the object components that a schema consists of: alone, as items of a list, or as choices. */
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

/** Maximum number of schemas that are visited below one component. */
const MAX_VISITED = 500;

/**
 * Lists components, then those that their properties refer to at any depth, each once.
 *
 * @param maxCount maximum number of components
 */
export function listComponentsBelow(
  components: readonly string[],
  document: JsonObject,
  maxCount: number,
): readonly string[] {
  const found = new Set(components.slice(0, maxCount));
  // A set is iterated in the order of insertion, with what is added meanwhile.
  for (const component of found) {
    for (const nested of listNested(component, document)) if (found.size < maxCount) found.add(nested);
  }
  return [...found];
}

function listNested(component: string, document: JsonObject): readonly string[] {
  const nested: string[] = [];
  const pending: Json[] = propertiesOf(resolveReference(document, toSchemaReference(component)));
  for (let visited = 0; visited < Math.min(pending.length, MAX_VISITED); visited += 1) {
    const schema = pending[visited];
    const components = listComponents(schema, document);
    if (components.length > 0) nested.push(...components);
    else pending.push(...propertiesOf(schema));
  }
  return nested;
}

function propertiesOf(schema: Json | undefined): Json[] {
  if (!isJsonObject(schema)) return [];
  const { additionalProperties, items, properties } = schema;
  return [
    ...jsonMembers(properties).map(([, property]) => property),
    ...[items, additionalProperties].filter(isJsonObject),
    ...jsonItems(schema['allOf']),
    ...choicesOf(schema),
  ];
}
