import type { JsonObject } from '../../src/base/json.ts';
import { Operation, type Parameter } from '../../src/generator/openapi/index.ts';

export interface StatedOperation {
  readonly id?: string;
  readonly method?: string;
  readonly path?: string;
  readonly parameters?: readonly Parameter[];
  readonly bodySchema?: JsonObject;
  readonly responseSchema?: JsonObject;
  readonly responsePointer?: string;
}

/** An operation whose document has nothing but it. */
export function createOperation(stated: StatedOperation): Operation {
  const { id = 'getIt', method = 'GET', path = '/it', parameters = [], ...schemas } = stated;
  const content = (schema: JsonObject | undefined): JsonObject =>
    schema === undefined ? {} : { content: { 'application/json': { schema } } };
  const shared: JsonObject = {
    operationId: id,
    parameters: parameters.map((parameter) => ({ ...parameter })),
    requestBody: content(schemas.bodySchema),
    responses: { 200: content(schemas.responseSchema) },
  };
  return new PlacedOperation(
    { document: {}, namespaces: new Set(), path, method, pathItem: {}, shared },
    stated.responsePointer,
  );
}

/** An operation whose response stands elsewhere. */
class PlacedOperation extends Operation {
  readonly #pointer: string | undefined;

  constructor(source: Operation['source'], pointer: string | undefined) {
    super(source);
    this.#pointer = pointer;
  }

  override get responsePointer(): string | undefined {
    return this.#pointer ?? super.responsePointer;
  }
}
