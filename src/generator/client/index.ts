import type { OpenAPIV3_1 } from 'openapi-types';
import { type JsonObject, toJsonObject } from '../../base/json.ts';
import { getOrCreate } from '../../base/memoize.ts';
import { BODY_METHODS } from '../model/responses.ts';
import type { Operation } from '../openapi/operations.ts';
import { toSingleLine, toTsDoc } from '../types/comments.ts';
import {
  breakAliasCycles,
  declareBytes,
  declareSchema,
  declareSharedQuery,
  findSharedQueryParameters,
} from '../types/declarations.ts';
import {
  printBanner,
  printBlock,
  printDeclaration,
  printMembers,
  printSections,
  printTypes,
  printUnion,
  type TypeTexts,
  titleOf,
} from '../types/print.ts';
import {
  listTypedOperations,
  ReferenceResolver,
  TypeNameAllocator,
  toPropertyKey,
  toStringLiteral,
} from '../types/references.ts';
import { SchemaTyper, type TypeDeclaration } from '../types/schema-types.ts';
import { namedType, namesIn, type TypeSchema } from '../types/type-schema.ts';
import {
  type ClientEntry,
  EntryFactory,
  separateRelations,
  toClientOperation,
  withOtherNames,
} from './client-entries.ts';
import { resourceOf } from './runtime/resources.ts';
import { shareTypes } from './shared-types.ts';

export interface ClientGenerationOptions {
  readonly name?: string;
}

/**
 * Creates a typed client of a site: one TypeScript module without dependencies, for browsers, Node, Deno, Bun and workers.
 * Responses are typed by `context`, `_fields`, `_embed` and `force` of the request, errors by their `code`.
 * @param document an OpenAPI 3.1 document, usually from {@link toOpenApi}; it can be hostile
 *
 * @example
 * import { writeFile } from 'node:fs/promises';
 * import { discover, toClient, toOpenApi } from 'waygate';
 *
 * const { document } = toOpenApi(await discover('https://example.com'));
 * await writeFile('site.client.ts', await toClient(document));
 */
export async function toClient(
  document: OpenAPIV3_1.Document | JsonObject,
  options: ClientGenerationOptions = {},
): Promise<string> {
  // Loaded on use, because only Node can read the package's files.
  const { readRuntimeSource } = await import('./runtime-source.ts');
  const runtime = await readRuntimeSource();
  const { document: whole, relationsOf } = separateRelations(toJsonObject(document));
  const names = new TypeNameAllocator(runtime.names);
  const references = new ReferenceResolver(whole, names);
  const typer = new SchemaTyper(references, true);
  const operations = listClientOperations(whole).flatMap((operation) =>
    withOtherNames(toClientOperation(operation, references), references),
  );
  const parameters = operations.flatMap(({ query }) => query);
  const sharedQuery = findSharedQueryParameters(SHARED_QUERY, parameters);
  const factory = new EntryFactory({ names, references, typer, sharedQuery, relationsOf });
  const entries = operations.map((operation) => factory.createEntry(operation));
  const common = declareSharedQuery(sharedQuery, typer);
  const none = { name: SHARED_QUERY, comment: '', type: namedType('Record<never, never>') };
  const declared = [...(common.length === 0 ? [none] : common), ...factory.declarations];
  const schemas = breakAliasCycles(declareReached(references, typer, entries, declared));
  const shared = shareTypes([...schemas, ...declared, ...declareBytes(typer)], typer.types, names);
  const end = shared.findIndex((declaration) => declaration.name === SHARED_QUERY);
  const types = await printTypes([...shared.map(({ type }) => type), ...entries.flatMap(typesOf)]);
  const { nameOf, printed } = printCalls(entries, types);
  const declarations = shared.map((each) => printDeclaration(each, types));
  const codes = [...new Set(entries.flatMap((entry) => entry.codes))].sort().map(toStringLiteral);
  const title = `A client of the REST interface of ${titleOf(whole, options.name)}`;
  return printSections(UNCHECKED + printBanner(title, '--client ', EXAMPLE), [
    ['Operations', OPERATION_MAPS.map((map) => printMap(map, entries, nameOf))],
    ['Calls', printed],
    ['Resources', declarations.slice(0, end)],
    ['Queries and bodies', declarations.slice(end)],
    ['Client', [`export type ErrorCode = ${printUnion(codes)};\n`, printTables(entries), runtime.text]],
  ]);
}

/** The runtime's code would take half of the time of a program's check. */
const UNCHECKED =
  '// @ts-nocheck The compiler options of a project are not those of this file. Its types are used all the same.\n';

const EXAMPLE = ` *     import { createClient } from './this-file.ts';
 *
 *     const client = createClient({ baseUrl: 'https://example.com/wp-json' });
`;

