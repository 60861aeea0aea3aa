import type { DeclaredParameter } from '../../cache/wordpress/canonical-query.ts';
import { getStatedType } from '../../document-extensions.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { ServedOperation } from '../../openapi/index.ts';
import { isCoreArgument } from '../../validation/evidence/core-rules.ts';
import {
  createSchemaValidator,
  dereferenceSchema,
  type ResolveReference,
} from '../../validation/wordpress/index.ts';

/**
 * Maps the query parameters of an operation to what the cache key needs: normalization and default.
 *
 * @param pattern of the operation's route
 */
export function toDeclaredParameters(
  { method, parameters }: ServedOperation,
  pattern: string,
  resolve: ResolveReference,
): ReadonlyMap<string, DeclaredParameter> {
  return new Map(
    parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema }) => {
        // Callbacks of plugins may read `05` or an explicit default in another way than its definition says.
        const isKeyed = isCoreArgument({ method, route: pattern }, name, dereferenceSchema(schema, resolve));
        return [name, { ...toDeclaredParameter(name, schema, resolve), isKeyed }];
      }),
  );
}

function toDeclaredParameter(
  name: string,
  schema: JsonObject,
  resolve: ResolveReference,
): Omit<DeclaredParameter, 'isKeyed'> {
  // The generator inferred this schema's type from the default. The site does not coerce the value to it.
  if (getStatedType(schema) !== undefined) return { convert: () => undefined };
  const validator = createSchemaValidator(schema, resolve);
  const convert = (value: Json): Json | undefined => {
    if (validator.validate(value, name) !== null) return undefined;
    const sanitized = validator.sanitize(value, name);
    if (!sanitized.ok) return undefined;
    // Only the site knows how its own sanitizer changes a string, so only an unchanged string is normalized.
    return typeof sanitized.value === 'string' && sanitized.value !== value ? undefined : sanitized.value;
  };
  const { default: defaultValue } = schema;
  return { convert, default: defaultValue === undefined ? undefined : convert(defaultValue) };
}
