import { isJsonObject, type Json, type JsonObject, jsonMembers, memberAt } from '../../base/json.ts';
import { referenceOf } from '../openapi/document-objects.ts';
import type { Operation } from '../openapi/operations.ts';
import { toCodeSpan, toCommentText } from './comments.ts';
import {
  type DocumentParameter,
  PARAMETER_LOCATIONS,
  type ParameterLocation,
  type ReferenceResolver,
  readObjectSchema,
  type TypeDirection,
  type TypeNameAllocator,
  toStringLiteral,
  toTypeName,
} from './references.ts';
import type { SchemaTyper, TypeDeclaration } from './schema-types.ts';
import { namedType, type TypeSchema } from './type-schema.ts';

export interface OperationTypes {
  readonly operation: Operation;
  readonly comment: string;
  readonly declarations: readonly TypeDeclaration[];
  readonly parameters: Readonly<
    Partial<Record<ParameterLocation, { readonly name: string; readonly required: boolean }>>
  >;
  readonly body?: { readonly required: boolean; readonly content: TypesByMediaType };
  readonly responses: readonly (readonly [status: string, ResponseTypes])[];
}

export type ResponseTypes =
  | { readonly componentKey: string }
  | { readonly comment: string; readonly headers: TypeSchema; readonly content?: TypesByMediaType };

export type TypesByMediaType = readonly (readonly [mediaType: string, TypeSchema])[];

export interface SharedQueryParameters {
  readonly typeName: string;
  readonly parameters: ReadonlyMap<string, DocumentParameter>;
}

export interface TypeSources {
  readonly names: TypeNameAllocator;
  readonly references: ReferenceResolver;
  readonly typer: SchemaTyper;
  readonly sharedQuery: SharedQueryParameters;
}

export class OperationTyper {
  readonly #sources: TypeSources;
  /** By path and shape, which methods nearly always share. */
  readonly #pathTypeNames: Map<string, string> = new Map();

  constructor(sources: TypeSources) {
    this.#sources = sources;
  }

  typesOf(operation: Operation): OperationTypes {
    const { id, shared } = operation;
    const stem = toTypeName(id);
    const route = toCodeSpan(`${operation.method} ${operation.path}`);
    const declarations: TypeDeclaration[] = [];
    const declare: Declare = (suffix, what, type) => {
      // A body can have a file beside the fields of a component of its name.
      const name = this.#sources.names.allocate(
        stem + suffix,
        `${stem}${suffix === 'Body' ? 'Form' : `${suffix}Type`}`,
      );
      declarations.push({ name, comment: `${what} of ${route}.`, ...type });
      return name;
    };
    const parameters = this.#parameters(operation, declare);
    const body = this.#sources.references.resolve(shared.requestBody);
    const requestSchemas = readSchemasByMediaType(body);
    const responses = jsonMembers(shared.responses);
    const responseSchemas = responses
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([, response]) => readSchemasByMediaType(this.#sources.references.resolve(response)));
    const requestName = this.#nameContent(requestSchemas, 'write', stem, 'Body', declare);
    const responseName = this.#nameContent(responseSchemas, 'read', stem, 'Response', declare);
    const texts = [
      toCommentText(shared.summary),
      toCommentText(shared.description),
      route,
      shared.deprecated === true ? '@deprecated' : '',
    ];
    const content = this.#content(requestSchemas, 'write', requestName);
    return {
      operation,
      comment: texts.filter((text) => text !== '').join('\n\n'),
      declarations,
      parameters,
      ...(content.length === 0 ? {} : { body: { required: body?.['required'] === true, content } }),
      responses: this.#responses(responses, responseName),
    };
  }

  typesOfSharedResponses({ components }: JsonObject): OperationTypes['responses'] {
    return this.#responses(jsonMembers(memberAt(components, 'responses')));
  }

  #parameters(operation: Operation, declare: Declare): OperationTypes['parameters'] {
    const parameters = this.#sources.references.parametersOf(operation);
    const types: [ParameterLocation, { name: string; required: boolean }][] = [];
    for (const location of PARAMETER_LOCATIONS) {
      const located = parameters.filter((parameter) => parameter.in === location);
      if (located.length === 0) continue;
      const type = parametersType(located, this.#sources);
      const key = location === 'path' ? `${operation.path} ${JSON.stringify(type.type)}` : '';
      const known = this.#pathTypeNames.get(key);
      const own = known === undefined ? type : { type: namedType(known) };
      const name = declare(...LOCATION_WORDS[location], own);
      if (location === 'path') this.#pathTypeNames.set(key, known ?? name);
      types.push([location, { name, required: located.some(({ required }) => required) }]);
    }
    return Object.fromEntries(types);
  }

