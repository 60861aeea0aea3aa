import createClient, { type Client } from 'openapi-fetch';
import type { paths as BoardPaths } from '../../../generated/boards.ts';
import type { paths as ContentPaths } from '../../../generated/content.ts';
import { createAuthorizationHeader, type Login, type RunningExample } from './running.ts';

/** Arrays in a query are joined with commas, as the documents describe. */
const querySerializer = { array: { style: 'form', explode: false } } as const;

/** Creates a client of the content site behind the gateway, with the generated types. */
export function createContentClient({ origin }: RunningExample, login: Login): Client<ContentPaths> {
  const headers = createAuthorizationHeader(login);
  return createClient<ContentPaths>({ baseUrl: `${origin}/content`, headers, querySerializer });
}

/** Creates a client of the board site behind the gateway, with the generated types. */
export function createGatewayBoardClient({ origin }: RunningExample, login?: Login): Client<BoardPaths> {
  const headers = login === undefined ? {} : createAuthorizationHeader(login);
  return createClient<BoardPaths>({ baseUrl: `${origin}/boards`, headers, querySerializer });
}

/** @throws {Error} when the response has no body of a success */
export function requireData<T>({
  data,
  error,
  response,
}: {
  data?: T;
  error?: unknown;
  response: Response;
}): T {
  if (data === undefined) throw new Error(`${response.url}: ${response.status} ${JSON.stringify(error)}`);
  return data;
}

/** @throws {Error} when the item has no `id` */
export function id(item: { readonly id?: number | undefined }): number {
  if (item.id === undefined) throw new Error('what was made has no number');
  return item.id;
}
