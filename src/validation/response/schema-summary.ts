import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { resolveReference } from '../../openapi/document-references.ts';
import { ANY_TYPE_MASK, toTypeMask } from './finding.ts';
import type { DeclaredProperties } from './schema-node.ts';

/** Maximum number of schemas that are visited, so that recursive references and nested alternatives end. */
const MAX_SCHEMAS = 500;

const ALTERNATIVE_KEYWORDS = ['anyOf', 'oneOf'] as const;
const IN_PLACE_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'] as const;

/** Computes the bit mask of the types that a schema allows, with its references and alternatives. */
export function computeAcceptedTypeMask(schema: Json | undefined, document: JsonObject): number {
  let remainingSchemas = MAX_SCHEMAS;
  const computeMask = (given: Json | undefined): number => {
    remainingSchemas -= 1;
    if (remainingSchemas < 0) return ANY_TYPE_MASK;
    if (!isJsonObject(given)) return given === false ? 0 : ANY_TYPE_MASK;
    let typeMask = toTypeMask(given['type']);
    const { $ref } = given;
    if (typeof $ref === 'string') typeMask &= computeMask(resolveReference(document, $ref));
    for (const keyword of ALTERNATIVE_KEYWORDS) {
      const alternatives = given[keyword];
      if (!Array.isArray(alternatives)) continue;
      typeMask &= alternatives.reduce<number>((all, each: Json) => all | computeMask(each), 0);
    }
    return typeMask;
  };
  return computeMask(schema);
}

/** Collects the properties that a schema declares, with all schemas that apply to the same object. */
export function collectDeclaredProperties(
  schema: JsonObject,
  pointer: string,
  document: JsonObject,
): DeclaredProperties {
  const names = new Set<string>();
  let remainingSchemas = MAX_SCHEMAS;
  let isOpen = false;
  const collect = (given: Json | undefined): void => {
    remainingSchemas -= 1;
    if (remainingSchemas < 0) isOpen = true;
    if (isOpen || !isJsonObject(given)) return;
    const { additionalProperties, patternProperties, properties, $ref } = given;
    // Undeclared properties of a map are valid, and `additionalProperties: false` reports forbidden ones itself.
    if (isJsonObject(additionalProperties) || additionalProperties === false) isOpen = true;
    if (isJsonObject(patternProperties)) isOpen = true;
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
    isOpen: isOpen || names.size === 0,
    declaringPointer: findDeclaringPointer(schema, pointer, document),
  };
}

/** Follows references from schemas without `properties` to the schema that declares them. */
function findDeclaringPointer(schema: JsonObject, pointer: string, document: JsonObject): string {
  let current: Json | undefined = schema;
  let declaringPointer = pointer;
  for (let hops = 0; hops < MAX_SCHEMAS; hops += 1) {
    const reference: Json | undefined =
      isJsonObject(current) && !isJsonObject(current['properties']) ? current['$ref'] : undefined;
    if (typeof reference !== 'string') break;
    current = resolveReference(document, reference);
    declaringPointer = reference.slice(1);
  }
  return declaringPointer;
}
