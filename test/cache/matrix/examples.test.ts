import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CacheStore } from '../../../src/cache/store.ts';
import { MemoryStore } from '../../../src/cache/stores/memory-store.ts';
import { systemClock } from '../../../src/ports.ts';
import {
  createAuthorizationHeader,
  type RunningExample,
  startExample,
} from '../../example/gateway/running.ts';
import { type Mount, type OperationProof, PROOFS, runCalls } from '../../example/support/operation-calls.ts';
import { listDocumentedReads } from './documented-reads.ts';
import { formatMatrix, Matrix, print, READ_INTERVAL, selectReads, summarize } from './matrix.ts';

/**
 * Every write of the example sites × every public read of their documents: after the write no stored response is stale.
 * The example sites are plugins' sites: nothing about them is known.
 */

let example: RunningExample;
let store: CacheStore;

beforeAll(async () => {
  store = new MemoryStore({ maxBytes: 2 ** 27, clock: systemClock });
  const siteCache = { rules: [{ match: '*', ttl: 3600 }] };
  example = await startExample({ cache: store, siteCache });
});
afterAll(() => example.stop());

const isWrite = ({ operation }: OperationProof): boolean => !operation.startsWith('GET ');

describe.each(['content', 'boards'] as const)('the site %s', (mount: Mount) => {
  let matrix: Matrix;

  beforeAll(async () => {
    const { authorization } = createAuthorizationHeader('admin');
    const siteUrl = example.siteUrls[mount];
    example[mount].reset();
    await store.purge({ kind: 'all' }, 'hard');
    const reads = await listDocumentedReads(
      siteUrl,
      `${example.origin}/${mount}/openapi.json`,
      authorization,
    );
    matrix = new Matrix({
      running: { origin: example.origin, request: (path, init) => fetch(example.origin + path, init) },
      mount: `/${mount}`,
      siteUrl,
      // The example sites have many writes, so the default project compares fewer reads.
      reads: selectReads(reads, 4 * READ_INTERVAL - 1),
      hasReadRoute: false,
      authorization,
      ids: new Map(),
    });
  });
  afterAll(() => print(`${formatMatrix(mount, matrix.rows.values())}\n${matrix.examples.join('\n')}`));

  test.each(PROOFS[mount].filter(isWrite))(
    '$operation leaves nothing stale',
    async ({ operation, calls }) => {
      example[mount].reset();
      await store.purge({ kind: 'all' }, 'hard');
      await matrix.warm();
      const row = await matrix.compareAfter(operation, () =>
        runCalls(example, mount, calls, (address, init) =>
          fetch(`${example.origin}/${mount}${address}`, init),
        ),
      );
      expect(row.stale).toEqual([]);
    },
  );

  test('reads are stored', () => {
    expect(summarize(matrix.rows.values()).changed).toBeGreaterThan(0);
  });
});
