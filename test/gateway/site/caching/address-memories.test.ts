import { Agent } from 'node:http';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/ports.ts';
import { startOnce } from '../../../support/close-after-test.ts';
import { networks, startGateway } from '../../../support/gateway.ts';
import { sendRaw } from '../../../support/run.ts';
import { EDITOR, type StubRequest } from '../../../support/stub-site.ts';

/** What a hostile client can do to what others get at an address. */

const SECRET = 'a-secret-of-the-tests';
const LONG = 'a'.repeat(8_300);

interface Hostile {
  readonly headers?: Readonly<Record<string, string>>;
  /** Added to the address. */
  readonly query?: string;
  /** Leaves before the response. */
  readonly leaves?: boolean;
  /** The status that it gets, if it stays. */
  readonly status: number;
}

/** By what a client tries, and who has met it. The site answers 400 to a field of more than 8,000 bytes, as nginx does. */
const HOSTILE: Readonly<Record<string, Hostile>> = {
  'an Origin that is too long': { headers: { origin: `http://${LONG}` }, status: 400 },
  'a range behind the end': { headers: { range: 'bytes=900-' }, status: 416 },
  'a reload (varnishcache/varnish-cache#2410)': { headers: { 'cache-control': 'no-cache' }, status: 200 },
  'another method (projectdiscovery/nuclei-templates#8389)': {
    headers: { 'x-http-method-override': 'POST' },
    status: 200,
  },
  'a query that a firewall refuses': { query: '?a=union+select', status: 403 },
  'another host': { headers: { host: 'other.example.com' }, status: 200 },
  'a request that it leaves': { headers: { 'cache-control': 'no-cache' }, leaves: true, status: 0 },
};

/** Sends what `fetch` would not. @returns the status; 0 if the client has left */
async function attack(origin: string, path: string, { headers, leaves, query = '' }: Hostile) {
  const agent = new Agent();
  if (leaves === true) setTimeout(() => agent.destroy(), 20);
  const sent = { agent, headers: { host: 'www.example.com', ...headers } };
  const status = await sendRaw(origin, path + query, sent).then(
    (response) => response.status,
    () => 0,
  );
  agent.destroy();
  return status;
}

/** A site behind nginx: pages that are published or not, of which some cannot be shared. */
class Site {
  isDown = false;
  /** What the pages that cannot be shared send. */
  personal: Readonly<Record<string, string>> = { 'set-cookie': 'a=1' };
  readonly published: Set<string> = new Set();
  #responses = 0;

  respond({ headers, url }: StubRequest, lines: readonly string[]): readonly [number, object, string] {
    const html = { 'content-type': 'text/html', etag: '"same"' };
    if (Math.max(...lines.map(({ length }) => length)) > 8_000)
      return [400, html, 'Request Header Or Cookie Too Large'];
    if (url.includes('union')) return [403, { ...html, 'cache-control': 'no-store' }, 'no'];
    if (headers.range === 'bytes=900-') return [416, html, 'not satisfiable'];
    const [path = ''] = url.split('?');
    if (path.endsWith('/new/') && !this.published.has(path))
      return [
        404,
        { ...html, 'cache-control': 'no-cache, must-revalidate, max-age=0, no-store, private' },
        'no',
      ];
    this.#responses += 1;
    const isPersonal = path.endsWith('/personal/');
    const lifetime = path.endsWith('/stale/') ? 1 : 600;
    const stated = {
      'cache-control': `max-age=${lifetime}, stale-if-error=600`,
      ...(isPersonal ? this.personal : {}),
    };
    const name = `${path} ${headers['x-forwarded-host']}`;
    return [200, { ...html, ...stated }, `<p>${name} ${this.#responses}</p>`];
  }
}

const isHit = (cacheStatus: string): boolean => cacheStatus.startsWith('waygate; hit');

let passed = 0;
/** Lets what is fresh for a second become stale. */
const expire = (): void => {
  passed += 2_000;
};

