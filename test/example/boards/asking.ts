import { type BoardState, boardDefinition } from '../../../src/example/boards/index.ts';
import { createSite, type Site } from '../../../src/example/site/create-site.ts';
import type { Json, JsonObject } from '../../../src/json.ts';

/** Who asks: a user by login, or nobody. */
export type Who = 'admin' | 'editor' | 'subscriber' | null;

export interface Asked {
  readonly as?: Who;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: Json;
  /** Instead of a body: a form with one file. */
  readonly file?: { readonly name: string; readonly type: string; readonly bytes: Uint8Array };
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

export interface Boards {
  readonly site: Site<BoardState>;
  /** Below the namespace: `ask('GET', '/projects', { as: 'admin' })`. */
  ask(method: string, path: string, asked?: Asked): Promise<Answered>;
}

/** A board site of its own, and a way to ask it. */
export function startBoards(): Boards {
  const site = createSite(boardDefinition);
  return boardsOf(site, async (address, init) => site.request(address, init));
}

/** A board site that is asked by whatever way: `send` is given the site's own spelling, `/index.php?rest_route=/boards/v2/projects`. */
export function boardsOf(
  site: Site<BoardState>,
  send: (address: string, init: RequestInit) => Promise<Response>,
): Boards {
  const passwords = new Map(site.users.map(({ login, password }) => [login, password]));
  return {
    site,
    async ask(method, path, { as = null, query = {}, body, file } = {}) {
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
      const answer = await send(`/index.php?rest_route=/boards/v2${path}${more.join('')}`, init);
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
    },
  };
}

/** The smallest picture there is, as bytes. */
export const PNG: Uint8Array = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A member of an answer by its path: `at(answer.body, 'stages', 0, 'id')`. */
export function at(value: Json | undefined, ...path: readonly (string | number)[]): Json | undefined {
  let found: Json | undefined = value;
  for (const step of path) {
    if (Array.isArray(found)) found = found[Number(step)];
    else if (typeof found === 'object' && found !== null) found = (found as JsonObject)[step];
    else return undefined;
  }
  return found;
}
