import { isJsonObject, type Json, type JsonObject, jsonMembers } from '../json.ts';
import { referenceOf } from '../openapi/document-references.ts';
import { toCommentText } from './comment.ts';
import type { TypeDirection } from './directions.ts';
import { readObjectSchema } from './operations.ts';
import type { ReferenceResolver } from './references.ts';
import type { TypeShape } from './shape.ts';
import { isSameShape, type ShapeCache } from './shape-cache.ts';

/** Types of a request or response content, by media type. */
export type TypesByMediaType = readonly (readonly [mediaType: string, TypeShape])[];

/** Schemas of a request or response content, by media type. `undefined` stands for a missing schema. */
export type SchemasByMediaType = readonly (readonly [mediaType: string, Json | undefined])[];

export type ResponseTypes =
  /** A key of `components.responses`. */
  | { readonly componentKey: string }
  | { readonly comment: string; readonly headers: TypeShape; readonly content?: TypesByMediaType };

/** Shared state for the creation of types: the document's references, and the shapes created so far. */
export interface TypeContext {
  readonly references: ReferenceResolver;
  readonly shapes: ShapeCache;
}

export function readSchemasByMediaType(content: Json | undefined): SchemasByMediaType {
  return jsonMembers(content).map(([mediaType, value]) => [
    mediaType,
    isJsonObject(value) ? value['schema'] : undefined,
  ]);
}

/** Creates a function that creates the types of contents without a name. */
export function createInlineTyper(
  direction: TypeDirection,
  { shapes }: TypeContext,
): (schemas: SchemasByMediaType) => TypesByMediaType {
  return (schemas) => schemas.map(([mediaType, schema]) => [mediaType, shapes.shapeOf(schema, direction)]);
}

/**
 * Creates a function that creates the types of contents. It declares a name for the main schema: that of JSON, else of
 * the first media type. Types of contents with this schema refer to the name. If a component has the wanted name already,
 * no name is declared.
 */
export function createNamedTyper(
  all: SchemasByMediaType,
  direction: TypeDirection,
  context: TypeContext,
  wanted: string,
  declare: (shape: TypeShape) => string,
): (schemas: SchemasByMediaType) => TypesByMediaType {
  const { references, shapes } = context;
  const [, main] = all.find(([mediaType]) => /^[^;]*[/+]json/.test(mediaType)) ?? all[0] ?? [];
  if (main === undefined) return createInlineTyper(direction, context);
  const shape = shapes.shapeOf(main, direction);
  const ref = referenceOf(main);
  const existing = ref === undefined ? undefined : references.typeNameOf(ref, direction);
  const name = existing === wanted ? existing : declare(shape);
  return (schemas) =>
    schemas.map(([mediaType, schema]) => {
      const candidate = shapes.shapeOf(schema, direction);
      return [mediaType, isSameShape(candidate, shape) ? shapes.shapeOfTypes(name) : candidate];
    });
}

/** Creates the types of one response; `undefined` if its reference has no target. */
export function createResponseTypes(
  status: string,
  response: Json,
  { references, shapes }: TypeContext,
  content: (schemas: SchemasByMediaType) => TypesByMediaType,
): ResponseTypes | undefined {
  const object = references.resolve(response);
  if (object === undefined) return undefined;
  const componentKey = /^#\/components\/responses\/([\w.-]+)$/.exec(referenceOf(response) ?? '')?.[1];
  if (componentKey !== undefined) return { componentKey };
  const schemas = readSchemasByMediaType(object['content']);
  return {
    comment: toCommentText(object['description']),
    headers: shapes.shapeOf(headersSchema(object['headers'], references), 'read'),
    ...(schemas.length > 0 || hasUndocumentedContent(status)
      ? { content: content(schemas.length > 0 ? schemas : UNDOCUMENTED_CONTENT) }
      : {}),
  };
}

/** Whether a response without a schema may have any content: a 2xx response except 204 and 205 (RFC 9110 §15.3). */
function hasUndocumentedContent(status: string): boolean {
  return /^2/.test(status) && status !== '204' && status !== '205';
}

const UNDOCUMENTED_CONTENT: SchemasByMediaType = [['application/json', undefined]];

/**
 * Creates the schema of a response's headers. It allows further properties, because a response may have headers that the
 * document does not state. The description of a header from `components.headers` is not repeated.
 */
function headersSchema(headers: Json | undefined, references: ReferenceResolver): JsonObject {
  const properties = jsonMembers(headers).flatMap(([name, header]) => {
    const object = references.resolve(header);
    if (object === undefined) return [];
    const { description, ...type } = readObjectSchema(object);
    const shared = referenceOf(header) !== undefined;
    return [[name, shared || description === undefined ? type : { ...type, description }] as const];
  });
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: true };
}
