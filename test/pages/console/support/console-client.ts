import type { GatewayOptions } from '../../../../src/gateway/index.ts';
import { readSeed } from '../../../support/documents.ts';

export const TOKEN = 'a-token-of-the-tests';

/** A site that is served from a stored document. */
export const STORED_SITE: GatewayOptions['sites'][number] = {
  url: 'https://content.example.com/',
  discovery: 'off',
  name: 'content',
  document: readSeed('content'),
};

const ENTITIES: Readonly<Record<string, string>> = { '#39': "'", quot: '"', lt: '<', gt: '>', amp: '&' };

/** The text of a page, without markup. */
export function toText(html: string): string {
  return html
    .replace(/<(?:script|style)[\s\S]*?<\/(?:script|style)>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(#39|quot|lt|gt|amp);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/\s+/g, ' ');
}

/** Sends a request to a gateway; redirects are not followed. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** A client that has signed in to the console of a gateway. */
export interface ConsoleTestClient {
  readonly cookie: string;
  /** Requests a page, and returns its HTML. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Submits the form of an action, with the token of the session. */
  act(action: string, fields?: Readonly<Record<string, string>>): Promise<Response>;
}

/** Submits the form of the sign-in. */
export function submitToken(
  send: Send,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return send('/-/console/sign-in', {
    method: 'POST',
    headers: { ...FORM, ...headers },
    body: new URLSearchParams({ token }).toString(),
  });
}

export async function signIn(send: Send, token: string): Promise<ConsoleTestClient> {
  const response = await submitToken(send, token);
  if (response.status !== 303) throw new Error(`the sign-in failed: ${response.status}`);
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const get: ConsoleTestClient['get'] = (path, headers) => send(path, { headers: { cookie, ...headers } });
  return {
    cookie,
    get,
    async act(action, fields = {}) {
      const csrf = readCsrfToken(await (await get('/-/console/')).text());
      return send(`/-/console/${action}`, {
        method: 'POST',
        headers: { cookie, ...FORM },
        body: new URLSearchParams({ _token: csrf, ...fields }).toString(),
      });
    },
  };
}

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' } as const;

export function readCsrfToken(html: string): string {
  const token = /name="_token" value="([0-9a-f]{32})"/.exec(html)?.[1];
  if (token === undefined) throw new Error('the page has no form with a token');
  return token;
}
