import { once } from 'node:events';
import { get, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { Clock, StateStore } from '../../../src/base/ports.ts';
import { MemoryStore } from '../../../src/gateway/cache/stores/memory-store.ts';
import type { SiteOptions } from '../../../src/gateway/index.ts';
import REMARKS from '../../../src/gateway/report/remarks.json' with { type: 'json' };
import { PLUGIN_VERSION } from '../../../src/gateway/wordpress/site-fields.ts';
import { type Answer, networks, perMinute, startGateway, TOKEN } from '../../support/gateway.ts';
import { GatewayClock } from '../../support/gateway-clock.ts';
import { runServer, runStubSite } from '../../support/run.ts';
import { signMessage } from '../../support/signed-message.ts';

/** What the state of a site names, from requests that were really sent. */

const USER = { authorization: 'Basic YTpi', 'content-type': 'application/json' };
const POSTS = '/wp-json/wp/v2/posts';
const SECRET = 'the-secret-of-the-site';
const PAGE: Answer = { body: '<p>a</p>' };

interface Stage {
  /** Sends a request to the gateway, and reads the response. */
  readonly send: (path: string, init?: RequestInit) => Promise<unknown>;
  /** Moves the gateway's clock, which stands still otherwise. */
  readonly move: (seconds: number) => void;
  readonly rediscover: () => Promise<void>;
  /** Lets the site answer again. */
  readonly restore: () => void;
  readonly closeSite: () => Promise<unknown>;
  readonly siteUrl: string;
  readonly origin: string;
}

/** As waygate.php answers. */
type OwnFields = Readonly<Record<string, string>>;

interface Incident {
  readonly site?: Partial<SiteOptions>;
  readonly createStore?: (clock: Clock) => MemoryStore;
  /** Whether the site is read, which it hinders by closing connections or by not answering, until it is restored. */
  readonly discovery?: 'closes' | 'hangs';
  readonly state?: StateStore;
  /** Clients that can be busy. @default all */
  readonly clients?: readonly string[];
  /** Limits of the operator. */
  readonly alerts?: { readonly errors?: number; readonly slow?: number };
  /** Undefined: it gets no response. */
  readonly answer?: (
    url: string,
    count: number,
    move: Stage['move'],
    ownFields: OwnFields,
  ) => Answer | undefined;
  readonly show: (stage: Stage) => Promise<unknown>;
  /** Each is in the text or the remedy of the remark. */
  readonly facts?: readonly (string | RegExp)[];
  /** What no remark says. */
  readonly lacks?: RegExp;
  /** @default good requests, later than the minutes that a remark is about */
  readonly end?: (stage: Stage) => Promise<unknown>;
}

const repeat = async (times: number, act: (at: number) => Promise<unknown>): Promise<void> => {
  for (let at = 0; at < times; at += 1) await act(at);
};
const visit = (times: number) => (stage: Stage) => repeat(times, (at) => stage.send(`/page-${at}/`));
const readAgain = async ({ rediscover, restore }: Stage): Promise<void> => {
  restore();
  await rediscover();
  await rediscover();
};
const post = (send: Stage['send']): Promise<unknown> =>
  send(POSTS, { method: 'POST', headers: USER, body: '{"title":"x"}' });
const sendMessage = ({ send }: Stage, secret: string): Promise<unknown> => {
  const body = '{"instance":"a","sequence":1,"tags":[]}';
  return send('/-/webhook/default', { method: 'POST', headers: signMessage(secret, body), body });
};

/** A store that others share, which another program empties. */
class EmptiedStore extends MemoryStore {
  readonly #emptied = [Date.now(), Date.now()];
  override report(): ReturnType<MemoryStore['report']> {
    const shared = { state: 'connected', losses: 0, emptied: this.#emptied, remedy: null } as const;
    return { ...super.report(), shared };
  }
}

/** A shared store whose server is gone. */
class LostStore extends MemoryStore {
  override report(): ReturnType<MemoryStore['report']> {
    return { ...super.report(), shared: { state: lost, losses: 1, emptied: [], remedy: null } };
  }
}

let isFull = true;
/** Writes of the state wait, and are repeated after half a minute. */
const passWrites = ({ move }: Stage): Promise<void> =>
  repeat(5, async () => {
    move(60);
    await new Promise((resolve) => setTimeout(resolve, 100));
  });

let lost: 'bypassed' | 'connected' = 'bypassed';

const held: { stop: () => Promise<unknown> } = { stop: async () => {} };

const DOWN = { status: 500, headers: { 'content-type': 'text/html' }, body: '<h1>No database</h1>' };

/** For each row of `remarks.json`, traffic that shows it and traffic that ends it. */
const INCIDENTS: Readonly<Record<string, Incident>> = {
  starting: {
    discovery: 'hangs',
    site: { passthrough: false },
    show: async () => {},
    facts: ['not read yet'],
    end: readAgain,
  },
  unread: {
    discovery: 'closes',
    site: { passthrough: false },
    show: ({ rediscover }) => rediscover(),
    facts: ['could not be read'],
    end: readAgain,
  },
  away: {
    async show(stage) {
      await stage.send('/page-0/');
      await stage.closeSite();
      await visit(2)(stage);
    },
    facts: ['no good answer to 1 request; served from the store: 0 of 1 request', 'refused the connection'],
    async end(stage) {
      await runServer((_, response) => response.end('back'), { port: Number(new URL(stage.siteUrl).port) });
      await stage.send('/page-9/');
    },
  },
  failing: {
    answer: (url) => (url.includes('page') ? DOWN : PAGE),
    show: visit(3),
    facts: [/^100\.0\s% of requests fail; 3 of the last 3: the site failed: 500 "No database"/],
  },
  waiting: {
    site: { concurrency: { max: 2 } },
    answer: (url) => (url.includes('admin-ajax') ? undefined : PAGE),
    async show({ move, origin }) {
      const stop = new AbortController();
      const { signal } = stop;
      const poll = `${origin}/wp-admin/admin-ajax.php?action=ticker&at=`;
      const open = [1, 2].map((at) => fetch(poll + at, { signal }).catch(() => null));
      await new Promise((resolve) => setTimeout(resolve, 500));
      open.push(fetch(`${origin}/waits/`, { signal }).catch(() => null));
      await new Promise((resolve) => setTimeout(resolve, 500));
      move(4);
      held.stop = () => {
        stop.abort();
        return Promise.all(open);
      };
    },
    facts: ['1 request', 'GET /wp-admin/admin-ajax.php holds 2 of 2 places', 'concurrency'],
    end: () => held.stop(),
  },
  slow: {
    answer(url, _, move) {
      if (url.includes('page')) move(6);
      return PAGE;
    },
    show: visit(25),
    facts: ['takes over 6\u00a0s'],
  },
  limited: {
    discovery: 'closes',
    show: ({ rediscover }) => rediscover(),
    facts: ['no document'],
    end: readAgain,
  },
  'lost-store': {
    createStore: (clock) => new LostStore({ clock }),
    show: async () => {},
    facts: ['the shared store is bypassed'],
    async end() {
      lost = 'connected';
    },
  },
  'unwritten-state': {
    discovery: 'closes',
    state: {
      read: async () => null,
      write: async () => {
        if (isFull) throw new Error('ENOSPC');
      },
    },
    async show(stage) {
      await readAgain(stage);
      await passWrites(stage);
    },
    facts: ['its state cannot be written'],
    end(stage) {
      isFull = false;
      return passWrites(stage);
    },
  },
  failed: {
    answer: (url) => (url.includes('page') ? { ...PAGE, status: 500 } : PAGE),
    async show(stage) {
      await visit(3)(stage);
      stage.move(40);
      await repeat(60, () => stage.send('/'));
    },
    facts: [/^4\.8\s% of requests failed, the last at \d{4}-.* UTC; none of 60 since/],
  },
  left: {
    answer: (url) => (url.includes('page') ? undefined : PAGE),
    // Long enough for a request to reach the site.
    show: ({ origin }) =>
      Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          fetch(`${origin}/page-${at}/`, { signal: AbortSignal.timeout(2_000) }).catch(() => null),
        ),
      ),
    facts: ['8 visitors left before their response was complete'],
  },
  'failing-operation': {
    answer: (url, count) => (url.includes('/posts') && count > 2 ? DOWN : { body: '[]' }),
    site: { cache: { pages: 60, rules: [{ match: '/wp/v2/*', ttl: 30 }] } },
    async show({ move, send }) {
      await repeat(2, () => send(POSTS));
      await repeat(5, async () => {
        move(45);
        await send(POSTS);
        await new Promise((resolve) => setTimeout(resolve, 50));
      });
    },
    facts: [
      /GET \/wp\/v2\/posts failed at the site [345] times/,
      ...['5xx', 'stored responses', 'the site failed: 500 "No database"'],
    ],
  },
  'slow-operation': {
    answer(url, count, move) {
      if (count > 60 && url.includes('/posts')) move(6);
      return { body: '[]' };
    },
    site: { cache: { pages: 60, rules: [{ match: '/wp/v2/*', ttl: 60 }] } },
    async show({ move, send }) {
      await repeat(60, (at) => send(`${POSTS}?page=${at + 1}`));
      move(60);
      await repeat(300, (at) => send(`/page-${at}/`));
      await repeat(10, (at) => send(`${POSTS}?page=${at + 1}&per_page=5`));
    },
    facts: ['GET /wp/v2/posts takes 6\u00a0s'],
  },
  'client-errors': {
    answer: (url) => (url.includes('page') ? { ...PAGE, status: 404 } : PAGE),
    show: visit(100),
    facts: [/^100\.0\s% of requests get 4xx/],
  },
  'limited-client': {
    site: { limits: { client: perMinute(20) } },
    show: ({ send }) => repeat(100, (at) => send('/', { headers: { 'user-agent': `Browser/${at % 5}` } })),
    facts: ['limits.client', /20 in 60\ss/, '127.0.0.1', '80 of', '5 user agents', 'trust'],
  },
  'busy-client': {
    clients: [],
    show: ({ send }) => repeat(100, () => send(POSTS)),
    answer: () => ({ body: '[]' }),
    facts: [
      /^127\.0\.0\.1 sends 100\.0\s% of the requests, mostly GET \/wp\/v2\/posts, as "node/,
      'admin.alerts.clients',
    ],
  },
  purges: {
    show: ({ send }) =>
      repeat(4, async () => {
        await repeat(30, (at) => send(`/page-${at}/`));
        await post(send);
      }),
    facts: [
      '4 purges of everything',
      '127.0.0.1',
      /cache\.writes: \[\{ match: POST \/wp\/v2\/posts, purges: nothing \}\]/,
    ],
  },
  'old-responses': {
    answer: () => ({ ...PAGE, headers: { date: new Date(Date.now() - 2_834_000).toUTCString() } }),
    show: visit(40),
    facts: ['40 of the last 40', '47\u00a0min', 'clock'],
  },
  'new-addresses': {
    answer: () => ({ body: '[]' }),
    show: ({ send }) => repeat(60, (at) => send(`${POSTS}?page=${1 + (at % 3)}&_=${1_700_000_000_000 + at}`)),
    facts: ['parameter _ ', '60 values', 'only 3', 'ignoreParameters: ["_"]'],
  },
  'emptied-store': {
    createStore: (clock) => new EmptiedStore({ clock }),
    show: async () => {},
    facts: ['emptied 2 times', 'FLUSHDB'],
  },
  'refused-messages': {
    site: { cache: { webhook: SECRET } },
    show: (stage) => repeat(2, () => sendMessage(stage, 'another secret')),
    facts: ['2 messages of waygate.php', 'cache.webhook'],
    end: (stage) => sendMessage(stage, SECRET),
  },
  'old-plugin': {
    site: { cache: { pages: 60, webhook: SECRET } },
    answer: (url, _, __, own) => ({
      ...PAGE,
      headers: { ...own, ...(url.includes('page') && { 'x-waygate-version': '2' }) },
    }),
    show: visit(1),
    facts: ['version 2'],
  },
  'not-exact': {
    site: { cache: { pages: 60, webhook: SECRET } },
    answer: (url, _, __, own) => ({
      ...PAGE,
      headers: { ...own, ...(url.includes('page-1') && { 'x-waygate-ordinary': 'acme: a request' }) },
    }),
    show: visit(40),
    facts: [/tags 29 of 40 responses exactly; 11: acme: a request/, 'waygate_ordinary'],
  },
  'unstored-cause': {
    answer: (url) => ({ ...PAGE, headers: { 'set-cookie': `hj_p_${/\d+/.exec(url)?.[0]}=1; path=/` } }),
    async show(stage) {
      await visit(60)(stage);
      await repeat(60, (at) => stage.send('/', { headers: { cookie: `hj_p_${at}=1` } }));
    },
    facts: ['hj_p_*', 'ignoreCookies'],
  },
  evictions: {
    createStore: (clock) => new MemoryStore({ clock, maxBytes: 4_000_000 }),
    answer: (url) => ({ body: url.includes('page') ? 'x'.repeat(200_000) : 'x' }),
    show: visit(120),
    facts: ['the store was full', 'cache.maxBytes'],
    end: ({ send }) => repeat(250, (at) => send(`/small-${at}/`)),
  },
  'unstored-pages': {
    show: visit(100),
    facts: ['none of 100 requests for pages', 'waygate why'],
    end: visit(1),
  },
};

