import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractJson } from '../../src/discovery/extract-json.ts';
import { scanJson } from '../../src/discovery/scan-json.ts';

const INDEX = '{"name":"x {\\"y\\"}","namespaces":[],"routes":{"/":{"a":[1,-2.5e3,true,null]}}}';
const NOTICE = '<br />\n<b>Notice</b>: Undefined index: {"a"} in <b>C:\\x.php</b> on line <b>3</b><br />\n';

describe('the JSON of an answer', () => {
  it.each([
    ['alone', INDEX, []],
    ['between white space', `\r\n\t ${INDEX}\n\n`, []],
    ['behind a byte order mark', `\ufeff${INDEX}`, ['byte-order-mark']],
    ['behind a notice that holds braces', NOTICE + INDEX, ['text-before-json']],
    ['behind a closure in a notice', `Warning: {closure}() expects { "x\n${INDEX}`, ['text-before-json']],
    ['before a notice', INDEX + NOTICE, ['text-after-json']],
    ['between notices', NOTICE + INDEX + NOTICE, ['text-before-json', 'text-after-json']],
    ['behind another object', `{"debug":[]}${INDEX}`, ['text-before-json']],
    [
      'behind the time in brackets',
      `[20-Nov-2025 10:00:00 UTC] PHP Warning: x\n${INDEX}`,
      ['text-before-json'],
    ],
    ['before a comment of a cache', `${INDEX}\n<!-- cached -->`, ['text-after-json']],
    ['in a call', `cb(${INDEX});`, ['text-before-json', 'text-after-json']],
  ])('is found %s', (_, text, tolerated) => {
    const extracted = extractJson(text);
    expect(extracted).toMatchObject({ ok: true, value: JSON.parse(INDEX) });
    expect(extracted.ok && extracted.repairs.map(({ rule }) => rule)).toEqual(tolerated);
  });

  it.each([
    ['nothing', '', 'empty'],
    ['white space', ' \n\ufeff', 'empty'],
    ['text', 'Hello', 'not-json'],
    ['HTML with objects in its scripts', '<html><script>x={"routes":{}};{"a":1}</script></html>', 'not-json'],
    ['an index that breaks off', INDEX.slice(0, 60), 'truncated'],
    ['an index that breaks off inside of a word', '{"a":tr', 'truncated'],
    ['an index that breaks off behind a notice', NOTICE + INDEX.slice(0, -1), 'truncated'],
    ['an index with a notice inside', INDEX.replace('"routes":', `"routes":${NOTICE}`), 'not-json'],
    ['a raw line break in a string', '{"name":"a\nb","routes":{}}', 'not-json'],
    ['three hundred thousand open brackets', '['.repeat(300_000), 'too-deep'],
    ['a deep object', `{"routes":${'{"a":'.repeat(300_000)}`, 'too-deep'],
  ])('is not found in %s', (_, text, reason) => {
    expect(extractJson(text)).toMatchObject({ ok: false, reason });
  });

  it('ends where JSON.parse says that it ends', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('', ' ', 'x', ',', '}', '"'), (text, rest) => {
        // A number would go on with no separator, which none of these is.
        expect(scanJson(text + rest, 0)).toEqual({ kind: 'complete', end: text.length });
      }),
    );
  });

  it('is complete only where JSON.parse agrees, but for escapes', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '1',
      'true',
      'nul',
      ' ',
      '-',
      '0.5e3',
      '"',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 9 }), (parts) => {
        const text = parts.join('');
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        const scan = scanJson(text, 0);
        expect(scan.kind === 'complete' && text.slice(scan.end).trim() === '').toBe(isJson);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['{', '{"a":', '{"a":[', '{"a":{}', '{"', '{"a":1,x', '<{"a":"', '{}'])(
    'is sought in linear time in %j',
    (part) => {
      const started = performance.now();
      extractJson(`x${part.repeat(300_000)}!`);
      expect(performance.now() - started).toBeLessThan(5_000);
    },
  );
});
