import { describe, expect, test } from 'vitest';
import { type RunningGateway, startNodeGateway } from '../../support/gateway.ts';
import { basicAuth, useWordPress, type WordPressInfo } from '../../support/wordpress.ts';
import {
  formatMatrix,
  MATRIX_TOKEN,
  Matrix,
  type MatrixWrite,
  READ_INTERVAL,
  selectReads,
} from './matrix.ts';
import { PLUGIN_CONTENT, PLUGIN_READS, pluginWrites } from './plugin-writes.ts';
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
const PRINTS = process.env['MATRIX_PRINT'] !== undefined;
const MU_PLUGINS = new URL('mu-plugins', import.meta.url).pathname;
const LIMIT = Number(process.env['MATRIX_LIMIT'] ?? 900_000);

async function startGateway(site: WordPressInfo): Promise<RunningGateway> {
  const match = ['wp/*', 'oembed/*', 'community/*', 'store/*', 'catalog/*', '/', '/about*'];
  return startNodeGateway({
    sites: [
      {
        url: site.url,
        passthrough: true,
        // What the gateway requests again itself would look as if it had been kept.
        cache: { rules: [{ match, ttl: 3600 }] },
      },
    ],
    cache: 'memory',
    admin: { token: MATRIX_TOKEN },
  });
}

function print(title: string, matrix: Matrix): void {
  if (!PRINTS) return;
  process.stdout.write(`${formatMatrix(title, matrix.rows.values())}\n${matrix.examples.join('\n')}\n`);
  for (const { name, refetched } of matrix.rows.values()) {
    process.stdout.write(`${name}: ${[...refetched].join(' ')}\n`);
  }
}

/** Runs writes, and reports those after which a read was stale. `sample` compares a few reads, after writes that are not {@link COMPARED}. */
async function runWrites(
  all: Matrix,
  writes: readonly MatrixWrite[],
  sample: Matrix,
): Promise<readonly string[]> {
  const only = new RegExp(process.env['MATRIX_ONLY'] ?? '');
  const stale: string[] = [];
  for (const write of writes) {
    if (!only.test(write.name)) continue;
    const matrix = COMPARED.test(write.name) ? all : sample;
    await matrix.warm();
    const row = await matrix.write(write);
    if (PRINTS)
      process.stdout.write(`${JSON.stringify([row.name, row.counts, row.stale, [...row.refetched]])}\n`);
    if (row.stale.length > 0) stale.push(`${row.name}: ${row.stale.splice(0).join(' ')}`);
  }
  return stale;
}

describe('WordPress', () => {
  const site = useWordPress({ title: 'Waygate matrix', muPlugins: MU_PLUGINS });

  test(
    'after each write no stored response is stale',
    async () => {
      const running = await startGateway(site());
      try {
        const ids = new Map([['site', site().url]]);
        const [matrix, sample] = [INTERVAL, SAMPLE_INTERVAL].map(
          (interval) =>
            new Matrix({
              running,
              mount: '',
              siteUrl: site().url,
              reads: selectReads(WORDPRESS_READS, interval),
              hasReadRoute: true,
              authorization: basicAuth(site().users.administrator),
              ids,
            }),
        );
        if (matrix === undefined || sample === undefined) throw new Error('two were created');
        for (const write of createContent()) await matrix.prepare(write);
        const notStored = await matrix.warm();
        if (PRINTS) process.stdout.write(`not stored: ${notStored.join(' ')}\n`);
        const writes: MatrixWrite[] = [];
        for (let n = 1; n <= ROUNDS; n++) writes.push(...wordpressWrites(n));
        const stale = await runWrites(matrix, [...writes, ...FINAL_WORDPRESS_WRITES], sample);
        print('WordPress', matrix);
        expect(stale, [...matrix.examples, ...sample.examples].join('\n')).toEqual([]);
      } finally {
        await running.stop();
      }
    },
    LIMIT,
  );
});

describe('WordPress with plugins', () => {
  const site = useWordPress({ title: 'Waygate plugins', testPlugins: true, muPlugins: MU_PLUGINS });

  test(
    'after each write no stored response is stale',
    async () => {
      const running = await startGateway(site());
      try {
        const ids = new Map([['site', site().url]]);
        const listIds = async (path: string, slug: RegExp): Promise<readonly string[]> => {
          const response = await fetch(`${site().url}index.php?rest_route=${path}&order=asc&per_page=20`);
          const items: readonly { id: number; slug: string }[] = await response.json();
          return items.filter((item) => slug.test(item.slug)).map(({ id }) => String(id));
        };
        for (const [at, id] of (await listIds('/wp/v2/products', /./)).entries()) ids.set(`p${at + 1}`, id);
        ids.set('newest', (await listIds('/wp/v2/pages', /newest/))[0] ?? '');
        ids.set('group', (await listIds('/wp/v2/product-groups', /cups/))[0] ?? '');
        const authorization = basicAuth(site().users.administrator);
        const siteUrl = site().url;
        const createMatrix = (interval: number): Matrix =>
          new Matrix({
            running,
            mount: '',
            siteUrl,
            reads: selectReads(PLUGIN_READS, interval),
            hasReadRoute: true,
            authorization,
            ids,
          });

        const matrix = createMatrix(INTERVAL);
        for (const write of PLUGIN_CONTENT) await matrix.prepare(write);
        const notStored = await matrix.warm();
        if (PRINTS) process.stdout.write(`not stored: ${notStored.join(' ')}\n`);
        const stale = await runWrites(matrix, pluginWrites(1), createMatrix(SAMPLE_INTERVAL));
        print('plugins', matrix);
        expect(stale, matrix.examples.join('\n')).toEqual([]);
      } finally {
        await running.stop();
      }
    },
    LIMIT,
  );
});
