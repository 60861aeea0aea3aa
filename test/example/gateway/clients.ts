import createClient, { type Client } from 'openapi-fetch';
import type { paths as BoardPaths } from '../../../generated/boards.ts';
import type { paths as ContentPaths } from '../../../generated/content.ts';
import { credentials, type Login, type RunningExample } from './running.ts';

/** Lists in a query are written as the documents say: with commas. */
const querySerializer = { array: { style: 'form', explode: false } } as const;

/** A client of Site A by its generated types, through the gateway. */
export function contentClient({ origin }: RunningExample, login: Login): Client<ContentPaths> {
  const headers = credentials(login);
  return createClient<ContentPaths>({ baseUrl: `${origin}/content`, headers, querySerializer });
}

/** A client of Site B by its generated types, through the gateway. */
export function boardClient({ origin }: RunningExample, login?: Login): Client<BoardPaths> {
  const headers = login === undefined ? {} : credentials(login);
  return createClient<BoardPaths>({ baseUrl: `${origin}/boards`, headers, querySerializer });
}

/** What an answer holds, where there has to be something. */
export function got<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data === undefined) throw new Error(`${response.url}: ${response.status} ${JSON.stringify(error)}`);
  return data;
}

/** An identifier that an answer has to hold. */
export function id(item: { readonly id?: number | undefined }): number {
  if (item.id === undefined) throw new Error('what was made has no number');
  return item.id;
}
