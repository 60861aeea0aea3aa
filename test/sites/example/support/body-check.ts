import { isJsonObject, type JsonObject, toJsonObject } from '../../../../src/base/json.ts';
import { createSchemaCompiler } from '../../../support/document-schemas.ts';
import { resolve } from './documented-operations.ts';

/** Validates a response body against the document. Returns the errors, or `null`. */
export type BodyCheck = (operation: string, status: number, body: unknown) => string | null;

/**
 * Creates a body check. A response without a schema is valid.
 */
export function createBodyCheck(document: JsonObject): BodyCheck {
  // Formats are annotations (JSON Schema 2020-12 §7.2.1): WordPress's `date-time` has no zone.
  const compile = createSchemaCompiler(document, { validateFormats: false });
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
    return accepted(body) === true ? null : JSON.stringify(accepted.errors);
  };
}
