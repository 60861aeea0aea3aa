import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { MAIN } from './serve-process.ts';

let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

/** Starts the example as `npm start` does. @returns its output once it has printed how to stop it */
function startExample(): Promise<string> {
  const running = spawn(process.execPath, [MAIN, 'example', '--port', '0'], { stdio: 'pipe' });
  child = running;
  let output = '';
  return new Promise((resolve, reject) => {
    running.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      if (output.includes('Ctrl-C')) resolve(output);
    });
    running.stderr.on('data', (chunk: Buffer) => reject(new Error(String(chunk))));
    running.once('exit', (code) => reject(new Error(`exited with code ${code}`)));
  });
}

test('waygate example prints URLs that all respond, and exits with 0 on Ctrl-C', async () => {
  const output = await startExample();

  const printed = output.match(/http:\/\/127\.0\.0\.1:\d+\/[^\s']*/g) ?? [];
  const addresses = printed.filter((address) => !address.endsWith('/mcp'));
  expect([addresses.length, printed.length]).toEqual([4, 6]);
  // npm prints four lines before.
  expect(output.trimEnd().split('\n').length).toBeLessThanOrEqual(11);
  for (const address of addresses) expect([address, (await fetch(address)).status]).toEqual([address, 200]);

  const [origin = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
  expect((await fetch(`${origin}/-/ready`)).status).toBe(200);
  const posts = await (await fetch(`${origin}/content/core/v2/posts?_fields=link,guid`)).text();
  expect(new Set(posts.match(/http:\/\/[^/"]+/g))).toEqual(new Set([origin]));
  const [login = ''] = /admin:\S+/.exec(output) ?? [];
  const drafts = `${origin}/content/core/v2/posts?status=draft`;
  expect((await fetch(drafts)).status).toBe(400);
  expect((await fetch(drafts, { headers: { authorization: `Basic ${btoa(login)}` } })).status).toBe(200);

  const exitCode = new Promise((resolve) => child?.once('exit', resolve));
  child?.kill('SIGINT');
  expect(await exitCode).toBe(0);
});
