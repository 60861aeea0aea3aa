import { expect, test } from 'vitest';
import { describeJson } from '../../src/docs/client/response-view.ts';

test.each<[object, string]>([
  [{ id: 5, title: { rendered: 'x' } }, '{id: 5, title: {…}}'],
  [{ a: null, b: true, c: [], d: {}, e: 1 }, '{a: null, b: true, c: [], …}'],
  [[1, 'two', [3], 4], '[1, "two", […], …]'],
  [{ text: 'a'.repeat(31) }, `{text: "${'a'.repeat(30)}…"}`],
  [{ ['n'.repeat(31)]: 1 }, `{${'n'.repeat(30)}…: 1}`],
  [JSON.parse('{"__proto__": {"x": 1}}'), '{__proto__: {…}}'],
])('%j is described as %s', (value, expected) => {
  expect(describeJson(value)).toBe(expected);
});

test('characters that change the direction of the text around them are left out', () => {
  expect(describeJson({ 'a\u202e': 'b\u0007' })).toBe('{a : "b "}');
});
