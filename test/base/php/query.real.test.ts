import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type PhpArray,
  type PhpValue,
  parsePhpQuery,
  parseQueryPairs,
} from '../../../src/base/php/request.ts';

const script = fileURLToPath(new URL('parse-str.php', import.meta.url));

/** Runs PHP's `parse_str` on all queries, in one process. */
function runParseStr(queries: readonly string[]): unknown[] {
  const input = queries.map((query) => `${hex(query)}\n`).join('');
  const { stdout, stderr, status } = spawnSync('php', ['-n', '-d', 'display_errors=0', script], {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) throw new Error(`php: ${stderr}`);
  return JSON.parse(stdout);
}

function hex(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('hex');
}

function entries(array: PhpArray): unknown {
  return [...array].map(([key, value]: [string, PhpValue]) => [
    hex(key),
    typeof value === 'string' ? hex(value) : entries(value),
  ]);
}

const PIECES = [
  ...'a|b|rest|route|_|.| |+|%20|[|]|[]|%5B|%5D|=|&|&|&|;|0|1|-1|-0|01|%00|%|%4|%zz|%C3%A9|\xe9|\t|\n|%09|%0B|%0C'.split(
    '|',
  ),
  ...['9223372036854775807', '-9223372036854775808', '9223372036854775808', '__proto__', 'constructor'],
  ...'%26|%3D|%25|__Host-|__Secure-|..Host-|a[]=1|a[b]=2|a[b][]=3|a[[|]]|[x]'.split('|'),
];

const piece = fc.oneof(
  fc.constantFrom(...PIECES),
  fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)),
);
const query = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));

const LIMITS: readonly string[] = [
  Array.from({ length: 1002 }, (_, i) => `v${i}=1`).join('&'),
  `${'&a'.repeat(999)}&&b=1&c=1`,
  ...[63, 64, 65, 66].map((depth) => `a=1&b=1&a${'[x]'.repeat(depth)}=1&c=1`),
  ...[64, 65].map((depth) => `a${'[x]'.repeat(depth)}[y=1`),
  `a${'[]'.repeat(65)}=1&b=1`,
];

describe('PHP itself', () => {
  it('parses any query to the same variables', () => {
    const queries = [...LIMITS, ...fc.sample(query, { numRuns: 8_000 })];
    const results = runParseStr(queries);
    expect(results).toHaveLength(queries.length);
    for (const [at, query] of queries.entries()) {
      expect(entries(parsePhpQuery(query)), JSON.stringify(query)).toEqual(results[at]);
    }
  });

  it('names a single pair as parseQueryPairs does', () => {
    const pairs = fc.sample(query, { numRuns: 4_000 }).flatMap((sample) => [...parseQueryPairs(sample)]);
    // Names nested deeper than 64 set no variable; parseQueryPairs does not check the depth.
    const results = runParseStr(pairs.map((pair) => pair.raw));
    for (const [at, pair] of pairs.entries()) {
      const parsed = results[at] as [string, unknown][];
      const [variable] = parsed;
      expect(variable?.[0] ?? '', JSON.stringify(pair.raw)).toBe(hex(pair.name));
      expect(Array.isArray(variable?.[1] ?? ''), JSON.stringify(pair.raw)).toBe(pair.isArray);
    }
  });
});
