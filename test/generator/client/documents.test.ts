import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { toClient, toQueries, toTypesOfClient } from '../../../src/generator/client/index.ts';
import { listErrors } from '../types/type-checker.ts';
import { readDocumented, readFrameworkPages, shopDocument } from './documented.ts';

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
  export { createMock } from '../../../src/create-mock.ts';
  export function defineConfig(config: import('../../../src/base/option-types.ts').WaygateConfig): unknown;
}`;

/** The part of Node that the examples use. */
const NODE = `declare const process: { readonly env: Readonly<Record<string, string | undefined>> };
declare module 'node:fs/promises' { export function readFile(file: string, encoding: 'utf8'): Promise<string> }`;

/** The part of test runners and msw that the examples use. */
const TESTS = `declare module 'vitest' {
  export function test(name: string, run: () => Promise<void>): void;
  export function beforeAll(run: () => void): void;
  export function afterAll(run: () => void): void;
  export function expect(value: unknown): { toBe(other: unknown): void; toBeUndefined(): void };
}
declare module 'msw' {
  type Resolver = (info: { readonly request: Request }) => Response | Promise<Response>;
  export const http: { all(url: string, resolve: Resolver): object; get(url: string, resolve: Resolver): object };
  export const HttpResponse: { json(body: object, init: ResponseInit): Response };
}
declare module 'msw/node' {
  export function setupServer(...handlers: object[]): { listen(): void; close(): void; use(...handlers: object[]): void };
}`;

/** The part of the frameworks that their pages use. */
const FRAMEWORKS = `declare module 'framework' {
  export interface PageProps { readonly data: Awaited<ReturnType<typeof import('./page2.ts')['load']>> }
  export namespace Route {
    interface ComponentProps { readonly loaderData: Awaited<ReturnType<typeof import('./page6.tsx')['loader']>> }
  }
}
declare module '@sveltejs/kit' {
  export interface Cookies { get(name: string): string | undefined; set(name: string, value: string, options: object): void }
  export interface RequestEvent { readonly cookies: Cookies; readonly request: Request }
  export function fail(status: number, data: object): object;
}
declare module 'h3' {
  export type H3Event = object;
  export function createError(error: object): Error;
  export function defineEventHandler<T>(handle: (event: H3Event) => Promise<T>): (event: H3Event) => Promise<T>;
  export function getCookie(event: H3Event, name: string): string | undefined;
  export function readBody<T>(event: H3Event): Promise<T>;
  export function setCookie(event: H3Event, name: string, value: string, options: object): void;
}
declare module 'vite' { export function defineConfig(config: object): unknown }
declare module '@react-router/dev/vite' { export function reactRouter(): object }
declare module '@tailwindcss/vite' { export default function tailwindcss(): object }
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
  const shop = shopDocument();
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
      'libraries.d.ts': [REACT_QUERY, WAYGATE, NODE, TESTS, FRAMEWORKS].join('\n'),
      ...files,
      ...(await readFrameworkPages()),
    },
    { isolatedDeclarations: false, declaration: false, jsx: 'preserve' },
  );
  expect(errors).toEqual([]);
}, 60_000);
