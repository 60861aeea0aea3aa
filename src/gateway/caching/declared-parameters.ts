import type { DeclaredParameter } from '../../cache/wordpress/canonical-query.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { ServedOperation } from '../../openapi/index.ts';
import { createSchemaValidator, type ResolveReference } from '../../validation/wordpress/index.ts';

/** The query parameters of an operation, in as far as the key of an answer needs them. */
export function declaredParameters(
  { parameters }: ServedOperation,
  resolve: ResolveReference,
): ReadonlyMap<string, DeclaredParameter> {
  return new Map(
    parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema }) => [name, declaredParameter(name, schema, resolve)]),
  );
}

function declaredParameter(name: string, schema: JsonObject, resolve: ResolveReference): DeclaredParameter {
  // A type that was guessed from a default is none by which the site reads the value.
  if (schema['x-waygate-type'] !== undefined) return { normalise: () => undefined };
  const judge = createSchemaValidator(schema, resolve);
  const normalise = (value: Json): Json | undefined => {
    if (judge.validate(value, name) !== null) return undefined;
    const sanitized = judge.sanitize(value, name);
    if (!sanitized.ok) return undefined;
    // What a text is made to is for the site's own sanitiser to say: only what is left alone is known.
    return typeof sanitized.value === 'string' && sanitized.value !== value ? undefined : sanitized.value;
  };
  const { default: stated } = schema;
  return { normalise, default: stated === undefined ? undefined : normalise(stated) };
}
