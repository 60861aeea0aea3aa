import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createCacheStore } from '../../../src/cache/stores/create-store.ts';
import { silentLog, systemClock } from '../../../src/ports.ts';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { type RunningGateway, startNodeGateway } from '../../support/gateway.ts';
import { useRedisServer } from '../../support/redis-server.ts';
import { readSmallIndex, startStubSite } from '../../support/stub-site.ts';
import { waitUntil } from '../../support/wait.ts';

/**
 * Edits of one post through two gateways that share a Redis server. What was there before an edit decides which stored responses it
 * selects, and an edit through the other gateway may change that at any time.
 */

const redis = useRedisServer();

const REST = '/wp-json/wp/v2/posts/7';
const excerptOf = (version: number): string => `The excerpt of version ${1_000 + version}`;
const TITLE = '<p class="post-7">The title</p>';

/** What is stored beside the post: a page with its excerpt, and two that show it without. */
const PAGES: Readonly<Record<string, (version: number) => string>> = {
  '/excerpt/': (version) => `<p class="post-7">${excerptOf(version)}</p>`,
  '/title/': () => TITLE,
  '/related/': () => TITLE,
};
const PATHS = [...Object.keys(PAGES), REST];

/** A site with one post, whose edits the site has done at once and responds to after a time. */
async function startSite() {
  let version = 0;
  const reads = { all: 0, unrelated: 0 };
  const site = await startStubSite({
    index: readSmallIndex(),
    intercept: ({ headers, method, route, url }, response) => {
      const page = PAGES[url];
      if (page === undefined && route !== '/wp/v2/posts/7') return false;
      const isEdit = method === 'POST';
      if (isEdit) version += 1;
      else reads.all += 1;
      if (page?.(0) === TITLE) reads.unrelated += 1;
      const rendered = excerptOf(version);
      const post = { id: 7, status: 'publish', title: { rendered: 'The title' }, excerpt: { rendered } };
      const body = page?.(version) ?? JSON.stringify(post);
      response.setHeader('Content-Type', page === undefined ? 'application/json' : 'text/html');
      if (!isEdit) response.setHeader('Cache-Control', 'max-age=60');
      setTimeout(() => response.end(body), Number(headers['x-delay'] ?? 3));
      return true;
    },
  });
  closeAfterTest(site.close);
  return { url: site.url, version: () => version, reads };
}

interface Page {
  readonly isHit: boolean;
  /** Of the excerpt; `null` if the page does not show it. */
  readonly version: number | null;
}

async function read({ request }: RunningGateway, path: string): Promise<Page> {
  const response = await request(path);
  const found = /version (\d+)/.exec(await response.text())?.[1];
  const isHit = /; ?hit/.test(response.headers.get('cache-status') ?? '');
  return { isHit, version: found === undefined ? null : Number(found) - 1_000 };
}

/** @returns the version that the edit has made */
async function edit({ request }: RunningGateway, delay = 3): Promise<number> {
  const headers = {
    authorization: 'Basic YTpi',
    'content-type': 'application/json',
    'x-delay': String(delay),
  };
  const body = JSON.stringify({ excerpt: 'new' });
  const response = await request(REST, { method: 'POST', headers, body });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return Number(/version (\d+)/.exec(text)?.[1]) - 1_000;
}

