import type { OpenAPIV3_1 } from 'openapi-types';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { Operation } from '../openapi/operations.ts';
import { toSingleLine } from '../types/comments.ts';
import { toStringLiteral } from '../types/names.ts';
import { listTypedOperations } from '../types/parameters.ts';
import { wrapUnion } from '../types/print.ts';
import { printBanner } from './index.ts';
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

/** What the file beside a client is created from. */
export interface CompanionOptions {
  /** Specifier of the client, such as `./site.client.ts`. Only types are imported from it. */
  readonly client: string;
  /** Base name of the generated files. */
  readonly name: string;
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

function readOperations(document: OpenAPIV3_1.Document | JsonObject): readonly Operation[] {
  const value: unknown = document;
  return listTypedOperations(isJsonObject(value) ? value : {}).filter(({ method }) => METHODS.has(method));
}

function printImport(types: readonly string[], client: string): string {
  return `import type {\n${types.map((type) => `  ${type},\n`).join('')}} from ${toStringLiteral(client)};\n`;
}
