import { describe, expect, test } from 'vitest';
import { startNodeGateway } from '../../support/gateway.ts';
import { basicAuth, useWordPress, type WordPressInfo } from '../../support/wordpress.ts';
import { formatMatrix, Matrix, type MatrixWrite, print, READ_INTERVAL, selectReads } from './matrix.ts';
import { PLUGIN_READS, pluginWrites } from './plugin-writes.ts';
import { createContent, WORDPRESS_READS } from './wordpress-content.ts';
import { FINAL_WORDPRESS_WRITES, wordpressWrites } from './wordpress-writes.ts';

/**
 * Every kind of write × every kind of read, on a real WordPress. `scripts/matrix/main.mjs` runs more rounds and prints the
 * tables.
 */
const ROUNDS = Number(process.env['MATRIX_ROUNDS'] ?? 1);
/** Most reads need PHP. */
const INTERVAL = 2 * READ_INTERVAL - 1;
const SAMPLE_INTERVAL = 6 * INTERVAL;
/** A few reads are compared after all other writes. */
const COMPARED = new RegExp(
  process.env['MATRIX_COMPARED'] ??
    "^(?!.*_fields).*(?:title|content|excerpt|picture|format|draft$|autosave|comment|a term's name|categories$|a new post$|a user's name$|a deleted term$|a vote|an order|stock)",
);
const MU_PLUGINS = new URL('mu-plugins', import.meta.url).pathname;
const LIMIT = Number(process.env['MATRIX_LIMIT'] ?? 900_000);
const CACHED = ['wp/*', 'oembed/*', 'community/*', 'store/*', 'catalog/*', '/', '/about*'];

/**
 * What shows the write of a visitor after the lifetime of a response, since no row of `writes.json` is for these plugins: the number of votes,
 * and the stock of the product that was ordered.
 */
const AFTER_LIFETIME: Readonly<Record<string, RegExp>> = {
  'a vote': /^\/community\/v1\/stats$/,
  'an order': /^\/(?:store\/v1\/products|catalog\/v1\/(?:items|summary$)|wp\/v2\/products)/,
};

interface Plan {
  readonly reads: readonly string[];
  readonly content: readonly MatrixWrite[];
  readonly writes: readonly MatrixWrite[];
  readonly ids?: readonly (readonly [name: string, id: string])[];
}

/** Makes each write through a gateway, and expects that no read is stale after it. */
async function expectNothingStale(site: WordPressInfo, title: string, plan: Plan): Promise<void> {
  const running = await startNodeGateway({
    sites: [{ url: site.url, passthrough: true, cache: { rules: [{ match: CACHED, ttl: 3600 }] } }],
    cache: 'memory',
  });
  try {
    const ids = new Map([['site', site.url], ...(plan.ids ?? [])]);
    const createMatrix = (interval: number): Matrix =>
      new Matrix({
        running,
        siteUrl: site.url,
        reads: selectReads(plan.reads, interval),
        authorization: basicAuth(site.users.administrator),
        ids,
      });
    const [all, sample] = [createMatrix(INTERVAL), createMatrix(SAMPLE_INTERVAL)];
    for (const write of plan.content) await all.prepare(write);
    print(`not stored: ${(await all.warm()).join(' ')}`);
    const only = new RegExp(process.env['MATRIX_ONLY'] ?? '');
    const stale: string[] = [];
    for (const write of plan.writes) {
      if (!only.test(write.name)) continue;
      const matrix = COMPARED.test(write.name) ? all : sample;
      await matrix.warm();
      const row = await matrix.write(write);
      print(JSON.stringify([row.name, row.counts, row.stale, [...row.refetched]]));
      const outdated = row.stale.splice(0).filter((read) => AFTER_LIFETIME[row.name]?.test(read) !== true);
      if (outdated.length > 0) stale.push(`${row.name}: ${outdated.join(' ')}`);
    }
    print(formatMatrix(title, all.rows.values()));
    expect(stale, [...all.examples, ...sample.examples].join('\n')).toEqual([]);
  } finally {
    await running.stop();
  }
}

describe('WordPress', () => {
  const site = useWordPress({ title: 'Waygate matrix', muPlugins: MU_PLUGINS });

  test('after each write no stored response is stale', { timeout: LIMIT }, async () => {
    const rounds = Array.from({ length: ROUNDS }, (_, at) => wordpressWrites(at + 1));
    await expectNothingStale(site(), 'WordPress', {
      reads: WORDPRESS_READS,
      content: createContent(),
      writes: [...rounds.flat(), ...FINAL_WORDPRESS_WRITES],
    });
  });
});

describe('WordPress with plugins', () => {
  const site = useWordPress({ title: 'Waygate plugins', testPlugins: true, muPlugins: MU_PLUGINS });

  test('after each write no stored response is stale', { timeout: LIMIT }, async () => {
    const listIds = async (path: string, slug: RegExp): Promise<readonly string[]> => {
      const response = await fetch(`${site().url}index.php?rest_route=${path}&order=asc&per_page=20`);
      const items: readonly { id: number; slug: string }[] = await response.json();
      return items.filter((item) => slug.test(item.slug)).map(({ id }) => String(id));
    };
    const products = await listIds('/wp/v2/products', /./);
    await expectNothingStale(site(), 'plugins', {
      reads: PLUGIN_READS,
      content: [],
      writes: pluginWrites(1),
      ids: [
        ...products.map((id, at) => [`p${at + 1}`, id] as const),
        ['newest', (await listIds('/wp/v2/pages', /newest/))[0] ?? ''],
        ['group', (await listIds('/wp/v2/product-groups', /cups/))[0] ?? ''],
      ],
    });
  });
});