async function startGateways() {
  const site = await startSite();
  const prefix = `${randomUUID()}:`;
  const start = async (): Promise<RunningGateway> => {
    const gateway = await startNodeGateway({
      // Nothing needs to be learned: such an edit changes what it selects by its tags and texts.
      sites: [
        {
          url: site.url,
          passthrough: true,
          cache: {
            pages: 60,
            independent: [{ writes: '/wp/v2/*', reads: ['*'] }],
            harmlessHeaders: ['x-delay'],
          },
        },
      ],
      cache: await createCacheStore(redis().url, {
        // By default a gateway that is too busy to hear of Redis for half a second uses nothing stored.
        redis: { prefix, maxStaleness: 30_000, timeout: 30_000 },
        clock: systemClock,
        log: silentLog,
        generateId: randomUUID,
      }),
      publicUrl: 'http://gateway.example.com',
    });
    closeAfterTest(gateway.stop);
    return gateway;
  };
  const gateways = [await start(), await start()] as const;
  const readAll = () =>
    Promise.all(gateways.map((gateway) => Promise.all(PATHS.map((path) => read(gateway, path)))));
  /** Stores everything at both. @param reader fetches the post itself, so that it knows what the post is */
  const fill = async (reader: RunningGateway) => {
    await read(reader, REST);
    await waitUntil(async () => (await readAll()).flat().every(({ isHit }) => isHit));
  };
  return { site, gateways, fill, readAll };
}

test('an edit keeps what shows the post and not its excerpt, at both gateways and where only Redis has it', async () => {
  const { fill, gateways, site } = await startGateways();
  const [one, two] = gateways;
  for (const [writer, reader] of [
    [one, two],
    [two, one],
    [two, one],
  ] as const) {
    await fill(writer);
    await edit(writer);
    for (const gateway of [reader, writer])
      expect(await read(gateway, '/title/')).toMatchObject({ isHit: true });
    expect(await read(reader, '/excerpt/')).toEqual({ isHit: false, version: site.version() });
    expect(await read(writer, '/excerpt/')).toMatchObject({ version: site.version() });
  }
});

test.each([
  ['ends first', 60, 20],
  ['ends last', 20, 60],
])(
  'edits through both at the same time keep nothing that shows the post: the second %s',
  async (_, first, second) => {
    const { fill, gateways, site } = await startGateways();
    await fill(gateways[0]);
    const edits = [edit(gateways[0], first)];
    await sleep(5);
    edits.push(edit(gateways[1], second));
    for (const [at, path] of ['/title/', '/related/'].entries()) {
      await edits[first < second ? at : 1 - at];
      expect(await read(gateways[at as 0 | 1], path)).toEqual({ isHit: false, version: null });
    }
    for (const gateway of gateways)
      expect(await read(gateway, '/excerpt/')).toMatchObject({ version: site.version() });
  },
);

const ROUNDS = Number(process.env['TWO_GATEWAYS_ROUNDS'] ?? 60);

test('no read after an edit gets what was before it, at either gateway, whatever the other edits and reads meanwhile', async () => {
  const { gateways, readAll, site } = await startGateways();
  const [one, two] = gateways;
  const times: number[] = [];
  let [outdated, reads] = [0, 0];
  const check = async (version: number): Promise<void> => {
    for (const page of (await readAll()).flat()) {
      reads += 1;
      if (page.version !== null && page.version < version) outdated += 1;
    }
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const [writer, other] = round % 2 === 0 ? [one, two] : [two, one];
    const underWay = Array.from({ length: 6 }, (_, at) =>
      read(at % 2 === 0 ? other : writer, PATHS[at % 3] ?? ''),
    );
    const isOverlapped = round % 3 === 0;
    const overlapping = isOverlapped ? edit(other, round % 7).then(check) : undefined;
    await sleep(round % 5);
    const start = performance.now();
    const version = await edit(writer, round % 4);
    if (!isOverlapped) times.push(performance.now() - start);
    await check(version);
    await Promise.all([...underWay, overlapping]);
  }
  times.sort((left, right) => left - right);
  console.info(
    `${reads} reads after ${site.version()} edits, ${outdated} outdated, ${site.reads.all} requests at the site, ${site.reads.unrelated} for what does not show the change; an edit took ${times[times.length >> 1]?.toFixed(1)} ms`,
  );
  expect(outdated).toBe(0);
  // Each edit purges both pages if it is not known what was before it.
  expect(site.reads.unrelated).toBeLessThan(site.version());
});
