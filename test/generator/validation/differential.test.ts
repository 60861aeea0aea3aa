import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describe as show } from '../../../scripts/fuzz/report.mjs';
import { boardSite, contentSite, DEMO_USERS } from '../../../src/sites/example/index.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { basicAuth } from '../../support/wordpress.ts';
import { FuzzedSite, type FuzzRequests } from './fuzz-site.ts';

/** Multiplies the number of requests: `FUZZ_FACTOR=10` finds rarer differences than CI has time for. */
const FACTOR = Number(process.env['FUZZ_FACTOR'] ?? 1);
const [ADMIN] = DEMO_USERS;
const REQUESTS: FuzzRequests = {
  authorization: ADMIN && basicAuth({ user: ADMIN.login, password: ADMIN.password }),
  seed: 1,
  bodyless: true,
  count: 200 * FACTOR,
  parallel: 1,
};

describe.each([
  ['the content site', contentSite],
  ['the board site', boardSite],
])('%s', (_name, start) => {
  let server: TestServer;
  let fuzzed: FuzzedSite;
  beforeAll(async () => {
    server = await startServer(getRequestListener(start().fetch));
    fuzzed = await FuzzedSite.start(`${server.origin}/`);
  });
  afterAll(async () => {
    await fuzzed.close();
    await server.close();
  });

  test('enforce refuses nothing that it accepts', async () => {
    const { changed, wrong } = await fuzzed.compare(REQUESTS, 'enforce');
    expect(wrong.concat(changed)).toEqual([]);
  }, 120_000);

  test('strict forwards requests that it accepts, and refuses those that it refuses for their parameters', async () => {
    const summary = await fuzzed.compare(REQUESTS, 'strict');
    const { wrong, changed, missed, share, refused } = summary;
    expect(wrong.concat(changed).length, show(summary)).toBe(0);
    expect(refused).toBeGreaterThan(REQUESTS.count / 8);
    expect(share, show(summary)).toBeGreaterThanOrEqual(0.95);
    const forwarded = missed.reduce((sum, { count }) => sum + count, 0);
    expect(forwarded / refused, show(summary)).toBeLessThanOrEqual(0.05);
  }, 120_000);
});
