import type { OpenAPIV3_1 } from 'openapi-types';
import { groupBy } from '../../base/group-by.ts';
import { type JsonObject, jsonTexts, toJsonObject } from '../../base/json.ts';
import { PATH_ITEM_METHODS } from '../openapi/operations.ts';
import { toSingleLine, toTsDoc } from './comments.ts';
import {
  breakAliasCycles,
  declareBytes,
  declareQueryTypes,
  declareSchema,
  declareSharedQuery,
  findSharedQueryParameters,
} from './declarations.ts';
import {
  OperationTyper,
  type OperationTypes,
  type ResponseTypes,
  type TypesByMediaType,
} from './operation-types.ts';
import {
  printBanner,
  printBlock,
  printDeclaration,
  printMembers,
  printSections,
  printTypes,
  type TypeTexts,
  titleOf,
} from './print.ts';
import {
  type ComponentSchema,
  listTypedOperations,
  PARAMETER_LOCATIONS,
  ReferenceResolver,
  TypeNameAllocator,
  toPropertyKey,
  toStringLiteral,
} from './references.ts';
import { SchemaTyper, type TypeDeclaration } from './schema-types.ts';
import type { TypeSchema } from './type-schema.ts';

export interface TypesOptions {
  readonly name?: string;
}

/**
 * Creates a TypeScript module with documented types. `paths`, `operations` and `components` have the form of openapi-typescript,
 * e.g. for `createClient<paths>()` of openapi-fetch. Equal documents give equal bytes.
 * @param document an OpenAPI 3.1 document, usually from {@link toOpenApi}; it can be hostile
 *
 * @example
 * import { writeFile } from 'node:fs/promises';
 * import { discover, toOpenApi, toTypes } from 'waygate';
 *
 * const { document } = toOpenApi(await discover('https://example.com'));
 * await writeFile('site.ts', await toTypes(document));
 */
export async function toTypes(
  document: OpenAPIV3_1.Document | JsonObject,
  options: TypesOptions = {},
): Promise<string> {
  const declared = toJsonObject(document);
  const names = new TypeNameAllocator();
  const sharedName = names.allocate('SharedQuery');
  const references = new ReferenceResolver(declared, names);
  const typer = new SchemaTyper(references);
  const operations = listTypedOperations(declared);
  const parameters = operations.flatMap((operation) => references.parametersOf(operation));
  const sharedQuery = findSharedQueryParameters(sharedName, parameters);
  const operationTyper = new OperationTyper({ names, references, typer, sharedQuery });
  const operationTypes = operations.map((operation) => operationTyper.typesOf(operation));
  const sharedResponses = operationTyper.typesOfSharedResponses(declared);
  const { additionalSchemas, componentSchemas } = references;
  const schemas = componentSchemas.map((schema) => declareSchema(schema, typer));
  // The list grows while it's read: a declared schema can name further ones.
  for (const other of additionalSchemas) schemas.push(declareSchema(other, typer));
  const common = [
    ...declareSharedQuery(sharedQuery, typer),
    ...declareQueryTypes(typer),
    ...declareBytes(typer),
  ];
  const acyclic = breakAliasCycles(schemas);
  const declarations = operationTypes.flatMap((typed) => typed.declarations);
  const responses = [...operationTypes.flatMap((typed) => typed.responses), ...sharedResponses];
  const types = await printTypes([
    ...[...common, ...declarations, ...acyclic].map(({ type }) => type),
    ...operationTypes.flatMap(({ body }) => body?.content.map(([, type]) => type) ?? []),
    ...responses.flatMap(([, response]) =>
      'headers' in response ? [response.headers, ...(response.content ?? []).map(([, type]) => type)] : [],
    ),
  ]);
  const print = (list: readonly TypeDeclaration[]) => list.map((each) => printDeclaration(each, types));
  const byTag = groupBy(operationTypes, ({ operation }) => jsonTexts(operation.shared.tags)[0] ?? '');
  const title = `The REST interface of ${titleOf(declared, options.name)}`;
  return printSections(printBanner(title, '', OTHER_CLIENTS), [
    ['Paths', [printPaths(operationTypes)]],
    ['Shared by operations', print(common)],
    ...[...byTag].map(
      ([tag, here]) =>
        [toSingleLine(tag) || 'Other', print(here.flatMap((typed) => typed.declarations))] as const,
    ),
    ['Schemas', print(acyclic)],
    ['Operations', [printOperations(operationTypes, types)]],
    ['Components', [printComponents(componentSchemas, sharedResponses, types)]],
  ]);
}

