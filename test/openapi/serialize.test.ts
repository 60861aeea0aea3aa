import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { stringifyDocument, toYaml } from '../../src/openapi/serialize.ts';

const json = fc.jsonValue({ maxDepth: 5 });

describe('the document as text', () => {
  it('is JSON with two spaces and a newline at the end', () => {
    expect(stringifyDocument({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}\n');
  });

  it('is YAML that a person can read', () => {
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
    ['what YAML 1.1 takes for a boolean', ['yes', 'No', 'on', 'y', 'TRUE', 'null', '~']],
    [
      'what looks like a number or a date',
      ['1', '1.5', '0x1f', '1_000', '12:30:45', '2020-01-01', '.inf', '+1'],
    ],
    [
      'what begins with an indicator',
      ['- a', '? a', ': a', '*a', '&a', '!a', '@a', '`a`', '%a', '|', '>', '{a', '[a'],
    ],
    ['what holds a colon or a hash', ['a: b', 'a:', 'a #b', 'a#b']],
    ['white space at the ends and within', ['', ' ', ' a', 'a ', 'a  b', 'a\tb', 'a\nb', 'a\r\nb', '\n']],
    ['what YAML does not take raw', ['\u0000', '\u007f', '\u0085', '\u2028', '\ufeff', '\ud800', '😀']],
    ['document markers', ['---', '...', '--- a', '<<', '=']],
  ])('YAML keeps %s', (_what, strings) => {
    expect(parse(toYaml(strings))).toEqual(strings);
    expect(parse(toYaml(strings), { version: '1.1' })).toEqual(strings);
    const keyed = Object.fromEntries(strings.map((string) => [`${string}`, string]));
    expect(parse(toYaml({ nested: keyed }), { merge: false })).toEqual({ nested: keyed });
  });

  it('YAML keeps names longer than a line may hold, and lists in lists', () => {
    const value = { ['k'.repeat(5000)]: { a: [[[]], [[1], {}]] }, ['l l'.repeat(500)]: [1] };
    expect(parse(toYaml(value))).toEqual(value);
  });

  it('YAML reads back as the same data, whatever the data', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify(value);
        // The reader, not the printer, loses `__proto__` and -0.
        fc.pre(!text.includes('__proto__') && !Object.is(value, -0));
        expect(parse(toYaml(JSON.parse(text)))).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });
});
