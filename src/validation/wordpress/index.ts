import type { Json, JsonObject } from '../../json.ts';
import { compileSchema, type ResolveReference } from './compiled-schema.ts';
import { type SanitizeResult, sanitizeValue } from './sanitize.ts';
import { validateValue } from './validate.ts';
import type { SchemaViolation } from './violation.ts';

export type { ResolveReference } from './compiled-schema.ts';
export type { SanitizeResult } from './sanitize.ts';
export { sanitizeTextarea, sanitizeTextField, sanitizeUrl } from './sanitize-text.ts';
export { parseRestDate } from './timestamp.ts';
export type { SchemaViolation } from './violation.ts';

/** A schema that values are held against, by WordPress's rules. */
export interface SchemaValidator {
  /**
   * `rest_validate_value_from_schema()`. Null where the value is valid.
   *
   * @param param what the refusal calls the value: `status`, `meta[footnotes]`
   */
  validate(value: Json, param: string): SchemaViolation | null;
  /** `rest_sanitize_value_from_schema()`: the value as its type; of an invalid value what PHP makes of it. */
  sanitize(value: Json, param: string): SanitizeResult;
}

/**
 * Prepares a schema once for many values. It may be the site's own (draft 4 as WordPress writes it) or a normalised one
 * (2020-12). Depth of recursion is that of the values, which a reader of JSON bounds (PHP: 512).
 *
 * Two things of PHP that JSON in JavaScript does not hold: `1.0` is `1` here, so it is taken for a boolean where PHP
 * refuses it; and objects with whole numbers for names come in the order of the numbers.
 *
 * @param resolve finds what a `$ref` names; without it a reference allows everything
 */
export function createSchemaValidator(
  schema: JsonObject,
  resolve: ResolveReference = () => undefined,
): SchemaValidator {
  const prepared = compileSchema(schema, resolve);
  return {
    validate: (value, param) => validateValue(value, prepared, param),
    sanitize: (value, param) => sanitizeValue(value, prepared, param),
  };
}
