import { type BoardState, boardDefinition } from '../../../src/example/boards/index.ts';
import { type ContentState, contentDefinition } from '../../../src/example/content/index.ts';
import { createSite, type InspectableSite } from '../../../src/example/site/create-site.ts';

/** The login of a demo user; `null` for a client without an account. */
export type Login = 'admin' | 'editor' | 'subscriber' | null;

// biome-ignore lint/suspicious/noExplicitAny: tests read members of any response
type Body = any;

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  /** The status with the code of an error: `409 stage_full`. */
  readonly outcome: string;
}

/**
 * Sends a request: `call('editor', 'POST /projects/1/tasks?a=1', { title: 'New' })`. Bytes and forms are sent as they are, and other
 * bodies as JSON.
 */
type Call = (
  as: Login,
  operation: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Reply>;

/** Creates a client of a site for routes with a prefix, such as `/boards/v2`. */
function createCall(site: InspectableSite<unknown>, prefix: string): Call {
  return async (as, operation, body, more = {}) => {
    const [, method = '', route = '', query] = /^(\S+) ([^?]*)(?:\?(.*))?$/.exec(operation) ?? [];
    const headers = new Headers(more);
    const user = site.users.find(({ login }) => login === as);
    if (user !== undefined) headers.set('authorization', `Basic ${btoa(`${user.login}:${user.password}`)}`);
    const init: RequestInit = { method, headers };
    if (body instanceof FormData || body instanceof Uint8Array) {
      init.body = body instanceof FormData ? body : new Uint8Array(body);
    } else if (body !== undefined) {
      headers.set('content-type', 'application/json');
      init.body = JSON.stringify(body);
    }
    const address = `/index.php?rest_route=${prefix}${route}${query === undefined ? '' : `&${query}`}`;
    const response = await site.request(address, init);
    const text = await response.text();
    const result: Body = text === '' ? null : JSON.parse(text);
    const { headers: fields, status } = response;
    return { status, headers: fields, body: result, outcome: `${status} ${result?.code ?? ''}`.trim() };
  };
}

/** A site with a client that calls it directly. */
export interface SiteClient<State> {
  readonly site: InspectableSite<State>;
  readonly call: Call;
}

export function startBoardClient(): SiteClient<BoardState> {
  const site = createSite(boardDefinition);
  return { site, call: createCall(site, '/boards/v2') };
}

/** Creates a content site with a client that calls it directly. An error of a handler fails the test. */
export function createContentClient(): SiteClient<ContentState> {
  const onError = (fault: unknown): never => {
    throw fault;
  };
  const site = createSite(contentDefinition, { base: 'http://localhost', onError });
  return { site, call: createCall(site, '') };
}

/** A PNG of one pixel. */
export const PNG: Uint8Array<ArrayBuffer> = new Uint8Array(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);