const SLOW_AJAX = '/wp-admin/admin-ajax.php?action=slow&at=';
/** Reads posts at addresses whose parameters have many values. */
const readPosts = (toTarget: (at: number) => string): Incident => ({
  answer: () => ({ body: '[]' }),
  show: ({ send }) => repeat(60, (at) => send(toTarget(at))),
  lacks: /new-addresses/,
});

/** Further traffic, and what the remarks say of it, or do not, because it would mislead. */
const OTHERS: Readonly<Record<string, Incident>> = {
  // traefik/traefik#8540: without a store there is no circuit breaker.
  'names an unreachable site without a store': {
    site: { cache: 'off' },
    async show(stage) {
      await stage.closeSite();
      await visit(3)(stage);
    },
    facts: [/^away: no good answer to 3 requests; .*0 of 3 requests.* refused the connection/m],
  },
  'names a site whose every answer is an error, whatever it was before': {
    answer: (url) =>
      url.includes('bad') ? { status: 500, body: '<h1>Error establishing a database connection</h1>' } : PAGE,
    async show({ move, send }) {
      await send('/page-0/');
      await repeat(6, async (at) => {
        await send(`/bad-${at}/`);
        move(2);
      });
      await repeat(10, () => send('/page-0/'));
    },
    facts: [/^away: no good answer to 6 requests; served from the store: 10 of 16 requests/],
  },
  'names a site that answers every address alike': {
    answer: () => ({ status: 403, body: 'Just a moment...' }),
    show: visit(5),
    facts: [/^away: no good answer to \d+ requests; served from the store: 0 of 5 requests/],
  },
  'names no site that redirects each address to its own': {
    answer: (url) => ({ status: 301, headers: { location: `${url}/` } }),
    show: visit(9),
    lacks: /^away/m,
  },
  'names no site of which one route fails': {
    answer: (url) => (url.includes('/posts') ? { status: 500 } : PAGE),
    async show({ move, send }) {
      await repeat(9, async (at) => {
        await send(`${POSTS}?page=${at + 1}`);
        move(2);
      });
    },
    lacks: /^away/m,
  },
  'names a response that the operator finds slow': {
    alerts: { slow: 500 },
    answer(_, __, move) {
      move(1);
      return PAGE;
    },
    show: visit(1),
    facts: [/^slow: .*takes over/m],
  },
  'names no failures that the operator accepts': {
    alerts: { errors: 1 },
    answer: () => ({ ...PAGE, status: 500 }),
    show: visit(3),
    lacks: /^failing:/m,
  },
  'names one program that a limit refuses': {
    site: { limits: { client: perMinute(20) } },
    show: ({ send }) =>
      repeat(100, (at) => send('/', { headers: { 'user-agent': at < 15 ? 'Browser/1' : 'scraper/1' } })),
    facts: [/limited-client: .*limits\.client/, /limited-client: .*all as "scraper\/1"/],
  },
  'names a header field that clients spell in two ways': {
    show: ({ origin }) =>
      repeat(40, async (at) => {
        const headers = { [at % 2 === 0 ? 'X-Org-Id' : 'x-org-id']: '1' };
        const [response] = await once(get(`${origin}/page-${at}/`, { headers }), 'response');
        await text(response);
      }),
    facts: [/^unstored-cause: 100.* no hits: x-org-id/im],
  },
  'names a page that fails at times': {
    answer: (url) => (url.includes('broken') ? { ...PAGE, status: 500 } : PAGE),
    async show(stage) {
      await repeat(400, () => stage.send('/'));
      await repeat(3, () => stage.send('/broken'));
    },
    facts: [/failing-operation: .*failed at the site 3 times .*GET \/broken/],
  },
  'names what holds the places of a site that has no place left': {
    site: { concurrency: { max: 2, queue: 0 } },
    answer: (url) => (url.includes('admin-ajax') ? undefined : PAGE),
    async show(stage) {
      const incident = INCIDENTS['waiting']?.show(stage);
      await new Promise((resolve) => setTimeout(resolve, 500));
      await repeat(4, (at) => stage.send(`/late-${at}/`));
      await incident;
    },
    facts: [/failing: .*too many requests waited.*GET \/wp-admin\/admin-ajax\.php holds 2 of 2 places/],
    end: () => held.stop(),
  },
  'names purges one after the other': {
    show: ({ move, send }) =>
      repeat(25, async () => {
        move(0.01);
        await send('/');
        await post(send);
      }),
    facts: [/^purges: 25 purges .* 25 of them by POST \/wp\/v2\/posts from 127\.0\.0\.1/m],
  },
  'a declared parameter in another spelling is no new address': readPosts(
    (at) => `${POSTS}?page=1&%73earch=${at}`,
  ),
  'a declared list is none': readPosts((at) => `${POSTS}?page=1&include%5B%5D=${at}`),
  'a declared list with keys is none': readPosts((at) => `${POSTS}?page=1&include[${at}]=${at}`),
  'the route in the query is none': readPosts((at) => `/?rest_route=/wp/v2/posts/${at}&page=1`),
  'a busy client that is known is not named': {
    show: ({ send }) => repeat(120, () => send('/')),
    lacks: /./,
  },
  'no share of requests that the counted minutes no longer have': {
    answer: () => ({ ...PAGE, headers: { 'set-cookie': 'a=1; path=/' } }),
    async show(stage) {
      stage.move(90 - ((Date.now() / 1_000) % 60));
      await visit(40)(stage);
      stage.move(280);
    },
    lacks: /of requests/,
  },
  'no longer lifetime for what is never stored': {
    answer(_, __, move) {
      move(6);
      return { body: '0' };
    },
    show: ({ send }) => repeat(10, (at) => send(SLOW_AJAX + at)),
    facts: ['slow-operation'],
    lacks: /slow-operation.*ttl/,
  },
  'no slow site while one operation holds its places': {
    site: { concurrency: { max: 2 } },
    answer(url, _, move) {
      if (url.includes('page-')) move(6);
      return url.includes('admin-ajax') ? undefined : PAGE;
    },
    async show(stage) {
      await visit(30)(stage);
      await INCIDENTS['waiting']?.show(stage);
    },
    facts: ['holds 2 of 2 places'],
    lacks: /on average/,
    end: () => held.stop(),
  },
};

