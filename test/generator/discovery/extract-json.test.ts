import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { runSteps } from '../../../src/base/steps.ts';
import { extractJson } from '../../../src/generator/discovery/classify-response.ts';

const INDEX = '{"name":"x {\\"y\\"}","namespaces":[],"routes":{"/":{"a":[1,-2.5e3,true,null]}}}';
const NOTICE = '<br />\n<b>Notice</b>: Undefined index: {"a"} in <b>C:\\x.php</b> on line <b>3</b><br />\n';

describe('the JSON of a response', () => {
  test.each([
    ['without other text', INDEX],
    ['after a byte order mark', `\ufeff${INDEX}`],
    ['after a notice that contains braces', NOTICE + INDEX],
    ['after a closure in a notice', `Warning: {closure}() expects { "x\n${INDEX}`],
    ['between notices', NOTICE + INDEX + NOTICE],
    ['after another object', `{"debug":[]}${INDEX}`],
    ['after a time in brackets', `[20-Nov-2025 10:00:00 UTC] PHP Warning: x\n${INDEX}`],
    ['before an HTML comment', `${INDEX}\n<!-- cached -->`],
  ])('is found %s', (_, text) => {
    expect(runSteps(extractJson(text))).toEqual({ ok: true, value: JSON.parse(INDEX) });
  });

  test.each([
    ['an empty text', '', 'empty'],
    ['whitespace', ' \n\ufeff', 'empty'],
    ['HTML with objects in its scripts', '<html><script>x={"routes":{}};{"a":1}</script></html>', 'not-json'],
    ['a truncated index', INDEX.slice(0, 60), 'truncated'],
    ['a truncated index after a notice', NOTICE + INDEX.slice(0, -1), 'truncated'],
    ['an index with a notice inside', INDEX.replace('"routes":', `"routes":${NOTICE}`), 'not-json'],
    ['a raw line break in a string', '{"name":"a\nb","routes":{}}', 'not-json'],
    ['three hundred thousand open brackets', '['.repeat(300_000), 'too-deep'],
    ['a deep object', `{"routes":${'{"a":'.repeat(300_000)}`, 'too-deep'],
  ])('is not found in %s', (_, text, reason) => {
    expect(runSteps(extractJson(text))).toMatchObject({ ok: false, reason });
  });

  test('is found exactly if JSON.parse accepts the text', () => {
    const pieces = fc.constantFrom(' ', ...'{ } [ ] , : "a" 1 true nul - 0.5e3 "'.split(' '));
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 9 }), (parts) => {
        const text = parts.join('');
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect(runSteps(extractJson(text)).ok).toBe(isJson);
      }),
      { numRuns: 500 },
    );
  });

  test('is what JSON.parse returns, with members of any name', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const wrapped = `{ "__proto__" : ${text}, "routes":{"a":${text} ,"a":1}}`;
        for (const each of [text, wrapped])
          expect(runSteps(extractJson(each))).toStrictEqual({ ok: true, value: JSON.parse(each) });
      }),
    );
  });

  test('is parsed route by route, also after a notice', () => {
    const routes = Array.from({ length: 100 }, (_, at) => [`/a/${at}`, { methods: ['GET'.repeat(300)] }]);
    const text = JSON.stringify({ name: '', namespaces: [], routes: Object.fromEntries(routes) });
    const parse = vi.spyOn(JSON, 'parse');
    try {
      for (const each of [text, NOTICE + text]) expect(runSteps(extractJson(each)).ok).toBe(true);
      expect(Math.max(...parse.mock.calls.map(([parsed]) => parsed.length))).toBeLessThan(text.length / 50);
    } finally {
      parse.mockRestore();
    }
  });

  test.each(['{', '{"a":', '{"a":[', '{"a":{}', '{"', '{"a":1,x', '<{"a":"', '{}'])(
    'is searched in linear time in %j',
    (part) => {
      expect(() => runSteps(extractJson(`x${part.repeat(300_000)}!`))).not.toThrow();
    },
  );
});
