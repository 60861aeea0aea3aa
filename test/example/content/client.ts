import { type ContentState, contentDefinition } from '../../../src/example/content/index.ts';
import type { Entry, EntryKind, EntryStatus } from '../../../src/example/content/model/entries.ts';
import { createSite, type RunningSite } from '../../../src/example/site/create-site.ts';

/** Who asks. */
export type Identity = 'anonymous' | 'subscriber' | 'editor' | 'administrator';

export interface ContentCall {
  readonly as?: Identity;
  /** GET by default. */
  readonly method?: string;
  /** `/core/v2/posts?per_page=2`: a route with its query. */
  readonly route: string;
  readonly json?: unknown;
  readonly form?: FormData;
  readonly raw?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ContentReply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any answer
  readonly body: any;
}

export interface ContentClient {
  readonly site: RunningSite<ContentState>;
  call(call: ContentCall): Promise<ContentReply>;
  /** The newest entry of a kind and status, without a password. */
  entry(kind: EntryKind, status?: EntryStatus): Entry;
}

/** A site of its own, and calls to it in its own spelling. */
export function createContentClient(): ContentClient {
  const site = createSite(contentDefinition, {
    base: 'http://localhost',
    onError: (fault) => {
      throw fault;
    },
  });
  return createClientFor(site, async (address, init) => site.request(`http://localhost${address}`, init));
}

/** Calls to a site by whatever way: `send` is given the site's own spelling, `/index.php?rest_route=/core/v2/posts`. */
export function createClientFor(
  site: RunningSite<ContentState>,
  send: (address: string, init: RequestInit) => Promise<Response>,
): ContentClient {
  return {
    site,
    async call({ as = 'anonymous', method = 'GET', route, json, form, raw, headers = {} }) {
      const [path = '', query] = route.split('?');
      const address = `/index.php?rest_route=${path}${query === undefined ? '' : `&${query}`}`;
      const body = json === undefined ? (form ?? raw) : JSON.stringify(json);
      const response = await send(address, {
        method,
        headers: {
          ...credentials(site, as),
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: body instanceof Uint8Array ? new Uint8Array(body) : body }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === '' ? null : JSON.parse(text),
      };
    },
    entry(kind, status = kind === 'attachment' ? 'inherit' : 'publish') {
      const found = [...site.state().entries.values()]
        .filter((entry) => entry.kind === kind && entry.status === status && entry.password === '')
        .sort((a, b) => b.date - a.date || b.id - a.id)[0];
      if (found === undefined) throw new Error(`no ${kind} is ${status}`);
      return found;
    },
  };
}

function credentials(site: RunningSite<ContentState>, as: Identity): Record<string, string> {
  const user = site.users.find(({ role }) => role === as);
  if (user === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${user.login}:${user.password}`).toString('base64')}` };
}
