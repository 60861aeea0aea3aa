import type { OpenAPIV3_1 } from 'openapi-types';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { Operation } from '../openapi/operations.ts';
import { toSingleLine, toTsDoc } from '../types/comments.ts';
import { TypeNameAllocator, toStringLiteral, toTypeName } from '../types/names.ts';
import { listTypedOperations } from '../types/parameters.ts';
import { wrapUnion } from '../types/print.ts';
import { describeOperation } from './client-entries.ts';
import { printBanner } from './index.ts';
import { listPathPatterns } from './path-patterns.ts';
import { resourceOf } from './runtime/resources.ts';

/** Libraries of TanStack Query, by framework: all of them export what the options are made of. */
const TANSTACK_PACKAGES = {
  react: '@tanstack/react-query',
  preact: '@tanstack/preact-query',
  vue: '@tanstack/vue-query',
  svelte: '@tanstack/svelte-query',
  solid: '@tanstack/solid-query',
  angular: '@tanstack/angular-query-experimental',
  core: '@tanstack/query-core',
} as const;

/** A framework that TanStack Query has a library for; `core` for none. */
export type TanstackFramework = keyof typeof TANSTACK_PACKAGES;

/** What the files beside a client are created from. */
export interface CompanionOptions {
  /** Specifier of the client, such as `./site.client.ts`. Only types are imported from it. */
  readonly client: string;
  /** Base name of the generated files. */
  readonly name: string;
  /** Returns the URL of the page of a reference that describes an operation. @default no links */
  readonly pageOf?: ((method: string, path: string) => string | undefined) | undefined;
}

/** Methods of the operations that a client has. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Creates the module with the options of queries and mutations for TanStack Query 5. It imports only types, so that a bundle contains
 * the functions that a program uses.
 *
 * @param framework whose library the types are imported from
 */
export async function toTanstack(
  document: OpenAPIV3_1.Document | JsonObject,
  { client, name }: CompanionOptions,
  framework: TanstackFramework,
): Promise<string> {
  const { readCompanionSource } = await import('./runtime-source.ts');
  const runtime = await readCompanionSource('tanstack');
  const { text: resources } = await readCompanionSource('resources');
  const names = [...new Set(readOperations(document).map(({ path }) => resourceOf(path)))];
  const types = names.length === 0 ? ['never'] : names.map(toStringLiteral);
  return `${printBanner(`Options of queries and mutations for TanStack Query 5, of the REST interface of ${toSingleLine(name)}`, '--tanstack')}
${printImport(runtime.types, client)}${runtime.text.replace("'@tanstack/query-core'", toStringLiteral(TANSTACK_PACKAGES[framework]))}

${resources.replace('export function', 'function')}

/** The name of the generated files. Keys of queries begin with it, so that those of several sites differ. */
const SITE = ${toStringLiteral(name)};

/** The resources of the site, by their paths. */
${wrapUnion(`export type SiteResource = ${types.join(' | ')};`)}
`;
}

/** Creates the module with handlers for Mock Service Worker. It imports `msw`, and types of the client. */
export async function toMsw(
  document: OpenAPIV3_1.Document | JsonObject,
  { client, name }: CompanionOptions,
): Promise<string> {
  const { readCompanionSource } = await import('./runtime-source.ts');
  const { text, types } = await readCompanionSource('msw');
  const patterns = [...listPathPatterns(readOperations(document))].map(
    ([path, pattern]) => `  ${toStringLiteral(path)}: ${toStringLiteral(pattern)},\n`,
  );
  return `${printBanner(`Handlers for Mock Service Worker 2, of the REST interface of ${toSingleLine(name)}`, '--msw')}
${printImport(types, client)}${text}

/** Patterns of the paths of a template, if not any value of its parameters gives one. One group for each parameter. */
const PATTERNS: Readonly<Record<string, string>> = {
${patterns.join('')}};
`;
}

/** Creates the module with a function for each operation, by its `operationId`. It imports only types. */
export function toFunctions(
  document: OpenAPIV3_1.Document | JsonObject,
  { client, name, pageOf = () => undefined }: CompanionOptions,
): string {
  // The allocator gives names a capital letter, which is then removed: unique with it, unique without it.
  const names = new TypeNameAllocator(RESERVED.map(toTypeName));
  const functions = readOperations(document).map((operation) => {
    const { id, method, path } = operation;
    const parameters = `${toStringLiteral(method)}, ${toStringLiteral(path)}`;
    const doc = toTsDoc(describeOperation(operation, pageOf(method, path)), '');
    const type = names.allocate(id);
    const identifier = type.charAt(0).toLowerCase() + type.slice(1);
    return `${doc}export const ${identifier}: OperationFunction<${parameters}> = /* @__PURE__ */ call(${parameters});\n`;
  });
  return `${printBanner(`A function for each operation, of the REST interface of ${toSingleLine(name)}`, '--functions')}
${printImport(TYPES_OF_FUNCTIONS, client)}
/** Calls an operation: the client, then the options of the call. */
export type OperationFunction<Method extends RequestMethod, Path extends RequestPath<Method>> = <
  Throw extends boolean,
  const Arguments extends RequestArguments<Method, Path>,
>(
  client: Client<Throw>,
  ...options: CheckedArguments<Method, Path, Arguments>
) => Promise<RequestResult<Method, Path, Arguments, Throw>>;

function call<Method extends RequestMethod, Path extends RequestPath<Method>>(
  method: Method,
  path: Path,
): OperationFunction<Method, Path> {
  return (client, ...options) => client.request(method, path, ...options);
}

${functions.join('\n')}`;
}

const TYPES_OF_FUNCTIONS: readonly string[] =
  'CheckedArguments Client RequestArguments RequestMethod RequestPath RequestResult'.split(' ');

/** Words that cannot be the name of a constant of a module, and a function of the module. */
const RESERVED: readonly string[] =
  'arguments await break call case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield'.split(
    ' ',
  );

function readOperations(document: OpenAPIV3_1.Document | JsonObject): readonly Operation[] {
  const value: unknown = document;
  return listTypedOperations(isJsonObject(value) ? value : {}).filter(({ method }) => METHODS.has(method));
}

function printImport(types: readonly string[], client: string): string {
  return `import type {\n${types.map((type) => `  ${type},\n`).join('')}} from ${toStringLiteral(client)};\n`;
}
