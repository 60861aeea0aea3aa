import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../../../scripts/mix/main.mjs', import.meta.url));

/** What the script prints of a proxy. */
interface Result {
  readonly label: string;
  readonly reads: number;
  readonly hits: number;
  readonly writes: number;
  readonly failed: number;
  readonly stale: readonly string[];
}

test('the mix finds stale reads of a cache that does not see the writes, and none of the gateway', async () => {
  const options = '--proxies waygate,nginx --seconds 12 --rate 8 --writes 8 --json'.split(' ');
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...options], { maxBuffer: 2 ** 26 });
  const [waygate, nginx] = JSON.parse(stdout) as [Result, Result];
  expect(waygate.hits).toBeGreaterThan(0);
  expect(waygate.stale).toEqual([]);
  expect(nginx.stale.length).toBeGreaterThan(0);
  for (const { failed } of [waygate, nginx]) expect(failed).toBe(0);
  // Both are sent the same requests.
  expect([waygate.reads, waygate.writes]).toEqual([nginx.reads, nginx.writes]);
});
