import { type BoardState, boardDefinition } from '../../../src/example/boards/index.ts';
import { createSite, type InspectableSite } from '../../../src/example/site/create-site.ts';
import type { Json, JsonObject } from '../../../src/json.ts';

/** The login of a demo user; `null` for a client without an account. */
export type BoardLogin = 'admin' | 'editor' | 'subscriber' | null;

export interface CallOptions {
  readonly as?: BoardLogin;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: Json;
  /** A form with one file, in place of a JSON body. */
  readonly file?: { readonly name: string; readonly type: string; readonly bytes: Uint8Array };
}

export interface CallResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

export interface BoardClient {
  readonly site: InspectableSite<BoardState>;
  /** Sends a request below the namespace: `call('GET', '/projects', { as: 'admin' })`. */
  call(method: string, path: string, options?: CallOptions): Promise<CallResponse>;
}

/** Creates a board site with a client that calls it directly. */
export function startBoardClient(): BoardClient {
  const site = createSite(boardDefinition);
  return createBoardClient(site, async (address, init) => site.request(address, init));
}

/**
 * Creates a client of a board site.
 *
 * @param send forwards a request to the path `/index.php?rest_route=/boards/v2/projects`
 */
export function createBoardClient(
  site: InspectableSite<BoardState>,
  send: (address: string, init: RequestInit) => Promise<Response>,
): BoardClient {
  const passwords = new Map(site.users.map(({ login, password }) => [login, password]));
  return {
    site,
    async call(method, path, { as = null, query = {}, body, file } = {}) {
      const headers = new Headers();
      if (as !== null) headers.set('Authorization', `Basic ${btoa(`${as}:${passwords.get(as)}`)}`);
      const more = Object.entries(query).map(([name, value]) => `&${name}=${encodeURIComponent(value)}`);
      const init: RequestInit = { method, headers };
      if (body !== undefined) {
        headers.set('Content-Type', 'application/json');
        init.body = JSON.stringify(body);
      }
      if (file !== undefined) {
        const form = new FormData();
        form.set('file', new File([new Uint8Array(file.bytes)], file.name, { type: file.type }));
        init.body = form;
      }
      const response = await send(`/index.php?rest_route=/boards/v2${path}${more.join('')}`, init);
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === '' ? null : JSON.parse(text),
      };
    },
  };
}

/** A PNG of one pixel. */
export const PNG: Uint8Array = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Returns the member of a response at a path, or `undefined`: `memberAt(response.body, 'stages', 0, 'id')`. */
export function memberAt(value: Json | undefined, ...path: readonly (string | number)[]): Json | undefined {
  let found: Json | undefined = value;
  for (const step of path) {
    if (Array.isArray(found)) found = found[Number(step)];
    else if (typeof found === 'object' && found !== null) found = (found as JsonObject)[step];
    else return undefined;
  }
  return found;
}

/** Finds the first item that matches. */
export function findFirst<T>(things: ReadonlyMap<number, T>, wanted: (thing: T) => boolean): T {
  for (const thing of things.values()) if (wanted(thing)) return thing;
  throw new Error('the generated site has no such item');
}
