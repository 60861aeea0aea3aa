import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../../src/json.ts';
import { describeShape } from '../../../src/validation/evidence/argument-definition.ts';

test.each<[Json | undefined, string]>([
  [undefined, 'absent'],
  [null, 'null'],
  ['', 'string(0, empty)'],
  ['  ', 'string(2, white space)'],
  ['-12', 'string(3, digits)'],
  [' 1.5e3 ', 'string(7, numeric)'],
  ['TRUE', 'string(4, a boolean word)'],
  ['hunter2', 'string(7)'],
  [12, 'integer'],
  [1.5, 'number'],
  [false, 'boolean'],
  [[], 'list(0)'],
  [['a', 'b'], 'list(2) of string'],
  [['a', 1], 'list(2)'],
  [[[1], [2]], 'list(2) of array'],
  [{ secret: 1 }, 'object(1)'],
])('%j has the shape %s', (value, shape) => expect(describeShape(value)).toBe(shape));

test('a shape contains nothing of the value', () => {
  const secret = fc.stringMatching(/^[A-Z]{6,40}$/);
  const holding = secret.chain((text) =>
    fc
      .constantFrom<Json>(text, [text], { [text]: text }, [[text]], `1 ${text}`)
      .map((value) => [text, value] as const),
  );
  fc.assert(fc.property(holding, ([text, value]) => !describeShape(value).includes(text)));
});
