import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { MAIN } from './serve-process.ts';

test('a closed standard output is not an error', async () => {
  const child = spawn(process.execPath, [MAIN, 'serve', '--help-config'], { stdio: 'pipe' });
  child.stdout.destroy();
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  expect(output).toBe('');
});
