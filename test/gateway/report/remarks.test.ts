import { once } from 'node:events';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { SiteOptions } from '../../../src/gateway/index.ts';
import { type Answer, createMovableClock, runAnswering } from '../../support/run.ts';

/** What the state of a site names while its clients get good responses, from requests that were really sent. */

const TOKEN = 'a-token-of-an-operator';
const USER = { authorization: 'Basic YTpi', 'content-type': 'application/json' };
const POSTS = '/wp-json/wp/v2/posts';

interface Incident {
  readonly site?: Partial<SiteOptions>;
  /** Undefined: it gets no response. It can move the gateway's clock. */
  readonly answer?: (url: string, count: number, move: (seconds: number) => void) => Answer | undefined;
  readonly send: (
    send: (path: string, init?: RequestInit) => Promise<unknown>,
    move: (seconds: number) => void,
    url: string,
  ) => Promise<unknown>;
  /** Each is in the text or the remedy of one remark. */
  readonly facts: readonly (string | RegExp)[];
}

const repeat = async (times: number, act: (at: number) => Promise<unknown>): Promise<void> => {
  for (let at = 0; at < times; at += 1) await act(at);
};

const INCIDENTS: Readonly<Record<string, Incident>> = {
  'a limit that people of one address share': {
    site: { limits: { client: '20/m' } },
    send: (send) => repeat(100, (at) => send('/', { headers: { 'user-agent': `Browser/${at % 5}` } })),
    facts: ['limits.client', '20/m', '127.0.0.1', '80 of', '5 user agents', 'trust'],
  },
  'one program that a limit refuses': {
    site: { limits: { client: '20/m' } },
    send: (send) =>
      repeat(100, (at) => send('/', { headers: { 'user-agent': at < 15 ? 'Browser/1' : 'scraper/1' } })),
    facts: ['limits.client', 'all as "scraper/1"'],
  },
  'requests that hold all places at the site': {
    site: { concurrency: { max: 2 } },
    answer: (url) => (url.includes('admin-ajax') ? undefined : { body: '<p>a</p>' }),
    async send(_, move, url) {
      const stop = new AbortController();
      const { signal } = stop;
      const poll = `${url}/wp-admin/admin-ajax.php?action=ticker&at=`;
      const open = [1, 2].map((at) => fetch(poll + at, { signal }).catch(() => null));
      await new Promise((resolve) => setTimeout(resolve, 500));
      open.push(fetch(`${url}/waits/`, { signal }).catch(() => null));
      await new Promise((resolve) => setTimeout(resolve, 500));
      move(4);
      return () => {
        stop.abort();
        return Promise.all(open);
      };
    },
    facts: ['1 request', 'GET /wp-admin/admin-ajax.php holds 2 of 2 places', 'concurrency'],
  },
  'a clock of the site that is slow': {
    answer: () => ({ body: '<p>a</p>', headers: { date: new Date(Date.now() - 2_834_000).toUTCString() } }),
    send: (send) => repeat(40, (at) => send(`/page-${at}/`)),
    facts: ['40 of the last 40', '47\u00a0min', 'clock'],
  },
  'cookies whose names have the id of a page': {
    answer: (url) => ({
      body: '<p>a</p>',
      headers: { 'set-cookie': `hj_p_${/\d+/.exec(url)?.[0]}=1; path=/` },
    }),
    async send(send) {
      await repeat(60, (at) => send(`/page-${1_000 + at}/`));
      await repeat(60, (at) => send('/', { headers: { cookie: `hj_p_${1_000 + at}=1` } }));
    },
    facts: ['hj_p_*', 'ignoreCookies'],
  },
  'a header field that clients spell in two ways': {
    send: (_, __, url) =>
      repeat(40, async (at) => {
        const headers = { [at % 2 === 0 ? 'X-Org-Id' : 'x-org-id']: '1' };
        const [response] = await once(get(`${url}/page-${at}/`, { headers }), 'response');
        await text(response);
      }),
    facts: [/^100.* no hits: x-org-id/i],
  },
  'a parameter that makes each address new': {
    answer: () => ({ body: '[]' }),
    send: (send) => repeat(60, (at) => send(`${POSTS}?page=${1 + (at % 3)}&_=${1_700_000_000_000 + at}`)),
    facts: ['parameter _ ', '60 values', 'only 3', 'ignoreParameters: ["_"]'],
  },
  'a read that fails behind its stored response': {
    answer: (_, count) => (count > 2 ? { status: 500, body: '' } : { body: '[]' }),
    site: { cache: { pages: 60, rules: [{ match: '/wp/v2/*', ttl: 30 }] } },
    async send(send, move) {
      await repeat(2, () => send(POSTS));
      await repeat(5, async () => {
        move(45);
        await send(POSTS);
        await new Promise((resolve) => setTimeout(resolve, 50));
      });
    },
    facts: [/GET \/wp\/v2\/posts failed at the site [345] times/, '5xx', 'stored responses'],
  },
  'purges of everything that keep hits low': {
    answer: () => ({ body: '<p>a</p>' }),
    send: (send) =>
      repeat(4, async () => {
        await repeat(30, (at) => send(`/page-${at}/`));
        await send(POSTS, { method: 'POST', headers: USER, body: '{"title":"x"}' });
      }),
    facts: [
      '4 purges of everything',
      '127.0.0.1',
      /cache\.writes: \[\{ match: POST \/wp\/v2\/posts, purges: nothing \}\]/,
    ],
  },
  'an operation that became slow': {
    answer: (url, count, move) => {
      if (count > 60 && url.includes('/posts')) move(6);
      return { body: '[]' };
    },
    site: { cache: { pages: 60, rules: [{ match: '/wp/v2/*', ttl: 60 }] } },
    async send(send, move) {
      await repeat(60, (at) => send(`${POSTS}?page=${at + 1}`));
      move(60);
      await repeat(300, (at) => send(`/page-${at}/`));
      await repeat(10, (at) => send(`${POSTS}?page=${at + 1}&per_page=5`));
    },
    facts: ['GET /wp/v2/posts takes 6\u00a0s'],
  },
};

