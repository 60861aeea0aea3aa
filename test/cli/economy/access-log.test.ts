import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { parseLogLine, readLines } from '../../../src/cli/economy/access-log.ts';

const LINE =
  '203.0.113.9 - - [10/Oct/2026:13:55:36 +0200] "GET /a/?b=1 HTTP/1.1" 200 2326 "https://example.com/c/?d#e" "Mozilla/5.0"';

describe('a line of an access log', () => {
  test('has the time in UTC, the target and the path of the referrer', () => {
    expect(parseLogLine(LINE)).toEqual({
      time: Date.UTC(2026, 9, 10, 11, 55, 36),
      isAuthenticated: false,
      ...{ method: 'GET', target: '/a/?b=1', status: 200, referrer: '/c/' },
    });
  });

  test.each([
    ['a virtual host', `example.com:443 ${LINE}`, { target: '/a/?b=1' }],
    ['a user', LINE.replace('- - [', '- jane ['), { isAuthenticated: true }],
    ['an absolute target', LINE.replace('/a/', 'http://example.com/a/'), { target: '/a/?b=1' }],
    ['the common format', LINE.split(' "https')[0] ?? '', { referrer: '' }],
    ['a size of zero', LINE.replace('2326', '-'), { status: 200 }],
    ['an escaped quote', LINE.replace('/c/', '/\\"c/'), { target: '/a/?b=1' }],
    ['HTTP/2', LINE.replace('HTTP/1.1', 'HTTP/2.0'), { method: 'GET' }],
  ])('may have %s', (_, line, expected) => {
    expect(parseLogLine(line)).toMatchObject(expected);
  });

  test.each([
    [
      '',
      '{"time":1}',
      LINE.replace('Oct', 'Okt'),
      LINE.replace('/a/', '*'),
      LINE.replace('GET', '\\x16\\x03'),
    ],
    [LINE.replace('"GET', '"'), LINE.replace('200', 'x'), '\\', '"'.repeat(5_000)],
  ])('in another format is none', (...lines) => {
    expect(lines.map(parseLogLine)).toEqual(lines.map(() => null));
  });

  test('is parsed in linear time, or this test would not end', () => {
    const ends = ['a ', '" ', '\\"', '[', '1'].map((part) => LINE.slice(0, 60) + part.repeat(200_000));
    expect(ends.map(parseLogLine)).toEqual(ends.map(() => null));
  });
});

describe('the lines of a log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waygate-log-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const read = async (content: string | Uint8Array): Promise<readonly string[]> => {
    const path = join(folder, 'access.log');
    writeFileSync(path, content);
    const lines: string[] = [];
    await readLines(path, (line) => lines.push(line));
    return lines;
  };

  test('are those of the file, with or without a last newline', async () => {
    expect(await read('a\nb\n')).toEqual(['a', 'b']);
    expect(await read('a\nb')).toEqual(['a', 'b']);
    expect(await read('')).toEqual([]);
  });

  test('cross the chunks of a file', async () => {
    const lines = Array.from({ length: 30_000 }, (_, at) => `line ${at}`);
    expect(await read(lines.join('\n'))).toEqual(lines);
  });

  test('are decompressed, also of several members one after the other', async () => {
    expect(await read(gzipSync('a\nb\n'))).toEqual(['a', 'b']);
    expect(await read(Buffer.concat([gzipSync('a\n'), gzipSync('b\n')]))).toEqual(['a', 'b']);
  });

  test('are empty if they are too long, and the next ones are whole', async () => {
    expect(await read(`${'x'.repeat(300_000)}\nb\n${'y'.repeat(300_000)}`)).toEqual(['', 'b', '']);
  });

  test('of a broken or missing file are an error that names it', async () => {
    await expect(read(gzipSync('a\nb\n').subarray(0, 15))).rejects.toThrow(
      /cannot read the log .*access\.log/,
    );
    await expect(readLines(join(folder, 'none'), () => {})).rejects.toThrow(
      /cannot read the log .*none: there is no such file/,
    );
    await expect(readLines(folder, () => {})).rejects.toThrow(/cannot read the log/);
  });
});
