import { expect, it } from 'vitest';
import { parseDictionary } from '../../src/http/structured-fields.ts';

it.each([
  ['max-age=60', { 'max-age': { kind: 'integer', value: 60 } }],
  ['a, b=?0, c=?1;x', { a: true, b: false, c: true }],
  ['a=1.5, b=-3', { a: { kind: 'decimal', value: 1.5 }, b: { kind: 'integer', value: -3 } }],
  ['a="x \\"y\\" \\\\", b=tok/en:*', { a: 'x "y" \\', b: { kind: 'token', value: 'tok/en:*' } }],
  [
    'a=:aGk=:, b=@1659578233',
    { a: { kind: 'bytes', value: 'aGk=' }, b: { kind: 'date', value: 1659578233 } },
  ],
  ['a=%"f%c3%bc"', { a: { kind: 'display', value: 'f%c3%bc' } }],
  ['a=("x" y;q=1 2);z', { a: ['x', 'y', 2] }],
  ['a=()', { a: [] }],
  ['  a  ,\t b ', { a: true, b: true }],
  ['a=1, b, a=2', { b: true, a: { kind: 'integer', value: 2 } }],
  ['a;b=1;c="d"', { a: true }],
  ['*a=1', { '*a': { kind: 'integer', value: 1 } }],
  ['', {}],
])('%j is a valid dictionary', (field, expected) => {
  const members = parseDictionary(field);
  expect(members).not.toBeNull();
  const read = Object.fromEntries([...(members ?? [])].map(([name, member]) => [name, toComparable(member)]));
  expect(read).toEqual(expected);
});

type Member =
  NonNullable<ReturnType<typeof parseDictionary>> extends ReadonlyMap<string, infer M> ? M : never;

/** Reduces booleans, strings and lists to their values; other items keep their kind. */
function toComparable(member: Member): unknown {
  if (member.kind === 'list') return member.items.map(({ value }) => value);
  return member.kind === 'boolean' || member.kind === 'string' ? member.value : member;
}

it.each([
  'A=1',
  'a=',
  'a =1',
  'a= 1',
  'a,',
  ',a',
  'a b',
  'a=1 b',
  'a="b',
  'a="ü"',
  'a=1234567890123456',
  'a=1.2345',
  'a=1.',
  'a=?2',
  'a=(1',
  'a=("x""y")',
  'a=:!:',
  'a;B',
  'a;b=',
  '&&&',
])('%j is not a dictionary', (field) => {
  expect(parseDictionary(field)).toBeNull();
});