const OTHER_CLIENTS =
  ' * waygate generate --client writes a client. `paths` has the form of openapi-typescript, for other clients.\n';

/** In the form of openapi-typescript, which openapi-fetch reads. */
function printPaths(operations: readonly OperationTypes[]): string {
  const paths = Array.from(
    groupBy(operations, ({ operation }) => operation.path),
    ([path, here]) => {
      const present = here.map(
        ({ operation, comment }) =>
          `${toTsDoc(comment.split('\n')[0] ?? '')}${operation.method.toLowerCase()}: operations[${toStringLiteral(operation.id)}]`,
      );
      const absent = PATH_ITEM_METHODS.filter((method) =>
        here.every(({ operation }) => operation.method !== method.toUpperCase()),
      ).map((method) => `${method}?: never`);
      const none = PARAMETER_LOCATIONS.map((place) => `${place}?: never`);
      const members = [`parameters: ${printMembers(none)}`, ...present, absent.join('; ')];
      return `${toStringLiteral(path)}: ${printBlock(members)}`;
    },
  );
  return `export interface paths ${printBlock(paths)}\n`;
}

function printOperations(operations: readonly OperationTypes[], types: TypeTexts): string {
  const printed = operations.map(({ body, comment, operation, parameters, responses }) => {
    const places = PARAMETER_LOCATIONS.map((place) => {
      const type = parameters[place];
      return type === undefined ? `${place}?: never` : `${place}${type.required ? '' : '?'}: ${type.name}`;
    });
    return `${toTsDoc(comment)}${toPropertyKey(operation.id)}: ${printBlock([
      `parameters: ${printMembers(places)}`,
      body === undefined
        ? 'requestBody?: never'
        : `requestBody${body.required ? '' : '?'}: { ${printContent(body.content, types)} }`,
      `responses: ${printBlock(responses.map((response) => printResponse(...response, types)))}`,
    ])}`;
  });
  return `export interface operations ${printBlock(printed)}\n`;
}

function printComponents(
  components: readonly ComponentSchema[],
  sharedResponses: OperationTypes['responses'],
  types: TypeTexts,
): string {
  const schemas = components.map(
    ({ componentKey, typeName }) => `${toPropertyKey(componentKey)}: ${typeName}`,
  );
  const responses = sharedResponses.map((response) => printResponse(...response, types));
  return `export interface components ${printBlock([
    `schemas: ${printBlock(schemas)}`,
    `responses: ${printBlock(responses)}`,
  ])}\n`;
}

function printResponse(status: string, response: ResponseTypes, types: TypeTexts): string {
  const key = /^[1-9]\d\d$/.test(status) ? status : toPropertyKey(status);
  if ('componentKey' in response)
    return `${key}: components["responses"][${toStringLiteral(response.componentKey)}]`;
  const { comment, content, headers } = response;
  return `${toTsDoc(comment)}${key}: ${printBlock([
    `headers: ${types(headers)}`,
    content === undefined ? 'content?: never' : printContent(content, types),
  ])}`;
}

function printContent(content: TypesByMediaType, types: TypeTexts): string {
  const entries = content.map(
    ([mediaType, type]: readonly [string, TypeSchema]) => `${toStringLiteral(mediaType)}: ${types(type)}`,
  );
  return `content: ${printMembers(entries)}`;
}
