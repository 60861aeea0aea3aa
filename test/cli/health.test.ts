import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { runServer } from '../support/run.ts';
import { findFreePort } from '../support/server.ts';
import { runCommand } from './run-command.ts';

const start = async (listener: RequestListener): Promise<string> => (await runServer(listener)).origin;

describe('waygate health', () => {
  test('shows no credentials of the URL, nor values of its query', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}/?`;
    const { err } = await runCommand(['health', `${url.replace('//', '//bob:secret@')}key=secret#secret`]);
    expect(err).toBe(`waygate: ${url}key=***: connect ECONNREFUSED ${new URL(url).host}\n`);
  });

  test('prints at most 4,000 characters, none of which controls the terminal', async () => {
    const gateway = await start((_, response) => response.end(`\u001b[2J\u202e${'x'.repeat(1_000_000)}`));
    const { code, out } = await runCommand(['health', gateway]);
    expect(code).toBe(0);
    expect(out.startsWith('200 \\u001b[2J\\u202exxx')).toBe(true);
    expect(out.length).toBeLessThan(4100);
  });

  test.each([
    ['responds with 503', () => start((_, response) => void response.writeHead(503).end('no')), '503 no'],
    ['does not respond in time', () => start(() => {}), 'no response within 5000 ms'],
    ['does not run', async () => `http://127.0.0.1:${await findFreePort()}`, 'ECONNREFUSED'],
  ])('exits with 1 if the gateway %s', async (_, find, message) => {
    const { code, err, out } = await runCommand(['health', await find()]);
    expect(out + err).toContain(message);
    expect(code).toBe(1);
  });
});