interface ReportedRemark {
  readonly name: string;
  /** Text and remedy. */
  readonly shown: string;
}

/** Plays an incident. @returns the remarks, and those after its end */
async function play(
  incident: Incident,
): Promise<readonly [readonly ReportedRemark[], () => Promise<readonly ReportedRemark[]>]> {
  const {
    alerts,
    answer = () => PAGE,
    clients = ['127.0.0.0/8'],
    createStore,
    discovery,
    site,
    state,
  } = incident;
  const clock = new GatewayClock();
  const move = (seconds: number): void => clock.pass(seconds * 1_000);
  let hinders = discovery;
  const hanging: ServerResponse[] = [];
  const intercept = (_: unknown, response: ServerResponse): boolean => {
    if (hinders === 'closes') response.destroy();
    else hanging.push(response);
    return hinders !== undefined;
  };
  const admin = { token: TOKEN, alerts: { clients: networks(...clients), ...alerts } };
  const hindered = { document: undefined, isUnread: true };
  const { administer, closeSite, gateway, origin, request, siteUrl } = await startGateway(
    {
      ...(discovery && { ...hindered, url: (await runStubSite({ intercept })).url }),
      ...{
        ...site,
        gateway: { cache: createStore?.(clock) ?? 'memory', clock, admin, ...(state && { state }) },
      },
    },
    ({ headers, url }, count) =>
      answer(url, count, move, {
        'x-waygate-response': String(headers['x-waygate-request']).split('.')[0] ?? '',
        'x-waygate-version': PLUGIN_VERSION,
        'x-waygate-tags': 'post-1',
      }),
  );
  const stage: Stage = {
    send: async (path, init) => (await request(path, init)).arrayBuffer(),
    rediscover: () => gateway.rediscover(),
    restore() {
      hinders = undefined;
      for (const response of hanging) response.destroy();
    },
    ...{ move, closeSite, siteUrl, origin },
  };
  const read = async (): Promise<readonly ReportedRemark[]> => {
    const body: { sites: { state: { remarks: { name: string; text: string; remedy: string }[] } }[] } =
      await (await administer('/-/sites')).json();
    const remarks = body.sites[0]?.state.remarks ?? [];
    return remarks.map(({ name, remedy, text }) => ({ name, shown: `${text}: ${remedy}` }));
  };
  const readAfterEnd = async (): Promise<readonly ReportedRemark[]> => {
    if (incident.end === undefined) {
      move(700);
      await repeat(5, (at) => stage.send(`/good-${at}/`));
    } else await incident.end(stage);
    return read();
  };
  await incident.show(stage);
  return [await read(), readAfterEnd];
}

describe('the state of a site', () => {
  test.each(Object.keys(REMARKS))('names %s, and no longer after what ends it', async (name) => {
    const incident = INCIDENTS[name];
    if (incident === undefined) throw new Error(`The remark "${name}" has no example in INCIDENTS.`);
    const [remarks, readAfterEnd] = await play(incident);
    const { shown = '' } = remarks.find((each) => each.name === name) ?? {};
    for (const fact of incident.facts ?? []) expect(shown, JSON.stringify(remarks)).toMatch(fact);
    expect((await readAfterEnd()).map((each) => each.name)).not.toContain(name);
  });

  test.each(Object.entries(OTHERS))('%s', async (_, incident) => {
    const [remarks, readAfterEnd] = await play(incident);
    if (incident.end !== undefined) await readAfterEnd();
    const said = remarks.map(({ name, shown }) => `${name}: ${shown}`).join('\n');
    for (const fact of incident.facts ?? []) expect(said).toMatch(fact);
    if (incident.lacks !== undefined) expect(said).not.toMatch(incident.lacks);
  });
});
