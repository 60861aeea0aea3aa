import type { Json } from '../../src/base/json.ts';
import type { SampledResponse } from '../../src/generator/validation/response/validator.ts';

/** A response to a GET with a value as JSON, as the validator of responses takes it. */
export function jsonResponse(value: Json, context: string | null = null): Omit<SampledResponse, 'operation'> {
  return {
    status: 200,
    headers: ['content-type', 'application/json'],
    body: new TextEncoder().encode(JSON.stringify(value)),
    context,
  };
}
