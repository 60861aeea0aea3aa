import type { JsonObject } from '../json.ts';
import { code, prose } from './comment.ts';
import {
  type Content,
  namedContentTypes,
  type ResponseTypes,
  responseTypes,
  schemasOf,
  type Typing,
} from './content-types.ts';
import type { Declaration } from './declarations.ts';
import { type TypeNames, typeName } from './names.ts';
import { entries } from './objects.ts';
import { type Operation, type Parameter, type ParameterPlace, parameterPlaces } from './operations.ts';

/** The types of one operation: those that get names, and its entry in `operations`. */
export interface OperationTypes {
  readonly operation: Operation;
  /** Summary, description and route. */
  readonly comment: string;
  readonly declarations: readonly Declaration[];
  readonly parameters: Readonly<
    Partial<Record<ParameterPlace, { readonly name: string; readonly required: boolean }>>
  >;
  readonly body?: { readonly required: boolean; readonly content: Content };
  readonly responses: readonly (readonly [status: string, ResponseTypes])[];
}

/** What the operations of a document are typed with. */
export interface OperationTyping extends Typing {
  readonly names: TypeNames;
  readonly shared: SharedQuery;
  /** Names of path parameters' types by path and shape: the methods of a path nearly always have the same. */
  readonly pathTypes: Map<string, string>;
}

/** The query parameters that operations refer to in `components.parameters`, in one interface. */
export interface SharedQuery {
  readonly name: string;
  /** By key in `components.parameters`. */
  readonly parameters: ReadonlyMap<string, Parameter>;
}

export function operationTypes(operation: Operation, typing: OperationTyping): OperationTypes {
  const { object, id } = operation;
  const stem = typeName(id);
  const route = code(`${operation.method.toUpperCase()} ${operation.path}`);
  const declarations: Declaration[] = [];
  const declare = (suffix: string, declaration: Omit<Declaration, 'name'>): string => {
    const name = typing.names.take(stem + suffix);
    declarations.push({ name, ...declaration });
    return name;
  };

  const parameters = parameterTypes(operation, typing, (place, type) => {
    const [suffix, what] = placeWords[place];
    return declare(suffix, { comment: `${what} of ${route}.`, ...type });
  });

  const body = typing.references.follow(object['requestBody']);
  const sent = schemasOf(body?.['content']);
  const answers = entries(object['responses']);
  const answered = answers
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, answer]) => schemasOf(typing.references.follow(answer)?.['content']));
  const sentTypes = namedContentTypes(sent, 'write', typing, `${stem}Body`, (shape) =>
    declare('Body', { comment: `Body of ${route}.`, shape }),
  );
  const answerTypes = namedContentTypes(answered, 'read', typing, `${stem}Response`, (shape) =>
    declare('Response', { comment: `Answer of ${route}.`, shape }),
  );
  return {
    operation,
    comment: [
      prose(object['summary']),
      prose(object['description']),
      route,
      object['deprecated'] === true ? '@deprecated' : '',
    ]
      .filter((text) => text !== '')
      .join('\n\n'),
    declarations,
    parameters,
    ...(sent.length === 0
      ? {}
      : { body: { required: body?.['required'] === true, content: sentTypes(sent) } }),
    responses: answers.flatMap(([status, answer]) => {
      const types = responseTypes(status, answer, typing, answerTypes);
      return types === undefined ? [] : [[status, types]];
    }),
  };
}

/** The suffix of the type's name, and what its comment calls it. */
const placeWords: Readonly<Record<ParameterPlace, readonly [suffix: string, what: string]>> = {
  query: ['Query', 'Query'],
  header: ['Headers', 'Request headers'],
  path: ['Path', 'Path parameters'],
  cookie: ['Cookies', 'Cookies'],
};

type UnnamedType = Omit<Declaration, 'name' | 'comment'>;

function parameterTypes(
  { path, parameters }: Operation,
  typing: OperationTyping,
  declare: (place: ParameterPlace, type: UnnamedType) => string,
): OperationTypes['parameters'] {
  const types: [ParameterPlace, { name: string; required: boolean }][] = [];
  for (const place of parameterPlaces) {
    const here = parameters.filter((parameter) => parameter.in === place);
    if (here.length > 0) {
      const type = parametersType(here, typing);
      const key = place === 'path' ? `${path} ${JSON.stringify(type.shape)}` : '';
      const known = typing.pathTypes.get(key);
      const name = declare(place, known === undefined ? type : { shape: typing.shapes.named(known) });
      if (place === 'path') {
        typing.pathTypes.set(key, known ?? name);
      }
      types.push([place, { name, required: here.some(({ required }) => required) }]);
    }
  }
  return Object.fromEntries(types);
}

/** Parameters that all operations share stand in one interface, which theirs extends. */
function parametersType(parameters: readonly Parameter[], { shapes, shared }: OperationTyping): UnnamedType {
  const isShared = (parameter: Parameter): boolean =>
    parameter.in === 'query' &&
    parameter.shared !== undefined &&
    shared.parameters.get(parameter.shared)?.name === parameter.name;
  const common = parameters.filter(isShared).map(({ name }) => JSON.stringify(name));
  const shape = shapes.take(
    parametersSchema(parameters.filter((parameter) => !isShared(parameter))),
    'write',
  );
  if (common.length === 0) {
    return { shape };
  }
  const all = common.length === shared.parameters.size;
  return { shape, extends: all ? shared.name : `Pick<${shared.name}, ${common.join(' | ')}>` };
}

/** The object schema that has each parameter as a property. */
export function parametersSchema(parameters: readonly Parameter[]): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}
