import { describe, expect, it } from 'vitest';
import { TypeNameAllocator, toPropertyKey, toStringLiteral, toTypeName } from '../../src/types/names.ts';

describe('a type name', () => {
  it.each([
    ['Post', 'Post'],
    ['WC_Order', 'WC_Order'],
    ['wc_order', 'Wc_order'],
    ['post-revision', 'PostRevision'],
    ['wp/v2.post edit', 'WpV2PostEdit'],
    ['2fa', '_2fa'],
    ['string', 'String'],
    ['default', 'Default'],
    ['__proto__', '__proto__'],
    ['Größe', 'Größe'],
    ['投稿', '投稿'],
    ['a\u0000b\u202ec', 'ABC'],
    ['🙂', 'Unnamed'],
    ['', 'Unnamed'],
  ])('of %j is %s', (text, name) => {
    expect(toTypeName(text)).toBe(name);
  });

  it('is unchanged when it is converted again', () => {
    for (const text of ['post-revision', '2fa', 'wc_order', '__proto__', 'Größe']) {
      expect(toTypeName(toTypeName(text))).toBe(toTypeName(text));
    }
  });

  it('is allocated once, and is no name that the module uses itself', () => {
    const names = new TypeNameAllocator();
    const wanted = ['Post', 'post', 'POST', 'Post', 'Post2', 'Pick', 'ArrayBuffer', 'paths'];
    expect(wanted.map((name) => names.allocate(name))).toEqual([
      'Post',
      'Post2',
      'POST',
      'Post3',
      'Post22',
      'Pick2',
      'ArrayBuffer2',
      'Paths',
    ]);
  });

  it('is allocated in constant time, even if it was wanted many times', () => {
    const names = new TypeNameAllocator();
    const allocated = Array.from({ length: 20_000 }, () => names.allocate('Same'));
    expect(new Set(allocated).size).toBe(20_000);
    expect(allocated.at(-1)).toBe('Same20000');
  });
});

describe('a property key or a string literal', () => {
  it.each([
    ['title', 'title'],
    ['$ref', '$ref'],
    ['X-WP-Total', '"X-WP-Total"'],
    ['200', '"200"'],
    ['', '""'],
    ['größe', '"größe"'],
    ['a"b\\', '"a\\"b\\\\"'],
  ])('of the name %j is %s', (name, text) => {
    expect(toPropertyKey(name)).toBe(text);
  });

  it('escapes invisible and bidirectional characters', () => {
    expect(toStringLiteral('a\u202eb\u200bc\u2028d\u0000')).toBe('"a\\u202eb\\u200bc\\u2028d\\u0000"');
  });
});
