import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** As `npm ci` has built it. */
const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

test('a reader who has read enough is no fault', async () => {
  const child = spawn(process.execPath, [MAIN, 'serve', '--help-config'], { stdio: 'pipe' });
  child.stdout.destroy();
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  expect(output).toBe('');
});
