import type { Json, JsonObject } from '../../json.ts';
import { compileSchema, type ResolveReference } from './compiled-schema.ts';
import { type SanitizeResult, sanitizeValue, validateValue } from './validate.ts';
import type { SchemaViolation } from './violation.ts';

export { dereferenceSchema, lazy, type ResolveReference } from './compiled-schema.ts';
export { parseRestDate } from './formats.ts';
export {
  DEFAULT_WORK_LIMIT,
  limitWork,
  remainingWork,
  spendWork,
} from './php-types.ts';
export { sanitizeTextarea, sanitizeTextField, sanitizeUrl } from './sanitize-text.ts';
export type { SanitizeResult } from './validate.ts';
export type { SchemaViolation } from './violation.ts';

/** Validates and sanitises values by one schema, as WordPress does. */
export interface SchemaValidator {
  /**
   * `rest_validate_value_from_schema()`. Returns `null` for a valid value.
   *
   * @param param name of the value in messages: `status`, `meta[footnotes]`
   */
  validate(value: Json, param: string): SchemaViolation | null;
  /** `rest_sanitize_value_from_schema()`: converts a value to its type; an invalid value as PHP converts it. */
  sanitize(value: Json, param: string): SanitizeResult;
}

/**
 * Compiles a schema for the validation of many values. It may be a site's own schema (draft 4 in WordPress's dialect) or
 * a normalised one (2020-12). Recursion is as deep as the values, which the JSON parser limits (PHP: 512).
 *
 * Results differ from PHP's in two cases that JavaScript's JSON cannot represent. `1.0` is `1`, so it is accepted as a
 * boolean. The members of an object with integer names are in numeric order.
 *
 * @param resolve resolves a `$ref`; without it a reference accepts every value
 */
export function createSchemaValidator(
  schema: JsonObject,
  resolve: ResolveReference = () => undefined,
): SchemaValidator {
  const compiled = compileSchema(schema, resolve);
  return {
    validate: (value, param) => validateValue(value, compiled, param),
    sanitize: (value, param) => sanitizeValue(value, compiled, param),
  };
}
