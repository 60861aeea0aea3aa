import type { Json, JsonObject } from '../json.ts';
import { FINDING_SEVERITIES } from '../validation/response/finding.ts';
import {
  collectFindings,
  SchemaRegistry,
  ValidationBudgetError,
  WALK_LIMITS,
} from '../validation/response/schema.ts';

/** Whether a value is valid by a schema of the document. A value that takes too long to validate counts as valid. */
export type SchemaCheckFunction = (schema: JsonObject, value: Json) => boolean;

export function createSchemaCheck(document: JsonObject): SchemaCheckFunction {
  const schemas = new SchemaRegistry(document);
  return (schema, value) => {
    try {
      const node = schemas.compileDetached(schema, '');
      const findings = collectFindings(value, node, WALK_LIMITS, false);
      return findings.every(({ kind }) => FINDING_SEVERITIES[kind] === 'remark' && kind !== 'format');
    } catch (error) {
      if (error instanceof ValidationBudgetError) return true;
      throw error;
    }
  };
}
