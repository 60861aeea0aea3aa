import { getRequestListener } from '@hono/node-server';
import { expect, test } from 'vitest';
import { describe as show } from '../../scripts/fuzz/report.mjs';
import { boardSite, contentSite, DEMO_USERS } from '../../src/example/index.ts';
import { startServer } from '../support/server.ts';
import { basicAuth } from '../support/wordpress.ts';
import { fuzzSite } from './fuzz-site.ts';

/** Multiplies the number of requests: `FUZZ_FACTOR=10` finds rarer differences than CI has time for. */
const FACTOR = Number(process.env['FUZZ_FACTOR'] ?? 1);
const COUNTS = { strict: 900 * FACTOR, calibrated: 1000 * FACTOR };

test.each([
  ['the content site, strict', contentSite, { mode: 'strict', count: COUNTS.strict }],
  ['the board site, strict', boardSite, { mode: 'strict', count: COUNTS.strict }],
  [
    'the content site, calibrated',
    contentSite,
    { mode: 'enforce', calibrated: 'all', count: COUNTS.calibrated, parallel: 1 },
  ],
  [
    'the board site, calibrated',
    boardSite,
    { mode: 'enforce', calibrated: 'all', count: COUNTS.calibrated, parallel: 1 },
  ],
] as const)(
  '%s: requests that it accepts are forwarded, and those that it refuses for their parameters are rejected',
  async (_name, start, options) => {
    const site = start();
    const { close, origin } = await startServer(getRequestListener(site.fetch));
    try {
      const [admin] = DEMO_USERS;
      const summary = await fuzzSite(`${origin}/`, {
        authorization: admin && basicAuth({ user: admin.login, password: admin.password }),
        seed: 1,
        bodyless: true,
        ...options,
      });
      const { wrong, changed, share, refused } = summary;
      expect(wrong.concat(changed).length, show(summary)).toBe(0);
      expect(refused).toBeGreaterThan(options.count / 8);
      expect(share, show(summary)).toBeGreaterThanOrEqual(0.95);
    } finally {
      await close();
    }
  },
  120_000,
);
