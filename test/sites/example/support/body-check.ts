import { isJsonObject, type JsonObject, toJsonObject } from '../../../../src/base/json.ts';
import { createSchemaCompiler } from '../../../support/document-schemas.ts';
import { resolve } from './documented-operations.ts';

/** Validates a response body against the document. Returns the errors, or `null`. */
export type BodyCheck = (operation: string, status: number, body: unknown) => string | null;

/**
 * Creates a body check. A response without a schema is valid.
 *
 * @param isStrict whether a successful response has no members that the document does not describe
 */
export function createBodyCheck(document: JsonObject, isStrict = false): BodyCheck {
  // Formats are annotations (JSON Schema 2020-12 §7.2.1): WordPress's `date-time` has no zone.
  const compile = createSchemaCompiler(document, { validateFormats: false });
  const compileStrictly = createSchemaCompiler(forbidUnknownMembers(document), { validateFormats: false });
  return (operation, status, body) => {
    const [method = '', path = ''] = operation.split(' ');
    const responses = toJsonObject(
      toJsonObject(toJsonObject(toJsonObject(document['paths'])[path])[method.toLowerCase()])['responses'],
    );
    const documented = responses[status] ?? (status < 400 ? undefined : responses['default']);
    if (documented === undefined) return `the document says nothing of ${status}`;
    const schema = toJsonObject(
      toJsonObject(toJsonObject(resolve(documented, document))['content'])['application/json'],
    )['schema'];
    if (!isJsonObject(schema)) return null;
    const accepted = compile(schema);
    if (accepted(body) !== true) return JSON.stringify(accepted.errors);
    if (!isStrict || status >= 300) return null;
    const isComplete = compileStrictly(forbidUnknownMembers(schema));
    return isComplete(body) === true ? null : JSON.stringify(isComplete.errors);
  };
}

/** Returns the same with `additionalProperties: false` in every schema of an object. */
function forbidUnknownMembers(schema: JsonObject): JsonObject {
  return JSON.parse(
    JSON.stringify(schema, (_, value) =>
      isJsonObject(value) && isJsonObject(value['properties']) && !('additionalProperties' in value)
        ? { ...value, additionalProperties: false }
        : value,
    ),
  );
}
