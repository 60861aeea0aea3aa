import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { startServer } from '../../support/server.ts';
import { runCommand } from '../run-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'waygate-economy-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a log with a line for each second. @returns its path */
function writeLog(name: string, requests: readonly string[]): string {
  const path = join(folder, name);
  const lines = requests.map((request, at) => {
    const second = String(at % 60).padStart(2, '0');
    const minute = String(Math.floor(at / 60)).padStart(2, '0');
    return `203.0.113.9 - - [10/Oct/2026:13:${minute}:${second} +0000] "${request} HTTP/1.1" 200 2326 "-" "-"\n`;
  });
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(lines.join('')) : lines.join(''));
  return path;
}

const READS = Array.from({ length: 60 }, (_, at) => `GET /${at % 3}/`);

describe('waygate economy', () => {
  test('says what a log predicts, as a text', async () => {
    const log = writeLog('access.log', [...READS, 'POST /contact/', ...READS, 'nothing']);
    const { code, out } = await runCommand(['economy', log, '--lifetime', '60s', '--lifetime', '1h'], {});
    expect(code).toBe(0);
    const lines = out.split('\n').map((line) => line.replace(/ {2,}/g, ' | '));
    expect(lines[0]).toBe(
      '122 lines from 2026-10-10T13:00:00.000Z to 2026-10-10T13:02:00.000Z, 1 in another format',
    );
    expect(lines).toContain('120 reads of 3 addresses may use the store');
    expect(lines).toContain('1 write, of which 1 may change pages');
    expect(lines).toContain('3,600 s | 95.0 % to 97.5 % | 0.05 to 0.03 | 0.06 to 0.03 | 0.07 to 0.05');
  });

  test('says the same as JSON, of a compressed log, for five lifetimes', async () => {
    const log = writeLog('access.log.gz', READS);
    const { code, out } = await runCommand(['economy', log, '--json'], {});
    expect(code).toBe(0);
    const { fetched, lifetimes, reads } = JSON.parse(out);
    expect([reads, fetched]).toEqual([60, 0]);
    expect(lifetimes.map(({ lifetime }: { lifetime: number }) => lifetime)).toEqual([
      10, 60, 600, 3600, 86_400,
    ]);
    expect(lifetimes[4]).toMatchObject({ first: { hitRatio: 0.95 }, best: { hitRatio: 0.95 } });
  });

  test('asks the site with --fetch only, for the addresses with most reads', async () => {
    const asked: string[] = [];
    const site = await startServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
      response.setHeader('content-type', 'text/html');
      if (request.url === '/1/') response.setHeader('set-cookie', 'session=1');
      if (request.url === '/2/') response.setHeader('cache-control', 'max-age=3600');
      response.end('<p>A page</p>');
    });
    try {
      const log = writeLog('fetched.log', [...READS, ...READS, 'GET /rare/']);
      const flags = ['--lifetime', '10s', '--json', '--max-requests', '3'];
      const without = JSON.parse((await runCommand(['economy', log, ...flags], {})).out);
      expect(asked).toEqual([]);
      const { code, out } = await runCommand(['economy', log, ...flags, '--fetch', site.origin], {});
      expect(code).toBe(0);
      expect(asked.toSorted()).toEqual(['GET /0/ ', 'GET /1/ ', 'GET /2/ ']);
      const predicted = JSON.parse(out);
      expect(predicted).toMatchObject({ fetched: 2, unstorable: 40, reads: 81 });
      const perRead = ({ lifetimes }: typeof predicted): number => lifetimes[0].best.requestsPerRead;
      expect(perRead(predicted)).toBeLessThan(perRead(without));
    } finally {
      await site.close();
    }
  });

  test.each<[string, readonly string[], number, RegExp]>([
    ['a missing log', [join(folder, 'none')], 2, /cannot read the log .*there is no such file/],
    [
      'a lifetime that is none',
      [join(folder, 'none'), '--lifetime', 'soon'],
      2,
      /--lifetime soon is not a duration/,
    ],
    ['standard input with --fetch', ['-', '--fetch', 'https://example.com'], 2, /must be a file/],
    ['a gateway without token', ['https://example.com'], 2, /admin token of the gateway is missing/],
  ])('fails with a clear message for %s', async (_, args, expected, message) => {
    const { code, err } = await runCommand(['economy', ...args], {});
    expect(code).toBe(expected);
    expect(err).toMatch(message);
  });

  test('exits with 1 for a log in another format', async () => {
    const log = join(folder, 'other.log');
    writeFileSync(log, '{"time":1}\n');
    expect(await runCommand(['economy', log], {})).toMatchObject({
      code: 1,
      out: 'No line of 1 is in the combined format.\n',
    });
  });
});