/** Operations that take and return the same share the interface of the `POST`, or of the first. */
function printCalls(entries: readonly ClientEntry[], types: TypeTexts) {
  const nameOf = new Map<ClientEntry, string>();
  const printed: string[] = [];
  const known = new Map<string, string>();
  const texts = entries.map((entry) => {
    const { facts, query } = entry;
    const members = printCall(entry, types);
    const { method, path } = facts.operation;
    const key = BODY_METHODS.has(method) ? JSON.stringify([path, query, members]) : entry.name;
    if (method === 'POST') known.set(key, entry.name);
    return [entry, key, members] as const;
  });
  for (const [entry, key, members] of texts) {
    const name = getOrCreate(known, key, () => entry.name);
    nameOf.set(entry, name);
    // Each call leads an editor to its query.
    const block = printBlock([`${toTsDoc(entry.comment)}query: ${entry.query}`, ...members]);
    if (name === entry.name) printed.push(`interface ${name} ${block}\n`);
  }
  return { printed, nameOf };
}

function printMap(
  map: (typeof OPERATION_MAPS)[number],
  entries: readonly ClientEntry[],
  nameOf: ReadonlyMap<ClientEntry, string>,
): string {
  const own = entries.filter(
    ({ facts: { operation, shape } }) =>
      operation.method === map.method && (!('pages' in map) || map.pages === (shape === 'pages')),
  );
  const inherits = 'extends' in map ? `extends ${map.extends} ` : '';
  const members = own.map((entry) => `${toStringLiteral(entry.facts.operation.path)}: ${nameOf.get(entry)}`);
  return `export interface ${map.name} ${inherits}${printBlock(members)}\n`;
}

function typesOf({ path, body, neededContext, item, forced }: ClientEntry): readonly TypeSchema[] {
  return [path, body, neededContext, item, forced].filter((type) => type !== undefined);
}

function printCall(entry: ClientEntry, types: TypeTexts): readonly string[] {
  const { codes, embedded, facts, forced, item } = entry;
  const input = printInput(entry, types);
  const contexts = entry.contexts.map(([context, name]) => `${toPropertyKey(context)}: ${name}`);
  return [
    ...(input === '' ? [] : [`input: ${input}`]),
    ...(facts.selects === 'plain' ? [] : [`selects: "${facts.selects}"`]),
    ...(facts.shape === 'one' ? [] : [`shape: "${facts.shape}"`]),
    ...(types(item) === 'unknown' ? [] : [`item: ${types(item)}`]),
    ...(contexts.length === 0 ? [] : [`contexts: ${printMembers(contexts)}`]),
    ...(forced === undefined ? [] : [`forced: ${types(forced)}`]),
    ...(embedded === undefined ? [] : [`embedded: ${embedded}`]),
    ...(codes.length === 0 ? [] : [`codes: ${codes.map(toStringLiteral).join(' | ')}`]),
    ...(facts.batch ? ['batch: true'] : []),
  ];
}

/** A required query is an option, so that an error names what is missing. */
function printInput(entry: ClientEntry, types: TypeTexts): string {
  const { facts, path, body, query, isQueryRequired } = entry;
  const required = [
    ...(path === undefined ? [] : [`path: ${types(path)}`]),
    ...(facts.selects === 'forced'
      ? ['query: { force: QueryTrue }']
      : isQueryRequired
        ? [`query: ${query}`]
        : []),
  ];
  const sent = body && types(body);
  const printBody = (type: string): string =>
    facts.body?.required === true ? `body: ${type}` : `body?: ${type} | undefined`;
  const own = sent === undefined ? [] : [printBody(sent)];
  if (entry.neededContext !== undefined) {
    const context = `query: { context: ${types(entry.neededContext)} }`;
    return [
      [...required, ...(sent === undefined ? [] : [`body: ${sent}`])],
      [...required, context, ...(sent === undefined ? [] : [`body?: Partial<${sent}> | undefined`])],
    ]
      .map(printMembers)
      .join(' | ');
  }
  switch (facts.file) {
    case 'required':
      return [
        [...required, ...own, 'file: File | UploadFile'],
        [...required, "body: UploadBody | { 'add the option file': never }", 'file?: undefined'],
      ]
        .map(printMembers)
        .join(' | ');
    case 'optional': {
      const body = printBody(sent === undefined ? 'UploadBody' : `${sent} | UploadBody`);
      return printMembers([...required, body, 'file?: File | UploadFile | undefined']);
    }
    default:
      return required.length + own.length === 0 ? '' : printMembers([...required, ...own]);
  }
}

