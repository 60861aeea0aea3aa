import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import {
  type ContentTypes,
  inlineContentTypes,
  type ResponseTypes,
  createResponseTypes,
  readContentSchemas,
  type TypeContext,
} from './content-types.ts';
import { entries } from './objects.ts';
import { readParameter, toSchema } from './operations.ts';
import type { TypeShape } from './shape.ts';

/** What stands in a document's `components` beside its schemas, typed: each section by key. */
export interface ComponentTypes {
  readonly responses: readonly (readonly [key: string, ResponseTypes])[];
  readonly parameters: readonly (readonly [key: string, TypeShape])[];
  readonly requestBodies: readonly (readonly [key: string, ContentTypes])[];
  readonly headers: readonly (readonly [key: string, TypeShape])[];
}

export function createComponentTypes(document: JsonObject, typing: TypeContext): ComponentTypes {
  const components = document['components'];
  const { references, shapes } = typing;
  /** Each entry of a section that can be typed. */
  const section = <Type>(
    name: string,
    typed: (value: Json, key: string) => Type | undefined,
  ): (readonly [string, Type])[] =>
    entries(isJsonObject(components) ? components[name] : undefined).flatMap(([key, value]) => {
      const type = typed(value, key);
      return type === undefined ? [] : [[key, type] as const];
    });
  return {
    responses: section('responses', (value) =>
      createResponseTypes('', value, typing, inlineContentTypes('read', typing)),
    ),
    parameters: section('parameters', (value) => {
      const parameter = readParameter(value, references);
      return parameter && shapes.shapeOf(parameter.schema, 'write');
    }),
    requestBodies: section('requestBodies', (value) => {
      const content = readContentSchemas(references.resolve(value)?.['content']);
      return content.length === 0 ? undefined : inlineContentTypes('write', typing)(content);
    }),
    headers: section('headers', (value) => {
      const header = references.resolve(value);
      return header && shapes.shapeOf(toSchema(header), 'read');
    }),
  };
}