  /** Names the main schema, JSON's or else the first media type's, unless a component has the name. */
  #nameContent(
    all: SchemasByMediaType,
    direction: TypeDirection,
    stem: string,
    suffix: 'Body' | 'Response',
    declare: Declare,
  ): NamedType | undefined {
    const [, main] = all.find(([mediaType]) => /^[^;]*[/+]json/.test(mediaType)) ?? all[0] ?? [];
    if (main === undefined) return undefined;
    const type = this.#sources.typer.typeOf(main, direction);
    const reference = referenceOf(main);
    const existing =
      reference === undefined ? undefined : this.#sources.references.typeNameOf(reference, direction);
    return { type, name: existing === stem + suffix ? existing : declare(suffix, suffix, { type }) };
  }

  #content(schemas: SchemasByMediaType, direction: TypeDirection, named?: NamedType): TypesByMediaType {
    return schemas.map(([mediaType, schema]) => {
      const type = this.#sources.typer.typeOf(schema, direction);
      return [mediaType, type === named?.type ? namedType(named.name) : type];
    });
  }

  #responses(
    responses: readonly (readonly [status: string, response: Json])[],
    named?: NamedType,
  ): OperationTypes['responses'] {
    return responses.flatMap(([status, response]): OperationTypes['responses'] => {
      const object = this.#sources.references.resolve(response);
      if (object === undefined) return [];
      const componentKey = /^#\/components\/responses\/([\w.-]+)$/.exec(referenceOf(response) ?? '')?.[1];
      if (componentKey !== undefined) return [[status, { componentKey }]];
      const declared = readSchemasByMediaType(object);
      // 204 and 205 have no content (RFC 9110 §15.3).
      const mayHaveContent = /^2/.test(status) && status !== '204' && status !== '205';
      const schemas = declared.length === 0 && mayHaveContent ? UNDOCUMENTED_CONTENT : declared;
      const types = {
        comment: toCommentText(object['description']),
        headers: this.#sources.typer.typeOf(this.#headersSchema(object['headers']), 'read'),
        ...(schemas.length === 0 ? {} : { content: this.#content(schemas, 'read', named) }),
      };
      return [[status, types]];
    });
  }

  /** Responses can have more headers than stated. Descriptions from `components.headers` aren't repeated. */
  #headersSchema(headers: Json | undefined): JsonObject {
    const properties = jsonMembers(headers).flatMap(([name, header]) => {
      const object = this.#sources.references.resolve(header);
      if (object === undefined) return [];
      const { description, ...type } = readObjectSchema(object);
      const shared = referenceOf(header) !== undefined;
      return [[name, shared || description === undefined ? type : { ...type, description }] as const];
    });
    if (properties.length === 0) return ANY_HEADERS;
    return { ...ANY_HEADERS, properties: Object.fromEntries(properties) };
  }
}

type Declare = (suffix: string, what: string, type: UnnamedType) => string;

type UnnamedType = Omit<TypeDeclaration, 'name' | 'comment'>;

interface NamedType {
  readonly type: TypeSchema;
  readonly name: string;
}

const LOCATION_WORDS: Readonly<Record<ParameterLocation, readonly [suffix: string, what: string]>> = {
  query: ['Query', 'Query'],
  header: ['Headers', 'Request headers'],
  path: ['Path', 'Path parameters'],
  cookie: ['Cookies', 'Cookies'],
};

/** One object, so that its type is created once. */
const ANY_HEADERS: JsonObject = { type: 'object', properties: {}, additionalProperties: true };

type SchemasByMediaType = readonly (readonly [mediaType: string, Json | undefined])[];

const UNDOCUMENTED_CONTENT: SchemasByMediaType = [['application/json', undefined]];

function readSchemasByMediaType(message: JsonObject | undefined): SchemasByMediaType {
  return jsonMembers(message?.['content']).map(([mediaType, value]) => [
    mediaType,
    isJsonObject(value) ? value['schema'] : undefined,
  ]);
}

export function parametersType(
  parameters: readonly DocumentParameter[],
  { sharedQuery, typer }: Pick<TypeSources, 'sharedQuery' | 'typer'>,
): UnnamedType {
  const isShared = (parameter: DocumentParameter): boolean =>
    parameter.in === 'query' &&
    parameter.componentKey !== undefined &&
    sharedQuery.parameters.get(parameter.componentKey)?.name === parameter.name;
  const common = parameters.filter(isShared).map(({ name }) => toStringLiteral(name));
  const type = typer.typeOf(
    createParametersSchema(parameters.filter((parameter) => !isShared(parameter))),
    parameters.some((parameter) => parameter.in === 'query') ? 'query' : 'write',
  );
  if (common.length === 0) return { type };
  const all = common.length === sharedQuery.parameters.size;
  return {
    type,
    extends: all ? sharedQuery.typeName : `Pick<${sharedQuery.typeName}, ${common.join(' | ')}>`,
  };
}

export function createParametersSchema(parameters: readonly DocumentParameter[]): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}