function printTables(entries: readonly ClientEntry[]): string {
  const paths = entries.map(({ facts }) => facts.operation.path);
  const listOf = (fact: 'commas' | 'slashes') =>
    entries.flatMap(({ facts }) => facts[fact].map((name) => [facts.operation.path, name] as const));
  const slashed = new Set(listOf('slashes').map((each) => each.join(' ')));
  const slashes = listOf('slashes').map(([path, name]) => {
    const start = path.slice(0, path.indexOf(`{${name}}`));
    const isShared = paths.every((other) => {
      const [, here] = other.startsWith(start) ? (/^\{([^{}]*)\}/.exec(other.slice(start.length)) ?? []) : [];
      return here === undefined || slashed.has(`${other} ${here}`);
    });
    return isShared ? start : `${path} ${name}`;
  });
  const commas = listOf('commas').map((each) => each.join(' '));
  const lists = Object.entries({ slashes, commas }).map(
    ([name, list]) =>
      `  ${name}: [${[...new Set(list)].map((each) => `\n    ${toStringLiteral(each)},`).join('')}\n  ],\n`,
  );
  return `/** Facts about operations that the client needs at run time. */
const ENVIRONMENT: ClientEnvironment = {\n${lists.join('')}};\n`;
}

const SHARED_QUERY = 'SharedQuery';

const OPERATION_MAPS = [
  { name: 'PagedOperations', method: 'GET', pages: true },
  { name: 'GetOperations', method: 'GET', pages: false, extends: 'PagedOperations' },
  { name: 'PostOperations', method: 'POST' },
  { name: 'PutOperations', method: 'PUT' },
  { name: 'PatchOperations', method: 'PATCH' },
  { name: 'DeleteOperations', method: 'DELETE' },
] as const;

function listClientOperations(document: JsonObject): readonly Operation[] {
  return listTypedOperations(document).filter(({ method }) =>
    OPERATION_MAPS.some((map) => map.method === method),
  );
}

function declareReached(
  { additionalSchemas, componentSchemas }: ReferenceResolver,
  typer: SchemaTyper,
  entries: readonly ClientEntry[],
  declared: readonly TypeDeclaration[],
): readonly TypeDeclaration[] {
  const reached = new Map<string, TypeDeclaration>();
  const waiting = new Set([
    ...entries.flatMap(({ contexts, embedded = [] }) =>
      [...contexts.map(([, typeName]) => typeName), embedded].flat(),
    ),
    ...[...entries.flatMap(typesOf), ...declared.map(({ type }) => type)].flatMap(namesIn),
  ]);
  const byName = new Map(componentSchemas.map((named) => [named.typeName, named]));
  for (const name of waiting) {
    const named = byName.get(name) ?? additionalSchemas.find(({ typeName }) => typeName === name);
    if (named === undefined) continue;
    const declaration = declareSchema(named, typer);
    reached.set(name, declaration);
    for (const used of namesIn(declaration.type)) waiting.add(used);
  }
  return [...componentSchemas, ...additionalSchemas].flatMap(({ typeName }) => reached.get(typeName) ?? []);
}

const TANSTACK_PACKAGES = {
  react: '@tanstack/react-query',
  preact: '@tanstack/preact-query',
  vue: '@tanstack/vue-query',
  svelte: '@tanstack/svelte-query',
  solid: '@tanstack/solid-query',
  angular: '@tanstack/angular-query-experimental',
  core: '@tanstack/query-core',
} as const;

/** `core` for none. */
export type TanstackFramework = keyof typeof TANSTACK_PACKAGES;

/** A site without a client has the types under this name. */
export function toTypesOfClient(name: string): string {
  return `${printBanner('The types of the client', '--client ', PATHS)}
export type * from ${clientOf(name)};
`;
}

const PATHS =
  ' * waygate generate --only types writes `paths`, in the form of openapi-typescript, for other clients.\n';

/** TypeScript reads a `.ts` file for this name with any of its options; bundlers never see an import of types. */
function clientOf(name: string): string {
  return toStringLiteral(`./${name}.client.js`);
}

export async function toQueries(
  document: OpenAPIV3_1.Document | JsonObject,
  name: string,
  framework: TanstackFramework = 'core',
): Promise<string> {
  const { readCompanionSource } = await import('./runtime-source.ts');
  const { text, types } = await readCompanionSource();
  const operations = listClientOperations(toJsonObject(document));
  const names = [...new Set(operations.map(({ path }) => resourceOf(path)))];
  return `${printBanner(`Options of queries and mutations for TanStack Query 5, of the REST interface of ${toSingleLine(name)}`, '--tanstack ')}
import type {
${types.map((type) => `  ${type},\n`).join('')}} from ${clientOf(name)};
${text.replace("'@tanstack/query-core'", toStringLiteral(TANSTACK_PACKAGES[framework]))}

/** The name of the generated files. Keys of queries begin with it, so that those of several sites differ. */
const SITE = ${toStringLiteral(name)};

/** The resources of the site, by their paths. */
export type SiteResource = ${printUnion(names.map(toStringLiteral))};
`;
}
