import { isJsonObject, type Json, type JsonObject, jsonMembers } from '../json.ts';
import { toCommentText } from './comment.ts';
import type { TypeDirection } from './directions.ts';
import { toSchema } from './operations.ts';
import type { ReferenceResolver } from './references.ts';
import type { TypeShape } from './shape.ts';
import { isSameShape, type ShapeCache } from './shape-cache.ts';

/** Types of a request or response content, by media type. */
export type ContentTypes = readonly (readonly [mediaType: string, TypeShape])[];

/** Schemas by media type; `undefined` if the document has no schema for one. */
export type ContentSchemas = readonly (readonly [mediaType: string, Json | undefined])[];

export type ResponseTypes =
  /** A key of `components.responses`. */
  | { readonly component: string }
  | { readonly comment: string; readonly headers: TypeShape; readonly content?: ContentTypes };

/** What is needed to create the types of contents. */
export interface TypeContext {
  readonly references: ReferenceResolver;
  readonly shapes: ShapeCache;
}

export function readContentSchemas(content: Json | undefined): ContentSchemas {
  return jsonMembers(content).map(([mediaType, value]) => [
    mediaType,
    isJsonObject(value) ? value['schema'] : undefined,
  ]);
}

/** Creates the types of contents without declaring names for them. */
export function inlineContentTypes(
  direction: TypeDirection,
  { shapes }: TypeContext,
): (schemas: ContentSchemas) => ContentTypes {
  return (schemas) => schemas.map(([mediaType, schema]) => [mediaType, shapes.shapeOf(schema, direction)]);
}

/**
 * Declares one name for the main schema of all contents (that of JSON, else of the first media type), and creates types
 * that refer to the name wherever the schema is used. A component that already has the wanted name is not declared again.
 */
export function namedContentTypes(
  all: ContentSchemas,
  direction: TypeDirection,
  context: TypeContext,
  wanted: string,
  declare: (shape: TypeShape) => string,
): (schemas: ContentSchemas) => ContentTypes {
  const { references, shapes } = context;
  const [, main] = all.find(([mediaType]) => /^[^;]*[/+]json/.test(mediaType)) ?? all[0] ?? [];
  if (main === undefined) return inlineContentTypes(direction, context);
  const shape = shapes.shapeOf(main, direction);
  const ref = isJsonObject(main) ? main['$ref'] : undefined;
  const existing = typeof ref === 'string' ? references.typeNameOf(ref, direction) : undefined;
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
  content: (schemas: ContentSchemas) => ContentTypes,
): ResponseTypes | undefined {
  const object = references.resolve(response);
  if (object === undefined) return undefined;
  const component = isJsonObject(response) ? responseComponentName(response) : undefined;
  if (component !== undefined) return { component };
  const schemas = readContentSchemas(object['content']);
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

const UNDOCUMENTED_CONTENT: ContentSchemas = [['application/json', undefined]];

/**
 * The schema of a response's headers, which is open, because a response may have headers that the document does not
 * state. A header from `components.headers` has its description only there.
 */
function headersSchema(headers: Json | undefined, references: ReferenceResolver): JsonObject {
  const properties = jsonMembers(headers).flatMap(([name, header]) => {
    const object = references.resolve(header);
    if (object === undefined) return [];
    const { description, ...type } = toSchema(object);
    const shared = isJsonObject(header) && typeof header['$ref'] === 'string';
    return [[name, shared || description === undefined ? type : { ...type, description }] as const];
  });
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: true };
}

function responseComponentName({ $ref }: JsonObject): string | undefined {
  return typeof $ref === 'string' ? /^#\/components\/responses\/([\w.-]+)$/.exec($ref)?.[1] : undefined;
}
