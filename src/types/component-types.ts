import { isJsonObject, type Json, type JsonObject, jsonMembers } from '../json.ts';
import { readObjectSchema, readParameter } from './operations.ts';
import type { TypeShape } from './shape.ts';
import {
  createInlineTyper,
  createResponseTypes,
  type ResponseTypes,
  readSchemasByMediaType,
  type TypeContext,
  type TypesByMediaType,
} from './types-by-media-type.ts';

/** The types of a document's components except schemas: each section by key. */
export interface ComponentTypes {
  readonly responses: readonly (readonly [key: string, ResponseTypes])[];
  readonly parameters: readonly (readonly [key: string, TypeShape])[];
  readonly requestBodies: readonly (readonly [key: string, TypesByMediaType])[];
  readonly headers: readonly (readonly [key: string, TypeShape])[];
}

export function createComponentTypes(document: JsonObject, context: TypeContext): ComponentTypes {
  const components = document['components'];
  const { references, shapes } = context;
  /** The entries of a section for which `typed` returns a type. */
  const section = <Type>(
    name: string,
    typed: (value: Json, key: string) => Type | undefined,
  ): (readonly [string, Type])[] =>
    jsonMembers(isJsonObject(components) ? components[name] : undefined).flatMap(([key, value]) => {
      const type = typed(value, key);
      return type === undefined ? [] : [[key, type] as const];
    });
  return {
    responses: section('responses', (value) =>
      createResponseTypes('', value, context, createInlineTyper('read', context)),
    ),
    parameters: section('parameters', (value) => {
      const parameter = readParameter(value, references);
      return parameter && shapes.shapeOf(parameter.schema, parameter.in === 'query' ? 'query' : 'write');
    }),
    requestBodies: section('requestBodies', (value) => {
      const content = readSchemasByMediaType(references.resolve(value)?.['content']);
      return content.length === 0 ? undefined : createInlineTyper('write', context)(content);
    }),
    headers: section('headers', (value) => {
      const header = references.resolve(value);
      return header && shapes.shapeOf(readObjectSchema(header), 'read');
    }),
  };
}
