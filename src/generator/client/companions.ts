import type { OpenAPIV3_1 } from 'openapi-types';
import { type JsonObject, toJsonObject } from '../../base/json.ts';
import { toSingleLine } from '../types/comments.ts';
import { toStringLiteral } from '../types/names.ts';
import { printUnion } from '../types/print.ts';
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

/** `core` for none. */
export type TanstackFramework = keyof typeof TANSTACK_PACKAGES;

/** A site without a client has the types under this name. */
export function toTypesOfClient(name: string): string {
  return `${printBanner('The types of the client', '--client', PATHS)}
export type * from ${clientOf(name)};
`;
}

const PATHS = ` *
 * waygate generate --only types writes \`paths\`, in the form of openapi-typescript, for other clients.
`;

/** TypeScript reads a `.ts` file for this name with any of its options; bundlers never see an import of types. */
function clientOf(name: string): string {
  return toStringLiteral(`./${name}.client.js`);
}

/** @param name of the files */
export async function toQueries(
  document: OpenAPIV3_1.Document | JsonObject,
  name: string,
  framework: TanstackFramework = 'core',
): Promise<string> {
  const { readCompanionSource } = await import('./runtime-source.ts');
  const { text, types } = await readCompanionSource();
  const operations = listClientOperations(toJsonObject(document));
  const names = [...new Set(operations.map(({ path }) => resourceOf(path)))];
  return `${printBanner(`Options of queries and mutations for TanStack Query 5, of the REST interface of ${toSingleLine(name)}`, '--tanstack')}
import type {
${types
  .map(
    (type) => `  ${type},
`,
  )
  .join('')}} from ${clientOf(name)};
${text.replace("'@tanstack/query-core'", toStringLiteral(TANSTACK_PACKAGES[framework]))}

/** The name of the generated files. Keys of queries begin with it, so that those of several sites differ. */
const SITE = ${toStringLiteral(name)};

/** The resources of the site, by their paths. */
export type SiteResource = ${printUnion(names.map(toStringLiteral))};
`;
}