async function listRemarks({ answer, send, site }: Omit<Incident, 'facts'>): Promise<readonly string[]> {
  const clock = createMovableClock();
  clock.stop();
  const { origin, request } = await runAnswering(
    ({ url = '' }, count) => (answer === undefined ? { body: '<p>a</p>' } : answer(url, count, clock.move)),
    site,
    { clock, admin: { token: TOKEN, alerts: { clients: ['127.0.0.0/8'] } } },
  );
  const end = await send(async (path, init) => (await request(path, init)).arrayBuffer(), clock.move, origin);
  const response = await request('/-/sites', { headers: { authorization: `Bearer ${TOKEN}` } });
  const body: { sites: { state: { remarks: { text: string; remedy: string }[] } }[] } = await response.json();
  if (typeof end === 'function') await end();
  return body.sites[0]?.state.remarks.map(({ remedy, text }) => `${text}: ${remedy}`) ?? [];
}

describe('the state of a site names', () => {
  test.each(Object.entries(INCIDENTS))('%s', async (_, incident) => {
    const remarks = await listRemarks(incident);
    const isMeant = (remark: string): boolean =>
      incident.facts.every((fact) => (typeof fact === 'string' ? remark.includes(fact) : fact.test(remark)));
    expect(remarks.some(isMeant), remarks.join('\n')).toBe(true);
  });
});

const SLOW_AJAX = '/wp-admin/admin-ajax.php?action=slow&at=';

describe('the state of a site names nothing that would mislead:', () => {
  test.each([
    ['a declared parameter in another spelling', (at: number) => `${POSTS}?page=1&%73earch=${at}`],
    ['a declared list', (at: number) => `${POSTS}?page=1&include%5B%5D=${at}`],
    ['a declared list with keys', (at: number) => `${POSTS}?page=1&include[${at}]=${at}`],
    ['the route in the query', (at: number) => `/?rest_route=/wp/v2/posts/${at}&page=1`],
  ])('%s makes no address new without need', async (_, toTarget) => {
    const remarks = await listRemarks({
      answer: () => ({ body: '[]' }),
      send: (send) => repeat(60, (at) => send(toTarget(at))),
    });
    expect(remarks.filter((remark) => remark.includes('ignoreParameters'))).toEqual([]);
  });

  test('a share of requests that the counted minutes no longer have', async () => {
    const remarks = await listRemarks({
      answer: () => ({ body: '<p>a</p>', headers: { 'set-cookie': 'a=1; path=/' } }),
      async send(send, move) {
        move(90 - ((Date.now() / 1_000) % 60));
        await repeat(40, (at) => send(`/page-${at}/`));
        move(280);
      },
    });
    expect(remarks.filter((remark) => remark.includes('of requests'))).toEqual([]);
  });

  test('a longer lifetime for what is never stored', async () => {
    const remarks = await listRemarks({
      answer(_, __, move) {
        move(6);
        return { body: '0' };
      },
      send: (send) => repeat(10, (at) => send(SLOW_AJAX + at)),
    });
    const slow = remarks.filter((remark) => remark.includes('on average'));
    expect(slow).toHaveLength(1);
    expect(slow[0]).not.toContain('ttl');
  });

  test('a slow site while one operation holds its places', async () => {
    const { answer, send, ...held } = INCIDENTS['requests that hold all places at the site'] ?? {};
    const remarks = await listRemarks({
      ...held,
      answer(url, count, move) {
        if (url.includes('page-')) move(6);
        return answer?.(url, count, move);
      },
      async send(request, move, url) {
        await repeat(30, (at) => request(`/page-${at}/`));
        return send?.(request, move, url);
      },
    });
    expect(remarks.some((remark) => remark.includes('holds 2 of 2 places'))).toBe(true);
    expect(remarks.filter((remark) => remark.includes('on average'))).toEqual([]);
  });
});
