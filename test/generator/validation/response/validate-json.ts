import type { Json, JsonObject } from '../../../../src/base/json.ts';
import type { Operation } from '../../../../src/generator/openapi/index.ts';
import type { ResponseFinding } from '../../../../src/generator/validation/response/schema.ts';
import {
  createResponseValidator,
  type ResponseValidationResult,
  type SampledResponse,
} from '../../../../src/generator/validation/response/validator.ts';
import { createOperation as createStated } from '../../../support/operation.ts';

const AT = '/components/schemas/It';
const JSON_HEADERS: string[] = ['Content-Type', 'application/json; charset=UTF-8'];

function createOperation(responseSchema: JsonObject | undefined): Operation {
  return createStated(responseSchema === undefined ? {} : { responseSchema, responsePointer: AT });
}

export interface ResponseOverrides extends Partial<Omit<SampledResponse, 'body'>> {
  readonly schemas?: JsonObject;
}

/** Validates a response body, given as JSON text or as a value, by a schema. */
export function validateJson(
  schema: JsonObject | undefined,
  body: string,
  given: ResponseOverrides = {},
): ResponseValidationResult {
  const { schemas = {}, ...response } = given;
  const validator = createResponseValidator({ components: { schemas: { ...schemas, It: schema ?? true } } });
  return validator({
    operation: createOperation(schema),
    status: 200,
    headers: JSON_HEADERS,
    context: null,
    ...response,
    body: new TextEncoder().encode(body),
  });
}

export function collectJsonFindings(
  schema: JsonObject,
  value: Json,
  given: ResponseOverrides = {},
): readonly ResponseFinding[] {
  const result = validateJson(schema, JSON.stringify(value), given);
  if (result.kind === 'skipped') throw new Error(`not validated: ${result.reason}`);
  return result.findings;
}

/** `null /title`: kind and place, which is what most tests are about. */
export function summarize(findings: readonly ResponseFinding[]): readonly string[] {
  return findings.map(({ kind, pointer }) => `${kind} ${pointer}`.trim());
}
