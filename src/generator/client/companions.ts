import type { OpenAPIV3_1 } from 'openapi-types';
import { type JsonObject, toJsonObject } from '../../base/json.ts';
import { toSingleLine } from '../types/comments.ts';
import { toStringLiteral } from '../types/names.ts';
import { printTypeImport, printUnion } from '../types/print.ts';
import { listClientOperations, printBanner } from './index.ts';
import { resourceOf } from './runtime/resources.ts';

const TANSTACK_PACKAGES = {
  react: '@tanstack/react-query',
  preact: '@tanstack/preact-query',
  vue: '@tanstack/vue-query',
  svelte: '@tanstack/svelte-query',
  solid: '@tanstack/solid-query',
  angular: '@tanstack/angular-query-experimental',
  core: '@tanstack/query-core',
} as const;

/** Framework of a TanStack Query library; `core` for none. */
export type TanstackFramework = keyof typeof TANSTACK_PACKAGES;

export interface CompanionOptions {
  readonly client: string;
  readonly name: string;
}

/**
 * Creates the module with query and mutation options for TanStack Query, which imports only types of the
 * client.
 */
export async function toQueries(
  document: OpenAPIV3_1.Document | JsonObject,
  { client, name }: CompanionOptions,
  framework: TanstackFramework = 'core',
): Promise<string> {
  const { readCompanionSource } = await import('./runtime-source.ts');
  const { text, types } = await readCompanionSource();
  const operations = listClientOperations(toJsonObject(document));
  const names = [...new Set(operations.map(({ path }) => resourceOf(path)))];
  return `${printBanner(`Options of queries and mutations for TanStack Query 5, of the REST interface of ${toSingleLine(name)}`, '--tanstack')}
${printTypeImport(types, client)}
${text.replace("'@tanstack/query-core'", toStringLiteral(TANSTACK_PACKAGES[framework]))}

/** The name of the generated files. Keys of queries begin with it, so that those of several sites differ. */
const SITE = ${toStringLiteral(name)};

/** The resources of the site, by their paths. */
export type SiteResource = ${printUnion(names.map(toStringLiteral))};
`;
}
