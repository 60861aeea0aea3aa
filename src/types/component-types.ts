import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import {
  type Content,
  contentTypes,
  type ResponseTypes,
  responseTypes,
  schemasOf,
  type Typing,
} from './content-types.ts';
import { entries } from './objects.ts';
import { readParameter, typeOf } from './operations.ts';
import type { Shape } from './shape.ts';

/** What stands in a document's `components` beside its schemas, typed: each section by key. */
export interface ComponentTypes {
  readonly responses: readonly (readonly [key: string, ResponseTypes])[];
  readonly parameters: readonly (readonly [key: string, Shape])[];
  readonly requestBodies: readonly (readonly [key: string, Content])[];
  readonly headers: readonly (readonly [key: string, Shape])[];
}

export function componentTypes(document: JsonObject, typing: Typing): ComponentTypes {
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
      responseTypes('', value, typing, contentTypes('read', typing)),
    ),
    parameters: section('parameters', (value) => {
      const parameter = readParameter(value, references);
      return parameter && shapes.take(parameter.schema, 'write');
    }),
    requestBodies: section('requestBodies', (value) => {
      const content = schemasOf(references.follow(value)?.['content']);
      return content.length === 0 ? undefined : contentTypes('write', typing)(content);
    }),
    headers: section('headers', (value) => {
      const header = references.follow(value);
      return header && shapes.take(typeOf(header), 'read');
    }),
  };
}
