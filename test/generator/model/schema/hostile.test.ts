import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/base/json.ts';
import { useStepCounter } from '../../../support/steps.ts';
import { normalized } from './normalized.ts';

describe('a hostile schema', () => {
  test('with a pattern that is too large to match its default loses the default quickly', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [
        `a${index}`,
        { type: 'string', pattern: `^(a+)+${index}(\\w{1,500}){1,50}$`, default: 'a'.repeat(5_000) },
      ]),
    );
    const { schema } = normalized({ type: 'object', properties });
    expect(schema).toHaveProperty(['properties', 'a7', 'x-waygate-default']);
    expect(schema).not.toHaveProperty(['properties', 'a7', 'default']);
  });

  test('with names of inherited members keeps them', () => {
    const given: Json = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"bool"},"constructor":{"type":"string","required":true}}}',
    );
    const { schema } = normalized(given);
    expect(JSON.stringify(schema)).toBe(
      '{"type":"object","required":["constructor"],"properties":{"__proto__":{"type":"boolean","x-waygate-type":"bool"},"constructor":{"type":"string"}}}',
    );
  });

  test('with a keyword named `__proto__` loses it', () => {
    const { schema } = normalized(JSON.parse('{"type":"string","__proto__":{"minLength":"2"}}'));
    expect(schema).toEqual({ type: 'string' });
    expect(Object.getPrototypeOf(schema)).toBe(Object.prototype);
  });

  test('with a large enum is normalized in linear time', () => {
    const values = Array.from({ length: 200_000 }, (_, index) => `value ${index % 150_000}`);
    const { schema } = normalized({ type: 'string', enum: values });
    expect(schema['enum']).toHaveLength(150_000);
  });
});

describe('a hostile site', () => {
  const countSteps = useStepCounter();

  test('with long patterns of Unicode classes is normalized in a bounded number of steps', async () => {
    const { Normalizer } = await import('../../../../src/generator/model/schema/normalizer.ts');
    const stepsFor = (count: number): Promise<number> => {
      const normalizer = new Normalizer(() => {});
      return countSteps(() => {
        for (let number = 0; number < count; number += 1) {
          const pattern = `[^\\w${number}]{${number}}`.repeat(80);
          normalizer.normalizeSchema({ type: 'string', pattern }, { route: '/r', pointer: '' });
        }
      });
    };
    const steps = await stepsFor(25);
    expect(await stepsFor(400)).toBeLessThan(steps * 6);
  });

  test('with a large default of objects or of words is normalized in a bounded number of steps', async () => {
    const { Normalizer } = await import('../../../../src/generator/model/schema/normalizer.ts');
    const stepsFor = (count: number): Promise<number> => {
      const words = Array.from({ length: count }, (_, number) => `w${number}`);
      const properties = Object.fromEntries(words.map((word) => [word, { type: 'string' }]));
      const lists = {
        words: { items: { enum: words }, default: words },
        objects: { items: { properties }, default: words.map(() => ({})) },
      };
      return countSteps(() =>
        new Normalizer(() => {}).normalizeSchema({ properties: lists }, { route: '/r', pointer: '' }),
      );
    };
    const steps = await stepsFor(200);
    expect(await stepsFor(1_600)).toBeLessThan(steps * 10);
  });
});
