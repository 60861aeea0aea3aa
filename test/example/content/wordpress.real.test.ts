import { beforeAll, describe, expect, test } from 'vitest';
import { drawLandscape } from '../../../src/example/content/images.ts';
import { basicAuth, useWordPress } from '../../support/wordpress.ts';
import { createContentClient } from '../support/site-client.ts';
import { compareShapes, shapeOf } from './body-shape.ts';
import { KNOWN_DIFFERENCES } from './wordpress-differences.ts';
import {
  type ComparedRequest,
  type Identity,
  ITEMS,
  LISTS,
  mediaRequests,
  SETUP_REQUESTS,
  VERSIONS,
  WRITES,
} from './wordpress-requests.ts';

const PNG = drawLandscape({ width: 400, height: 300, blue: 200, shape: 5 });
const GROUPS = {
  lists: LISTS,
  items: ITEMS,
  versions: VERSIONS,
  writes: WRITES,
  media: mediaRequests(PNG),
} as const;

/** One of the two compared sites, with the ids that it assigned. */
interface Side {
  readonly ids: Map<string, string | number>;
  send(path: string, as: Identity, init: RequestInit): Promise<Response>;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies have any shape
type ComparedResponse = { readonly status: number; readonly total: string | null; readonly body: any };

describe('Site A beside a real WordPress', () => {
  const wordpress = useWordPress({ title: 'Beside Site A' });
  const client = createContentClient();
  let sides: readonly Side[] = [];

  beforeAll(async () => {
    sides = [await realSide(), exampleSide()];
    for (const request of SETUP_REQUESTS) {
      for (const { status, body } of await sendToBoth(request)) {
        if (status > 201)
          throw new Error(`${request.method} ${request.path}: ${status} ${JSON.stringify(body)}`);
      }
    }
  });

  /** Sends a request to both sites and saves the ids in their responses. */
  async function sendToBoth(request: ComparedRequest): Promise<ComparedResponse[]> {
    return Promise.all(
      sides.map(async (side) => {
        const response = await sendTo(side, request);
        const first = Array.isArray(response.body) ? response.body[0] : response.body;
        if (request.save !== undefined && first?.id !== undefined) {
          side.ids.set(request.save, first.id);
          if (first.source_url !== undefined) side.ids.set(`source:${request.save}`, first.source_url);
        }
        return response;
      }),
    );
  }

  test.each(Object.entries(GROUPS))(
    '%s agree in status, error code, shape, and the values that were sent',
    async (_, group) => {
      const found: string[] = [];
      for (const request of group) {
        const [wordpressResponse, exampleResponse] = await sendToBoth(request);
        if (wordpressResponse === undefined || exampleResponse === undefined)
          throw new Error('a response of each site is expected');
        const expected = KNOWN_DIFFERENCES.some(({ applies }) => applies(request));
        const differ = compare(wordpressResponse, exampleResponse, request);
        const name = `${request.as} ${request.method} ${request.path} ${JSON.stringify(request.json ?? '')}`;
        if (!expected && differ.length > 0) found.push(`${name}: ${differ.join('; ')}`);
        if (expected && differ.length === 0) found.push(`${name}: no longer differs`);
      }
      expect(found).toEqual([]);
    },
  );

  test.each(KNOWN_DIFFERENCES.map(({ reason, applies }) => [reason, applies] as const))(
    'a request covers the known difference: %s',
    (_, applies) => {
      expect(Object.values(GROUPS).flat().some(applies)).toBe(true);
    },
  );

  test('the comparison has at least 300 requests', () => {
    expect(Object.values(GROUPS).flat().length).toBeGreaterThanOrEqual(300);
  });

  function exampleSide(): Side {
    const { site } = client;
    site.state().entries.clear();
    const terms = [...site.state().terms.values()];
    const parents = new Set(terms.map(({ parent }) => parent));
    const idsOf = (taxonomy: string): number[] =>
      terms.filter((term) => term.taxonomy === taxonomy && !parents.has(term.id)).map(({ id }) => id);
    return {
      ids: namesOf(
        idsOf('category').slice(1),
        idsOf('post_tag'),
        (role) => site.users.find((user) => user.role === role)?.id ?? 0,
      ),
      async send(path, as, init) {
        const user = site.users.find(({ role }) => role === as);
        const headers = new Headers(init.headers);
        if (user !== undefined)
          headers.set('authorization', basicAuth({ user: user.login, password: user.password }));
        return site.request(`http://localhost/wp-json/core/v2${path}`, { ...init, headers });
      },
    };
  }

  async function realSide(): Promise<Side> {
    const { url, users } = wordpress();
    const send: Side['send'] = (path, as, init) => {
      const headers = new Headers(init.headers);
      if (as !== 'anonymous') headers.set('authorization', basicAuth(users[as]));
      return fetch(`${url}wp-json/wp/v2${path}`, { ...init, headers });
    };
    const list = async (path: string): Promise<{ id: number; slug: string }[]> =>
      (await send(path, 'administrator', {})).json();
    for (const path of [
      '/posts?status=any&per_page=100',
      '/pages?status=any&per_page=100',
      '/media?per_page=100',
    ]) {
      for (const { id } of await list(path)) {
        await send(`${path.split('?')[0]}/${id}?force=true`, 'administrator', { method: 'DELETE' });
      }
    }
    const people = await list('/users?context=edit');
    const terms = async (path: string): Promise<number[]> =>
      (await list(path)).filter(({ slug }) => slug !== 'uncategorized').map(({ id }) => id);
    return {
      ids: namesOf(
        await terms('/categories'),
        await terms('/tags'),
        (role) => people.find(({ slug }) => slug === role)?.id ?? 0,
      ),
      send,
    };
  }
});

function namesOf(
  categories: readonly number[],
  tags: readonly number[],
  userOf: (role: Identity) => number,
): Side['ids'] {
  const roles: readonly Identity[] = ['subscriber', 'editor', 'administrator'];
  return new Map([
    ...categories.map((id, index): [string, number] => [`category${index + 1}`, id]),
    ...tags.map((id, index): [string, number] => [`tag${index + 1}`, id]),
    ...roles.map((role): [string, number] => [role, userOf(role)]),
  ]);
}

async function sendTo(
  side: Side,
  { as, method, path, json, raw }: ComparedRequest,
): Promise<ComparedResponse> {
  const sent = json === undefined ? raw?.bytes : fill(JSON.stringify(json), side.ids);
  const headers = json === undefined ? raw?.headers : { 'content-type': 'application/json' };
  const response = await side.send(fill(path, side.ids), as, {
    method,
    ...(headers === undefined ? {} : { headers }),
    ...(sent === undefined ? {} : { body: typeof sent === 'string' ? sent : new Uint8Array(sent) }),
  });
  const text = await response.text();
  // A fatal error of PHP responds with an HTML page.
  const body = text.startsWith('<') ? { code: 'html' } : JSON.parse(text);
  return { status: response.status, total: response.headers.get('x-wp-total'), body };
}

/** Replaces `{name}` by an id. A name that is a whole JSON string becomes a number. */
function fill(text: string, ids: Side['ids']): string {
  return text.replace(/"\{([\w:]+)\}"|\{([\w:]+)\}/g, (whole, quoted?: string, plain?: string) => {
    const id = ids.get(quoted ?? plain ?? '');
    if (id === undefined) return whole;
    return quoted === undefined ? String(id) : JSON.stringify(id);
  });
}

function compare(
  wordpressResponse: ComparedResponse,
  exampleResponse: ComparedResponse,
  { json, path }: ComparedRequest,
): readonly string[] {
  if (
    wordpressResponse.status !== exampleResponse.status ||
    wordpressResponse.body?.code !== exampleResponse.body?.code
  ) {
    return [
      `${wordpressResponse.status} ${wordpressResponse.body?.code ?? ''} at WordPress, ${exampleResponse.status} ${exampleResponse.body?.code ?? ''} at the example site`,
    ];
  }
  if (wordpressResponse.total !== exampleResponse.total)
    return [`${wordpressResponse.total} items at WordPress, ${exampleResponse.total} at the example site`];
  const [a, b] = [titles(wordpressResponse, path), titles(exampleResponse, path)];
  if (a !== b) return [`${a} at WordPress, ${b} at the example site`];
  const [c, d] = [echoes(wordpressResponse, json), echoes(exampleResponse, json)];
  if (c !== d) return [`${c} at WordPress, ${d} at the example site`];
  return compareShapes(shapeOf(wordpressResponse.body, path), shapeOf(exampleResponse.body, path));
}

/** The titles of a list in order. Drafts of one second have no defined order, so theirs are sorted. */
function titles({ body }: ComparedResponse, path: string): string {
  const all: unknown[] = Array.isArray(body) ? body.map(({ title }) => title?.rendered) : [];
  return (path.includes('status=any') ? all.sort() : all).join(', ');
}

/**
 * The members of a response that the request has set, as text. Ids differ between the sites, so members with ids are left out,
 * and those that were sent as null: the site sets them itself, a date to its clock.
 */
function echoes({ body }: ComparedResponse, json: ComparedRequest['json']): string {
  const sent = Object.entries(json ?? {}).filter(
    ([, value]) => value !== null && !JSON.stringify(value).includes('{'),
  );
  const echoed = sent.flatMap(([name]) => {
    const value = body?.[name];
    const raw = value?.raw ?? value;
    return raw === undefined || typeof raw === 'object' ? [] : [[name, raw]];
  });
  return JSON.stringify(Object.fromEntries(echoed));
}
