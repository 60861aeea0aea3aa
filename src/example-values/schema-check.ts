import type { Json, JsonObject } from '../json.ts';
import { FINDING_SEVERITIES } from '../validation/response/finding.ts';
import { ValidationBudgetError } from '../validation/response/keywords.ts';
import { createDetachedNode, createSchemaRegistry } from '../validation/response/schema-registry.ts';
import { collectFindings, WALK_LIMITS } from '../validation/response/validator.ts';

/** Whether a value is valid by a schema of the document. A value that takes too long to validate counts as valid. */
export type SchemaCheckFunction = (schema: JsonObject, value: Json) => boolean;

export function createSchemaCheck(document: JsonObject): SchemaCheckFunction {
  const registry = createSchemaRegistry(document);
  return (schema, value) => {
    try {
      const node = createDetachedNode(schema, '', document, registry);
      const findings = collectFindings(value, node, { ...WALK_LIMITS, isPartial: false });
      return findings.every(({ kind }) => FINDING_SEVERITIES[kind] === 'remark' && kind !== 'format');
    } catch (error) {
      if (error instanceof ValidationBudgetError) return true;
      throw error;
    }
  };
}
