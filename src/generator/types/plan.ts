import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { createSchemaComment, toSingleLine } from './comments.ts';
import { TypeNameAllocator } from './names.ts';
import {
  createParametersSchema,
  OperationTyper,
  type OperationTypes,
  type SharedQueryParameters,
} from './operation-types.ts';
import {
  type ComponentSchema,
  type DocumentParameter,
  listTypedOperations,
  type NamedSchema,
  ReferenceResolver,
} from './references.ts';
import { BYTES_TYPE_NAME, QUERY_TYPE_NAMES, SchemaTyper, type TypeDeclaration } from './schema-types.ts';
import { namedType, type TypeSchema, UNKNOWN_TYPE } from './type-schema.ts';

export interface ModulePlan {
  readonly title: string;
  readonly operationTypes: readonly OperationTypes[];
  readonly sharedDeclarations: readonly TypeDeclaration[];
  readonly schemas: readonly TypeDeclaration[];
  readonly components: readonly ComponentSchema[];
  readonly sharedResponses: OperationTypes['responses'];
}

export function planModule(document: JsonObject, name?: string): ModulePlan {
  const names = new TypeNameAllocator();
  const sharedName = names.allocate('SharedQuery');
  const references = new ReferenceResolver(document, names);
  const typer = new SchemaTyper(references);

  const operations = listTypedOperations(document);
  const sharedQuery = findSharedQueryParameters(
    sharedName,
    operations.flatMap((operation) => references.parametersOf(operation)),
  );
  const operationTyper = new OperationTyper({ names, references, typer, sharedQuery });
  const operationTypes = operations.map((operation) => operationTyper.typesOf(operation));
  const sharedResponses = operationTyper.typesOfSharedResponses(document);
  const declared = references.componentSchemas.map((schema) => declareSchema(schema, typer));
  // Each declaration can add to these.
  for (const other of references.additionalSchemas) declared.push(declareSchema(other, typer));
  const schemas = breakAliasCycles(declared);
  return {
    title: name === undefined ? titleOf(document) : toSingleLine(name),
    operationTypes,
    sharedDeclarations: [
      ...declareSharedQuery(sharedQuery, typer),
      ...declareQueryTypes(typer),
      ...declareBytes(typer),
    ],
    schemas,
    components: references.componentSchemas,
    sharedResponses,
  };
}

export function titleOf({ info }: JsonObject): string {
  return toSingleLine(isJsonObject(info) ? info['title'] : undefined);
}

/** Of two components with one parameter name, the first is used. */
export function findSharedQueryParameters(
  typeName: string,
  all: readonly DocumentParameter[],
): SharedQueryParameters {
  const parameters = new Map<string, DocumentParameter>();
  for (const parameter of all) {
    const { componentKey, in: location } = parameter;
    if (componentKey !== undefined && location === 'query') parameters.set(componentKey, parameter);
  }
  const names = new Map([...parameters].reverse().map(([key, { name }]) => [name, key]));
  const isFirst = ([key, { name }]: readonly [string, DocumentParameter]) => names.get(name) === key;
  return { typeName, parameters: new Map([...parameters].filter(isFirst)) };
}

export function declareSharedQuery(
  { typeName, parameters }: SharedQueryParameters,
  typer: SchemaTyper,
): readonly TypeDeclaration[] {
  if (parameters.size === 0) return [];
  const comment = 'Query parameters that several operations accept.';
  const type = typer.typeOf(createParametersSchema([...parameters.values()]), 'query');
  return [{ name: typeName, comment, type }];
}

/** Bytes that `fetch` sends, declared structurally, so that the module needs no browser types. */
export function declareBytes({ types }: SchemaTyper): readonly TypeDeclaration[] {
  const blob = '{ readonly size: number; readonly type: string; arrayBuffer(): Promise<ArrayBuffer> }';
  const type = namedType(`ArrayBuffer | Uint8Array | ${blob}`);
  const comment = 'A file: a `Blob`, a `File` or its bytes.';
  return types.refersTo(BYTES_TYPE_NAME) ? [{ name: BYTES_TYPE_NAME, comment, type }] : [];
}

export function declareSchema(
  { typeName, schema, direction }: NamedSchema,
  typer: SchemaTyper,
): TypeDeclaration {
  const comment = isJsonObject(schema) ? createSchemaComment(schema, direction) : '';
  return { name: typeName, comment, type: typer.typeOf(schema, direction) };
}

const { boolean, number, numbers, words } = QUERY_TYPE_NAMES;

/** Values that WordPress reads as each type, after the types that refer to it. */
const QUERY_TYPES: readonly (readonly [name: string, comment: string, type: string])[] = [
  [
    numbers,
    'Numbers in the query: one, a list, or a text that separates them by commas.',
    `${number} | readonly ${number}[] | \`\${number},\${string}\``,
  ],
  [
    words,
    'Several words in the query, separated by commas. TypeScript does not check which.',
    '`${string},${string}`',
  ],
  [number, 'A number in the query, or its text.', 'number | `${number}`'],
  [boolean, 'A boolean in the query.', 'true | false | 1 | 0 | "1" | "0" | "true" | "false"'],
];

function declareQueryTypes({ types }: SchemaTyper): readonly TypeDeclaration[] {
  return QUERY_TYPES.flatMap(([name, comment, type]) =>
    types.refersTo(name) ? [{ name, comment, type: namedType(type) }] : [],
  ).reverse();
}

/** `type A = B; type B = A`, and aliases that lead there, become `unknown`. */
export function breakAliasCycles(declarations: readonly TypeDeclaration[]): readonly TypeDeclaration[] {
  const targets = new Map(declarations.map(({ name, type }) => [name, directReferences(type)]));
  const open = new Set(targets.keys());
  for (let round = 0, before = -1; before !== open.size && round < MAX_ROUNDS; round += 1) {
    before = open.size;
    for (const name of open) if (!targets.get(name)?.some((target) => open.has(target))) open.delete(name);
  }
  return declarations.map((declaration) =>
    open.has(declaration.name) ? { ...declaration, type: UNKNOWN_TYPE } : declaration,
  );
}

/** Aliases of aliases. A hostile document can have thousands. */
const MAX_ROUNDS = 50;

function directReferences({ tsType, anyOf = [], allOf = [] }: TypeSchema): readonly string[] {
  return tsType === undefined ? [...anyOf, ...allOf].flatMap(directReferences) : [tsType];
}
