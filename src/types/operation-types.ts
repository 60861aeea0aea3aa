import { type JsonObject, jsonMembers } from '../json.ts';
import type { TypeDeclaration } from './alias-cycles.ts';
import { toCodeSpan, toCommentText } from './comment.ts';
import { type TypeNameAllocator, toTypeName } from './names.ts';
import {
  type DocumentOperation,
  type DocumentParameter,
  PARAMETER_LOCATIONS,
  type ParameterLocation,
} from './operations.ts';
import {
  createNamedTyper,
  createResponseTypes,
  type ResponseTypes,
  readSchemasByMediaType,
  type TypeContext,
  type TypesByMediaType,
} from './types-by-media-type.ts';

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
export interface OperationTypeContext extends TypeContext {
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

export type UnnamedType = Omit<TypeDeclaration, 'name' | 'comment'>;

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
