import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { toQueries, toTypesOfClient } from '../../../src/generator/client/companions.ts';
import { toClient } from '../../../src/generator/client/index.ts';
import { readIndex } from '../../../src/generator/discovery/read-index.ts';
import { toOpenApi } from '../../../src/generator/openapi/index.ts';
import { readShopIndex } from '../../support/recorded-indexes.ts';
import { PRETTY_ADDRESS } from '../../support/site.ts';
import { listErrors } from '../types/type-checker.ts';
import { readDocumented, readFrameworkPages } from './documented.ts';

/** The part of the React library that the examples use: its types beside those of the core, which the test has. */
const REACT_QUERY = `declare module '@tanstack/react-query' {
  import type { DefaultError, InfiniteData, InfiniteQueryObserverOptions, InfiniteQueryObserverResult, MutationObserverOptions, MutationObserverResult, QueryKey, QueryObserverOptions, QueryObserverResult } from '@tanstack/query-core';
  export type { DataTag, InfiniteData, MutationFunctionContext } from '@tanstack/query-core';
  export { dehydrate, keepPreviousData, QueryClient } from '@tanstack/query-core';
  export function HydrationBoundary(props: { state: import('@tanstack/query-core').DehydratedState; children?: object }): object;
  export function QueryClientProvider(props: { client: import('@tanstack/query-core').QueryClient; children?: object }): object;
  export function useQuery<A = unknown, E = DefaultError, D = A, K extends QueryKey = QueryKey>(options: QueryObserverOptions<A, E, D, A, K>): QueryObserverResult<D, E>;
  export function useInfiniteQuery<A, E = DefaultError, D = InfiniteData<A>, K extends QueryKey = QueryKey, P = unknown>(options: InfiniteQueryObserverOptions<A, E, D, K, P>): InfiniteQueryObserverResult<D, E>;
  export function useQueryClient(): import('@tanstack/query-core').QueryClient;
  export function useMutation<D = unknown, E = DefaultError, V = void, R = unknown>(options: MutationObserverOptions<D, E, V, R>): MutationObserverResult<D, E, V, R>;
}`;

/** The part of waygate that the examples use. */
const WAYGATE = `declare module 'waygate' {
  export function defineConfig(config: import('../../../src/base/option-types.ts').WaygateConfig): unknown;
}`;

/** The part of Node that the examples use. */
const NODE = 'declare const process: { readonly env: Readonly<Record<string, string | undefined>> };';

/** The part of the frameworks that their pages use. */
const FRAMEWORKS = `declare module 'framework' {
  export interface PageProps { readonly data: Awaited<ReturnType<typeof import('./page2.ts')['load']>> }
  export namespace Route {
    interface ComponentProps { readonly loaderData: Awaited<ReturnType<typeof import('./page6.tsx')['loader']>> }
  }
}
declare module 'vite' { export function defineConfig(config: object): unknown }
declare module '@react-router/dev/vite' { export function reactRouter(): object }
declare module '@tailwindcss/vite' { export default function tailwindcss(): object }
declare module 'waygate/vite' { export { waygate } from '../../../src/cli/vite/index.ts' }
declare module 'react' { export function useState<T>(create: () => T): [T] }
declare function defineNuxtConfig(config: object): unknown;
declare function useRuntimeConfig(): { readonly public: { readonly site: string } };
declare function useAsyncData<T>(key: string, read: () => Promise<T>): Promise<{ readonly data: T }>;
declare function $props(): never;
interface ImportMeta { readonly env: { readonly SSR: boolean } }
declare namespace JSX { interface IntrinsicElements { [name: string]: object } }`;

/** A program that uses what the page adds to the index. */
const OVERLAID = `import { createClient } from './site.client.ts';
const client = createClient({ baseUrl: '/wp-json', throw: true });
const { data } = await client.GET('/wp/v2/posts', { query: { lang: 'de' } });
export const minutes: number | undefined = data[0]?.minutes;
// @ts-expect-error: no such language
await client.POST('/wp/v2/posts/{id}', { path: { id: 1 }, body: { lang: 'fr' } });
`;

test('the examples of the README and the guides of the client, and programs with the modules beside the client, compile with WordPress 7.1', async () => {
  const { document, examples } = await readDocumented();
  const files = Object.fromEntries(examples.map((code, at) => [`example${at}.ts`, code]));
  const client = await toClient(document);
  const shop = toOpenApi({
    address: PRETTY_ADDRESS,
    ...readIndex(readShopIndex((namespace) => namespace === 'wc/store/v1')),
  }).document;
  const program = (name: string) => readFile(new URL(`fixtures/${name}.txt`, import.meta.url), 'utf8');
  const companions = {
    'site.ts': toTypesOfClient('site'),
    'site.tanstack.ts': await toQueries(document, 'site', 'react'),
    'shop.client.ts': await toClient(shop),
    'shop.tanstack.ts': await toQueries(shop, 'shop', 'react'),
    'tanstack-program.ts': await program('tanstack-program'),
  };
  const errors = listErrors(
    {
      'site.client.ts': client,
      ...companions,
      'overlaid.ts': OVERLAID,
      'libraries.d.ts': [REACT_QUERY, WAYGATE, NODE, FRAMEWORKS].join('\n'),
      ...files,
      ...(await readFrameworkPages()),
    },
    { isolatedDeclarations: false, declaration: false, jsx: 'preserve' },
  );
  expect(errors).toEqual([]);
}, 60_000);
