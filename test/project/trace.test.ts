import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('npm run trace prints the functions of a hit in the order of their calls', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/trace/main.mjs', '--json', 'hit']);
  const [hit] = JSON.parse(stdout) as { readonly functions: readonly { readonly name: string }[] }[];
  const names = hit?.functions.map(({ name }) => name) ?? [];
  const steps = ['handleHead', 'resolveSite', 'prepareCaching', 'respondFromSite', 'lookUp'];
  expect(names.filter((name) => steps.includes(name))).toEqual(steps);
}, 60_000);
