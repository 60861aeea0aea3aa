import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';

/** Those of the table that take no time limit of the gateway. `npm run faults` runs all. */
test('a gateway handles the faults of sites, clients and its process that CI can try', async () => {
  const args = ['scripts/faults/main.mjs', '--quick', 'site: ', 'process: ', 'client: resets'];
  const { code, table } = await new Promise<{ readonly code: unknown; readonly table: string }>((resolve) => {
    execFile(process.execPath, args, (error, stdout) => resolve({ code: error?.code ?? 0, table: stdout }));
  });
  expect(table.split('\n').filter((line) => line.includes('**'))).toEqual([]);
  expect(table).toMatch(/^3\d faults, 0 not handled$/m);
  expect(code).toBe(0);
}, 300_000);
