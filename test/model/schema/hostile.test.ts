import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/json.ts';
import { createNormalizer } from '../../../src/model/schema/normalizer.ts';
import { createAjv, normalised, schemasIn } from './normalized.ts';

/** `{"items":{"items":…}}`, made as text because that is how it would come. */
function nested(levels: number, open = '{"items":', innermost = '{"type":"bool"}', close = '}'): Json {
  return JSON.parse(open.repeat(levels) + innermost + close.repeat(levels));
}

describe('a hostile schema', () => {
  it('that nests without end is cut at 64 levels and reported once', () => {
    const { schema, found } = normalised(nested(5_000));
    expect([...schemasIn(schema)].length).toBe(65);
    expect(found.filter(({ rule }) => rule === 'depth-bound')).toMatchObject([
      { pointer: '/items'.repeat(64) },
    ]);
    createAjv().compile(schema);
  });

  it('whose pattern is too large to try a default with loses the default, and no time', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [
        `a${at}`,
        { type: 'string', pattern: `^(a+)+${at}(\\w{1,500}){1,50}$`, default: 'a'.repeat(5_000) },
      ]),
    );
    const started = performance.now();
    const { schema } = normalised({ type: 'object', properties });
    expect(performance.now() - started).toBeLessThan(6_000);
    expect(schema).toHaveProperty(['properties', 'a7', 'x-waygate-default']);
    expect(schema).not.toHaveProperty(['properties', 'a7', 'default']);
  });

  it('that nests in a default, an enum or an example loses these', () => {
    const deep = nested(5_000, '[', '', ']');
    const { schema } = normalised({
      type: 'array',
      items: {},
      default: deep,
      enum: [deep],
      examples: [deep],
    });
    expect(schema).toEqual({ type: 'array', items: {} });
  });

  it('that multiplies through references is cut at 10,000 schemas and reported once', () => {
    const definitions: Record<string, Json> = { x0: { type: 'string' } };
    for (let at = 1; at < 40; at += 1) {
      const $ref = `#/definitions/x${at - 1}`;
      definitions[`x${at}`] = { type: 'object', properties: { a: { $ref }, b: { $ref } } };
    }
    const { schema, found } = normalised({
      definitions,
      properties: { root: { $ref: '#/definitions/x39' } },
    });
    expect([...schemasIn(schema)].length).toBeLessThan(25_000);
    expect(found.filter(({ rule }) => rule === 'size-bound').length).toBe(1);
  });

  it('with members named after what every object has keeps them', () => {
    const given: Json = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"bool"},"constructor":{"type":"string","required":true}}}',
    );
    const { schema, found } = normalised(given);
    expect(JSON.stringify(schema)).toBe(
      '{"type":"object","required":["constructor"],"properties":{"__proto__":{"type":"boolean","x-waygate-type":"bool"},"constructor":{"type":"string"}}}',
    );
    expect(found.map(({ pointer }) => pointer)).toEqual([
      '/properties/constructor/required',
      '/properties/__proto__/type',
    ]);
  });

  it('with a keyword named `__proto__` loses it', () => {
    const { schema } = normalised(JSON.parse('{"type":"string","__proto__":{"minLength":"2"}}'));
    expect(schema).toEqual({ type: 'string' });
    expect(Object.getPrototypeOf(schema)).toBe(Object.prototype);
  });

  it('with a pattern that backtracks does not stop the judgement of its default', () => {
    const before = performance.now();
    const { schema } = normalised({ type: 'string', pattern: '^(a+)+$', default: `${'a'.repeat(5_000)}!` });
    expect(performance.now() - before).toBeLessThan(2_000);
    expect(schema).not.toHaveProperty('default');
  });

  it('with an enum of many values is done soon', () => {
    const values = Array.from({ length: 50_000 }, (_, at) => `value ${at % 40_000}`);
    const before = performance.now();
    const { schema } = normalised({ type: 'string', enum: values });
    expect(schema['enum']).toHaveLength(40_000);
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});

describe('a large site', () => {
  it('of 10,000 operations with ten arguments each, no two alike, takes a few seconds at the most', () => {
    const normalizer = createNormalizer(() => {});
    const before = process.cpuUsage();
    for (let operation = 0; operation < 10_000; operation += 1) {
      const args = Array.from({ length: 10 }, (_, at) => ({
        name: `argument_${at}`,
        declaration: {
          description: `Argument ${at} of operation ${operation}.`,
          type: at % 3 === 0 ? ['string', 'null'] : 'integer',
          default: at % 3 === 0 ? 'a' : at,
          minimum: 0,
          required: at === 0,
          ...(at === 5 ? { type: 'object', properties: { a: { type: 'string', required: true } } } : {}),
        },
      }));
      normalizer.arguments(args, { route: '/r', pointer: '' });
    }
    const { user, system } = process.cpuUsage(before);
    // Seen: 1.2 s of one core.
    expect((user + system) / 1e6).toBeLessThan(6);
  });
});
