import { groupBy } from '../../base/group-by.ts';
import { isJsonObject } from '../../base/json.ts';
import { createSchemaComment } from './comments.ts';
import { createParametersSchema, type SharedQueryParameters } from './operation-types.ts';
import type { DocumentParameter, NamedSchema } from './references.ts';
import { BYTES_TYPE_NAME, QUERY_TYPE_NAMES, type SchemaTyper, type TypeDeclaration } from './schema-types.ts';
import { namedType, type TypeSchema, UNKNOWN_TYPE } from './type-schema.ts';

/** If two components have the same parameter name, the first is used. */
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

/** A type stands after those that refer to it: only a type in use is declared. */
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

export function declareQueryTypes({ types }: SchemaTyper): readonly TypeDeclaration[] {
  return QUERY_TYPES.flatMap(([name, comment, type]) =>
    types.refersTo(name) ? [{ name, comment, type: namedType(type) }] : [],
  ).reverse();
}

/** `type A = B; type B = A`, and aliases that lead there, become `unknown`. */
export function breakAliasCycles(declarations: readonly TypeDeclaration[]): readonly TypeDeclaration[] {
  const open = new Map(declarations.map(({ name, type }) => [name, new Set(directReferences(type))]));
  const uses = [...open].flatMap(([user, names]) => Array.from(names, (name) => ({ user, name })));
  const usesOf = groupBy(uses, ({ name }) => name);
  const ends = new Set([...open.keys(), ...usesOf.keys()].filter((name) => !open.get(name)?.size));
  // The set grows while it's read. A hostile document can have thousands of aliases.
  for (const end of ends)
    for (const { user } of usesOf.get(end) ?? [])
      if (open.get(user)?.delete(end) && open.get(user)?.size === 0) ends.add(user);
  return declarations.map((each) => (ends.has(each.name) ? each : { ...each, type: UNKNOWN_TYPE }));
}

function directReferences(type: TypeSchema): readonly string[] {
  if ('tsType' in type) return [type.tsType];
  const parts = 'anyOf' in type ? type.anyOf : 'allOf' in type ? type.allOf : [];
  return parts.flatMap(directReferences);
}
