import type { Json, JsonObject } from '../../json.ts';
import type { Refusal } from './refusal.ts';
import { type Sanitized, sanitizeAs } from './sanitize.ts';
import { prepare, type Resolve } from './compiled-schema.ts';
import { validateAs } from './validate.ts';

export type { Refusal } from './refusal.ts';
export type { Sanitized } from './sanitize.ts';
export type { Resolve } from './compiled-schema.ts';
export { sanitizeTextarea, sanitizeTextField, sanitizeUrl } from './text.ts';
export { instantOf } from './timestamp.ts';

/** A schema that values are held against, by WordPress's rules. */
export interface Judge {
  /**
   * `rest_validate_value_from_schema()`. Null where the value is valid.
   *
   * @param param what the refusal calls the value: `status`, `meta[footnotes]`
   */
  validate(value: Json, param: string): Refusal | null;
  /** `rest_sanitize_value_from_schema()`: the value as its type; of an invalid value what PHP makes of it. */
  sanitize(value: Json, param: string): Sanitized;
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
export function createJudge(schema: JsonObject, resolve: Resolve = () => undefined): Judge {
  const prepared = prepare(schema, resolve);
  return {
    validate: (value, param) => validateAs(value, prepared, param),
    sanitize: (value, param) => sanitizeAs(value, prepared, param),
  };
}
