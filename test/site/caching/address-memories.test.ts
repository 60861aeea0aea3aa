import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/ports.ts';
import { startNodeGateway } from '../../support/gateway.ts';
import { describeAddressMemories } from './address-memories.ts';

let passed = 0;
describeAddressMemories(
  (options) =>
    startNodeGateway({
      ...options,
      cache: 'memory',
      clock: { ...systemClock, now: () => Date.now() + passed },
    }),
  () => {
    passed += 2_000;
  },
);

/** Where each memory of the table in `docs/caching.md` is in the code. */
const MEMORIES: Readonly<Record<string, readonly [file: string, text: string]>> = {
  'could not be shared (`hit-for-pass`)': ['cache/engine/fetch-plan.ts', 'hitForPass: TtlMap'],
  'fields of `Vary`': ['cache/engine/fetch-plan.ts', 'varyFields: TtlMap'],
  'refresh backoff': ['cache/engine/fetch-plan.ts', 'refreshBackoff: TtlMap'],
  'silent site': ['cache/engine/fetch-plan.ts', 'silentSites: Map'],
  'open fetches and leases': ['cache/http-cache.ts', '#fetches = new Map'],
  '`purged meanwhile`': ['cache/stores/memory-store.ts', '#purges = new PurgeLog'],
  'meaning of a target': ['site/target-memos.ts', '#memos = createLru'],
  'rate limits': ['site/limiting/rate-counts.ts', '#counts = createLru'],
};

const SOURCES = fileURLToPath(new URL('../../../src/', import.meta.url));
const readSource = (file: string): string => readFileSync(`${SOURCES}${file}`, 'utf8');

describe('what is remembered of an address', () => {
  test('is in a table of the documentation', () => {
    const [, table = ''] = readSource('../docs/caching.md').split('| memory | key |');
    const rows = (table.split('\n\n')[0] ?? '').split('\n').slice(2);
    expect(rows.map((row) => row.split(' | ')[0]?.slice(2))).toEqual(Object.keys(MEMORIES));
    for (const [file, text] of Object.values(MEMORIES)) expect(readSource(file)).toContain(text);
  });

  test('is nothing else that expires or is bounded between a client and the site', () => {
    const remembering = ['cache/engine', 'gateway', 'router', 'upstream']
      .flatMap((folder) =>
        readdirSync(`${SOURCES}${folder}`, { recursive: true, encoding: 'utf8' }).map(
          (file) => `${folder}/${file}`,
        ),
      )
      .filter(
        (file) => file.endsWith('.ts') && /new TtlMap|createLru[<(]|new LRUCache/.test(readSource(file)),
      );
    const listed = new Set(Object.values(MEMORIES).map(([file]) => file));
    // Links of bodies by their text, sessions of the console, and what the gateway itself renders.
    const others = ['upstream/rewrite-urls.ts', 'console/sessions.ts'];
    others.push('site/documents/documents.ts', 'site/snapshot/document-representations.ts');
    for (const file of others) listed.add(file);
    expect(remembering.filter((file) => !listed.has(file))).toEqual([]);
  });
});
