import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { resolveReference } from '../../openapi/document-access.ts';
import { ANY_TYPE, typeBits } from './finding.ts';
import type { DeclaredProperties } from './node.ts';

/** Maximum number of schemas that are visited, so that recursive references and nested alternatives end. */
const MAX_SCHEMAS = 500;

const ALTERNATIVE_KEYWORDS = ['anyOf', 'oneOf'] as const;
const IN_PLACE_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'] as const;

/** Computes the types that a schema with its references and alternatives allows, as bits. */
export function computeAcceptedTypes(schema: Json | undefined, document: JsonObject): number {
  let left = MAX_SCHEMAS;
  const types = (given: Json | undefined): number => {
    left -= 1;
    if (left < 0) return ANY_TYPE;
    if (!isJsonObject(given)) return given === false ? 0 : ANY_TYPE;
    let bits = typeBits(given['type']);
    const { $ref } = given;
    if (typeof $ref === 'string') bits &= types(resolveReference(document, $ref));
    for (const keyword of ALTERNATIVE_KEYWORDS) {
      const alternatives = given[keyword];
      if (!Array.isArray(alternatives)) continue;
      bits &= alternatives.reduce<number>((all, each: Json) => all | types(each), 0);
    }
    return bits;
  };
  return types(schema);
}

/** Collects the properties that a schema declares, with all schemas that apply to the same object. */
export function collectDeclaredProperties(
  schema: JsonObject,
  pointer: string,
  document: JsonObject,
): DeclaredProperties {
  const names = new Set<string>();
  let left = MAX_SCHEMAS;
  let open = false;
  const collect = (given: Json | undefined): void => {
    left -= 1;
    if (left < 0) open = true;
    if (open || !isJsonObject(given)) return;
    const { additionalProperties, patternProperties, properties, $ref } = given;
    // The further properties of a map are expected, and forbidden ones are reported as such.
    if (isJsonObject(additionalProperties) || additionalProperties === false) open = true;
    if (isJsonObject(patternProperties)) open = true;
    if (isJsonObject(properties)) for (const name of Object.keys(properties)) names.add(name);
    if (typeof $ref === 'string') collect(resolveReference(document, $ref));
    for (const keyword of IN_PLACE_KEYWORDS) {
      const schemas = given[keyword];
      if (Array.isArray(schemas)) for (const each of schemas) collect(each);
      else collect(schemas);
    }
    const dependent = given['dependentSchemas'];
    if (isJsonObject(dependent)) for (const each of Object.values(dependent)) collect(each);
  };
  collect(schema);
  return {
    names,
    isOpen: open || names.size === 0,
    pointer: findDeclaringPointer(schema, pointer, document),
  };
}

/** Follows references from schemas without `properties` to the schema that declares them. */
function findDeclaringPointer(schema: JsonObject, pointer: string, document: JsonObject): string {
  let at: Json | undefined = schema;
  let home = pointer;
  for (let hops = 0; hops < MAX_SCHEMAS; hops += 1) {
    const reference: Json | undefined =
      isJsonObject(at) && !isJsonObject(at['properties']) ? at['$ref'] : undefined;
    if (typeof reference !== 'string') break;
    at = resolveReference(document, reference);
    home = reference.slice(1);
  }
  return home;
}