describe('what is known of an address', () => {
  const site = new Site();
  const start = startOnce(() => {
    const cache = { pages: 60, webhook: SECRET, purgers: networks('127.0.0.1') };
    const clock = { ...systemClock, now: () => Date.now() + passed };
    return startGateway({ cache, gateway: { clock } }, (request, _, response) => {
      const { method, route, url } = request;
      if (site.isDown) return void response.destroy();
      if (/%0[ad]/i.test(url)) return { status: 403, body: 'no' };
      if (method === 'POST' && route === '/wp/v2/posts') {
        site.published.add(request.query.get('page') ?? '');
        return { status: 201, body: { id: 7, status: 'publish' } };
      }
      if (route !== undefined) return { body: [] };
      const [status, headers, body] = site.respond(request, response.req.rawHeaders);
      // One chunk after the head, as PHP-FPM sends a page.
      response.writeHead(status, { ...headers }).flushHeaders();
      setTimeout(() => response.end(body), 5);
      return undefined;
    });
  });

  /** Requests a page. @returns its body, and how the store was used */
  async function read(path: string, sent: Readonly<Record<string, string>> = {}) {
    const headers = { host: 'www.example.com', ...sent };
    const { body, headers: received } = await sendRaw((await start()).origin, path, { headers });
    return [body, String(received['cache-status'])] as const;
  }

  const publish = async (page: string): Promise<Response> =>
    (await start()).request(`/wp-json/wp/v2/posts?page=${page}`, {
      method: 'POST',
      headers: { authorization: EDITOR.authorization, 'content-type': 'application/json' },
      body: '{"title":"A title","status":"publish"}',
    });

  describe.each(Object.entries(HOSTILE))('a hostile client sends %s:', (what, hostile) => {
    const at = Object.keys(HOSTILE).indexOf(what);

    test('what is a hit for others stays one', async () => {
      const path = `/a/${at}/hit/`;
      const [body] = await read(path);
      for (let time = 0; time < 3; time += 1) {
        const status = await attack((await start()).origin, path, hostile);
        if (hostile.leaves !== true) expect([200, hostile.status]).toContain(status);
      }
      const [after, status] = await read(path);
      expect(isHit(status)).toBe(true);
      if (!/reload|leaves/.test(what)) expect(after).toBe(body);
    });

    test('a stored response is still used while the site is down', async () => {
      const path = `/a/${at}/stale/`;
      await read(path);
      expire();
      // It leads, or follows, the revalidation of others.
      const { origin } = await start();
      const attacks = [1, 2, 3].map(() => attack(origin, path, hostile));
      const [during] = await Promise.all([read(path), ...attacks]);
      expire();
      site.isDown = true;
      const [body, status] = await read(path).finally(() => {
        site.isDown = false;
      });
      expect([during[0], body]).toEqual(Array(2).fill(expect.stringContaining(`<p>${path}`)));
      expect(status).toMatch(/ttl=-\d+/);
    });

    test('a page that is published appears, and is stored', async () => {
      const path = `/a/${at}/new/`;
      for (let time = 0; time < 2; time += 1) {
        expect((await read(path))[0]).not.toContain(path);
        await attack((await start()).origin, path, hostile);
      }
      expect((await publish(path)).status).toBe(201);
      expect((await read(path))[0]).toContain(path);
      expect(isHit((await read(path))[1])).toBe(true);
    });
  });

  // OWASP CRS 921150 refuses line breaks in arguments, and PHP reads 10.
  test.each(['%0a10', '10%0D', '%0d%0a10'])(
    'a spelling of 10 that a firewall refuses (%s) takes no stored route away',
    async (spelling) => {
      const path = '/wp-json/wp/v2/posts?per_page=';
      await read(`${path}10`);
      const hostile = { headers: { 'cache-control': 'no-cache' }, status: 403 };
      expect(await attack((await start()).origin, path + spelling, hostile)).toBe(403);
      expect(isHit((await read(`${path}10`))[1])).toBe(true);
    },
  );

  test.each([
    ['the host', {}, { host: 'other.example.com' }],
    ['Origin', { origin: 'http://a.example.com' }, { origin: 'http://b.example.com' }],
  ])('what is known of an address is known for %s alone', async (what, one, other) => {
    const path = `/a/${encodeURIComponent(what)}/personal/`;
    site.personal = { 'set-cookie': 'a=1' };
    await read(path, one);
    expect((await read(path, one))[1]).toContain('hit-for-pass');
    site.personal = {};
    await read(path, other);
    expect(isHit((await read(path, other))[1])).toBe(true);
  });
});
