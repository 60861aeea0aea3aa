import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../src/json.ts';
import { joinToChunks, printJson, stringifyDocument, toYaml } from '../../src/openapi/serialize.ts';

const json = fc.jsonValue({ maxDepth: 5 });

describe('a serialized document', () => {
  it('is the same JSON when it is written in parts', () => {
    fc.assert(
      fc.property(json, (value) => {
        const document: JsonObject = { value: JSON.parse(JSON.stringify(value)) };
        expect([...joinToChunks(printJson(document), 10)].join('')).toBe(stringifyDocument(document));
      }),
    );
  });

  it('is readable YAML', () => {
    const document = {
      openapi: '3.1.1',
      paths: { '/posts/{id}': { get: { tags: ['wp/v2'], parameters: [{ name: 'id', required: true }] } } },
      components: {},
    };
    expect(toYaml(document)).toBe(`openapi: "3.1.1"
paths:
  /posts/{id}:
    get:
      tags:
        - wp/v2
      parameters:
        - name: id
          required: true
components: {}
`);
  });

  it.each([
    ['words that YAML 1.1 reads as booleans', ['yes', 'No', 'on', 'y', 'TRUE', 'null', '~']],
    [
      'strings that look like numbers or dates',
      ['1', '1.5', '0x1f', '1_000', '12:30:45', '2020-01-01', '.inf', '+1'],
    ],
    [
      'strings that begin with an indicator',
      ['- a', '? a', ': a', '*a', '&a', '!a', '@a', '`a`', '%a', '|', '>', '{a', '[a'],
    ],
    ['strings with white space', ['', ' ', ' a', 'a ', 'a  b', 'a\tb', 'a\nb', 'a\r\nb', '\n']],
    [
      'characters that YAML needs escaped',
      ['\u0000', '\u007f', '\u0085', '\u2028', '\ufeff', '\ud800', '😀'],
    ],
    ['document markers', ['---', '...', '--- a', '<<', '=']],
  ])('YAML keeps %s', (_what, strings) => {
    expect(parse(toYaml({ strings }))).toEqual({ strings });
    expect(parse(toYaml({ strings }), { version: '1.1' })).toEqual({ strings });
    const keyed = Object.fromEntries(strings.map((string) => [`${string}`, string]));
    expect(parse(toYaml({ nested: keyed }), { merge: false })).toEqual({ nested: keyed });
  });

  it('YAML of any data reads back as the same data', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify({ value });
        // The reader, not the printer, loses `__proto__` and -0.
        fc.pre(!text.includes('__proto__') && !Object.is(value, -0));
        expect(parse(toYaml(JSON.parse(text)))).toEqual(JSON.parse(text));
      }),
      { numRuns: 200 },
    );
  });
});
