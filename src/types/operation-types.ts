import { isJsonObject, type Json, type JsonObject, jsonMembers } from '../json.ts';
import { referenceOf } from '../openapi/document-references.ts';
import { toCodeSpan, toCommentText } from './comments.ts';
import { type TypeNameAllocator, toTypeName } from './names.ts';
import {
  type DocumentOperation,
  type DocumentParameter,
  PARAMETER_LOCATIONS,
  type ParameterLocation,
  readObjectSchema,
  readParameter,
} from './operations.ts';
import type { TypeDeclaration } from './plan.ts';
import type { ReferenceResolver, TypeDirection } from './references.ts';
import { isSameShape, type ShapeCache, type TypeShape } from './shape.ts';

/** The types of one operation: its declarations, and its entry in `operations`. */
export interface OperationTypes {
  readonly operation: DocumentOperation;
  /** Summary, description and route, and `@deprecated` if the operation is. */
  readonly comment: string;
  readonly declarations: readonly TypeDeclaration[];
  readonly parameters: Readonly<
    Partial<Record<ParameterLocation, { readonly name: string; readonly required: boolean }>>
  >;
  readonly body?: { readonly required: boolean; readonly content: TypesByMediaType };
  readonly responses: readonly (readonly [status: string, ResponseTypes])[];
}

/** Shared state for the creation of the types of operations. */
interface OperationTypeContext extends TypeContext {
  readonly names: TypeNameAllocator;
  readonly sharedQuery: SharedQueryParameters;
  /** Names of the types of path parameters, by path and shape. The methods of a path nearly always share a type. */
  readonly pathTypeNames: Map<string, string>;
}

/** The query parameters of `components.parameters` that operations refer to, in one interface. */
export interface SharedQueryParameters {
  readonly typeName: string;
  /** By key in `components.parameters`. */
  readonly parameters: ReadonlyMap<string, DocumentParameter>;
}

export function createOperationTypes(
  operation: DocumentOperation,
  context: OperationTypeContext,
): OperationTypes {
  const { operationObject, id } = operation;
  const stem = toTypeName(id);
  const route = toCodeSpan(`${operation.method.toUpperCase()} ${operation.path}`);
  const declarations: TypeDeclaration[] = [];
  const declare = (suffix: string, declaration: Omit<TypeDeclaration, 'name'>): string => {
    const name = context.names.allocate(stem + suffix);
    declarations.push({ name, ...declaration });
    return name;
  };

  const parameters = createParameterTypes(operation, context, (location, type) => {
    const [suffix, what] = LOCATION_WORDS[location];
    return declare(suffix, { comment: `${what} of ${route}.`, ...type });
  });

  const body = context.references.resolve(operationObject['requestBody']);
  const requestSchemas = readSchemasByMediaType(body?.['content']);
  const responses = jsonMembers(operationObject['responses']);
  const responseSchemas = responses
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, response]) => readSchemasByMediaType(context.references.resolve(response)?.['content']));
  const requestTypes = createNamedTyper(requestSchemas, 'write', context, `${stem}Body`, (shape) =>
    declare('Body', { comment: `Body of ${route}.`, shape }),
  );
  const namedResponseTypes = createNamedTyper(responseSchemas, 'read', context, `${stem}Response`, (shape) =>
    declare('Response', { comment: `Response of ${route}.`, shape }),
  );
  return {
    operation,
    comment: [
      toCommentText(operationObject['summary']),
      toCommentText(operationObject['description']),
      route,
      operationObject['deprecated'] === true ? '@deprecated' : '',
    ]
      .filter((text) => text !== '')
      .join('\n\n'),
    declarations,
    parameters,
    ...(requestSchemas.length === 0
      ? {}
      : { body: { required: body?.['required'] === true, content: requestTypes(requestSchemas) } }),
    responses: responses.flatMap(([status, response]) => {
      const types = createResponseTypes(status, response, context, namedResponseTypes);
      return types === undefined ? [] : [[status, types]];
    }),
  };
}

/** For each location, the suffix of the type's name and the words for its comment. */
const LOCATION_WORDS: Readonly<Record<ParameterLocation, readonly [suffix: string, what: string]>> = {
  query: ['Query', 'Query'],
  header: ['Headers', 'Request headers'],
  path: ['Path', 'Path parameters'],
  cookie: ['Cookies', 'Cookies'],
};

type UnnamedType = Omit<TypeDeclaration, 'name' | 'comment'>;

function createParameterTypes(
  { path, parameters }: DocumentOperation,
  context: OperationTypeContext,
  declare: (location: ParameterLocation, type: UnnamedType) => string,
): OperationTypes['parameters'] {
  const types: [ParameterLocation, { name: string; required: boolean }][] = [];
  for (const location of PARAMETER_LOCATIONS) {
    const located = parameters.filter((parameter) => parameter.in === location);
    if (located.length > 0) {
      const type = parametersShape(located, context);
      const key = location === 'path' ? `${path} ${JSON.stringify(type.shape)}` : '';
      const known = context.pathTypeNames.get(key);
      const name = declare(
        location,
        known === undefined ? type : { shape: context.shapes.shapeOfTypes(known) },
      );
      if (location === 'path') {
        context.pathTypeNames.set(key, known ?? name);
      }
      types.push([location, { name, required: located.some(({ required }) => required) }]);
    }
  }
  return Object.fromEntries(types);
}

/** The type of parameters. Shared parameters are inherited from the interface of shared parameters. */
export function parametersShape(
  parameters: readonly DocumentParameter[],
  { shapes, sharedQuery }: Pick<OperationTypeContext, 'shapes' | 'sharedQuery'>,
): UnnamedType {
  const isShared = (parameter: DocumentParameter): boolean =>
    parameter.in === 'query' &&
    parameter.componentKey !== undefined &&
    sharedQuery.parameters.get(parameter.componentKey)?.name === parameter.name;
  const common = parameters.filter(isShared).map(({ name }) => JSON.stringify(name));
  const shape = shapes.shapeOf(
    createParametersSchema(parameters.filter((parameter) => !isShared(parameter))),
    parameters.some((parameter) => parameter.in === 'query') ? 'query' : 'write',
  );
  if (common.length === 0) return { shape };
  const all = common.length === sharedQuery.parameters.size;
  return {
    shape,
    extends: all ? sharedQuery.typeName : `Pick<${sharedQuery.typeName}, ${common.join(' | ')}>`,
  };
}

/** Creates the object schema that has each parameter as a property. */
export function createParametersSchema(parameters: readonly DocumentParameter[]): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

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

/** Types of a request or response content, by media type. */
export type TypesByMediaType = readonly (readonly [mediaType: string, TypeShape])[];

/** Schemas of a request or response content, by media type. `undefined` stands for a missing schema. */
type SchemasByMediaType = readonly (readonly [mediaType: string, Json | undefined])[];

export type ResponseTypes =
  /** A key of `components.responses`. */
  | { readonly componentKey: string }
  | { readonly comment: string; readonly headers: TypeShape; readonly content?: TypesByMediaType };

/** Shared state for the creation of types: the document's references, and the shapes created so far. */
interface TypeContext {
  readonly references: ReferenceResolver;
  readonly shapes: ShapeCache;
}

function readSchemasByMediaType(content: Json | undefined): SchemasByMediaType {
  return jsonMembers(content).map(([mediaType, value]) => [
    mediaType,
    isJsonObject(value) ? value['schema'] : undefined,
  ]);
}

/** Creates a function that creates the types of contents without a name. */
function createInlineTyper(
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
function createNamedTyper(
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
function createResponseTypes(
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
