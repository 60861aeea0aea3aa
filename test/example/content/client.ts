import { type ContentState, contentDefinition } from '../../../src/example/content/index.ts';
import type { Entry, EntryKind, EntryStatus } from '../../../src/example/content/model.ts';
import { createSite, type InspectableSite } from '../../../src/example/site/create-site.ts';

/** The role of the user, or no user. */
export type Identity = 'anonymous' | 'subscriber' | 'editor' | 'administrator';

export interface ContentCall {
  readonly as?: Identity;
  /** @default 'GET' */
  readonly method?: string;
  /** A route with its query: `/core/v2/posts?per_page=2`. */
  readonly route: string;
  readonly json?: unknown;
  readonly form?: FormData;
  readonly raw?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

interface ContentReply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of any response
  readonly body: any;
}

export interface ContentClient {
  readonly site: InspectableSite<ContentState>;
  call(call: ContentCall): Promise<ContentReply>;
  /** Finds the newest entry of a kind and status that has no password. */
  entry(kind: EntryKind, status?: EntryStatus): Entry;
}

/** Creates a site and a client that calls it directly. */
export function createContentClient(): ContentClient {
  const site = createSite(contentDefinition, {
    base: 'http://localhost',
    onError: (fault) => {
      throw fault;
    },
  });
  return createClientFor(site, async (address, init) => site.request(`http://localhost${address}`, init));
}

/** Creates a client for a site. `send` receives the site's own URLs: `/index.php?rest_route=/core/v2/posts`. */
export function createClientFor(
  site: InspectableSite<ContentState>,
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

function credentials(site: InspectableSite<ContentState>, as: Identity): Record<string, string> {
  const user = site.users.find(({ role }) => role === as);
  if (user === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${user.login}:${user.password}`).toString('base64')}` };
}
