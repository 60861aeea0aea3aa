import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { prose } from './comment.ts';
import type { Direction } from './directions.ts';
import { entries } from './objects.ts';
import { typeOf } from './operations.ts';
import type { References } from './references.ts';
import type { Shape } from './shape.ts';
import { isSameShape, type Shapes } from './shapes.ts';

/** Types by media type. */
export type Content = readonly (readonly [mediaType: string, Shape])[];

/** Schemas by media type; nothing where the document has no schema. */
export type Schemas = readonly (readonly [mediaType: string, Json | undefined])[];

export type ResponseTypes =
  /** A key of `components.responses`. */
  | { readonly component: string }
  | { readonly comment: string; readonly headers: Shape; readonly content?: Content };

/** What contents are typed with. */
export interface Typing {
  readonly references: References;
  readonly shapes: Shapes;
}

export function schemasOf(content: Json | undefined): Schemas {
  return entries(content).map(([mediaType, value]) => [
    mediaType,
    isJsonObject(value) ? value['schema'] : undefined,
  ]);
}

/** The type of each schema where it stands. */
export function contentTypes(direction: Direction, { shapes }: Typing): (schemas: Schemas) => Content {
  return (schemas) => schemas.map(([mediaType, schema]) => [mediaType, shapes.take(schema, direction)]);
}

/**
 * Of all the schemas, the one that a caller meets first (that of JSON, else of the first media type) is declared under
 * a name, however many media types and statuses have it. It is not where it is a component that has the name already.
 */
export function namedContentTypes(
  all: Schemas,
  direction: Direction,
  typing: Typing,
  wanted: string,
  declare: (shape: Shape) => string,
): (schemas: Schemas) => Content {
  const { references, shapes } = typing;
  const [, main] = all.find(([mediaType]) => /^[^;]*[/+]json/.test(mediaType)) ?? all[0] ?? [];
  if (main === undefined) {
    return contentTypes(direction, typing);
  }
  const shape = shapes.take(main, direction);
  const ref = isJsonObject(main) ? main['$ref'] : undefined;
  const known = typeof ref === 'string' ? references.type(ref, direction) : undefined;
  const name = known === wanted ? known : declare(shape);
  return (schemas) =>
    schemas.map(([mediaType, schema]) => {
      const here = shapes.take(schema, direction);
      return [mediaType, isSameShape(here, shape) ? shapes.named(name) : here];
    });
}

/** The types of one response; nothing where its reference leads nowhere. */
export function responseTypes(
  status: string,
  response: Json,
  { references, shapes }: Typing,
  content: (schemas: Schemas) => Content,
): ResponseTypes | undefined {
  const object = references.follow(response);
  if (object === undefined) {
    return undefined;
  }
  const component = isJsonObject(response) ? componentOf(response) : undefined;
  if (component !== undefined) {
    return { component };
  }
  const schemas = schemasOf(object['content']);
  return {
    comment: prose(object['description']),
    headers: shapes.take(headersSchema(object['headers'], references), 'read'),
    ...(schemas.length > 0 || saysNothing(status)
      ? { content: content(schemas.length > 0 ? schemas : anything) }
      : {}),
  };
}

/** A success of which the document does not say what it holds: it may hold anything. 204 and 205 hold nothing (RFC 9110). */
function saysNothing(status: string): boolean {
  return /^2/.test(status) && status !== '204' && status !== '205';
}

const anything: Schemas = [['application/json', undefined]];

/**
 * Any response may have headers that the document does not name. One from `components.headers` is described there, not
 * above each of its uses.
 */
function headersSchema(headers: Json | undefined, references: References): JsonObject {
  const known = entries(headers).flatMap(([name, header]) => {
    const object = references.follow(header);
    if (object === undefined) {
      return [];
    }
    const { description, ...type } = typeOf(object);
    const shared = isJsonObject(header) && typeof header['$ref'] === 'string';
    return [[name, shared || description === undefined ? type : { ...type, description }] as const];
  });
  return { type: 'object', properties: Object.fromEntries(known), additionalProperties: true };
}

function componentOf({ $ref }: JsonObject): string | undefined {
  return typeof $ref === 'string' ? /^#\/components\/responses\/([\w.-]+)$/.exec($ref)?.[1] : undefined;
}
