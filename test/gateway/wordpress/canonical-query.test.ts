import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeQueryValue, type PhpArray, parsePhpQuery } from '../../../src/base/php/request.ts';
import { createRouteKey, QueryCanonicalizer } from '../../../src/gateway/wordpress/cache-names.ts';

const canonicalizer = new QueryCanonicalizer(['ref']);
/** A route of a plugin that reads what others ignore. */
const declared = new Set(['utm_id']);

function keyOf(query: string): string | undefined {
  return canonicalizer.canonicalize(query, declared) ?? undefined;
}

describe('equivalent queries have the same key', () => {
  const EQUIVALENT: Readonly<Record<string, readonly string[]>> = {
    'any percent-encoding': ['search=a%20b', 'search=a+b', '%73earch=%61%20b'],
    'empty pairs': ['page=2', '&&page=2&'],
    'indices that are written': ['include[]=1&include[]=2', 'include[0]=1&include[1]=2'],
    'ignored parameters': ['page=2', 'page=2&utm_source=x', 'fbclid=a&page=2', 'page=2&ref=7'],
  };

  test.each(Object.entries(EQUIVALENT))('%s', (_, queries) => {
    expect(new Set(queries.map(keyOf)).size).toBe(1);
  });
});

describe('different queries have different keys', () => {
  const DIFFERENT: Readonly<Record<string, readonly string[]>> = {
    'forms of a number, which a callback of a plugin can tell apart': [
      'page=5',
      'page=05',
      'page=5.0',
      'page=%205',
    ],
    'an ignored parameter that the route declares': ['page=2', 'page=2&utm_id=1', 'page=2&utm_id=2'],
    'a list and its text': ['slug[]=a,b', 'slug=a,b'],
    'values that are not UTF-8': ['search=%FF', 'search=%FE', 'search=%EF%BF%BD', 'slug=%FF', 'slug=%FE'],
    'names that are not UTF-8': ['%FF=1', '%FE=1'],
    'parts that PHP drops and the site sees in REQUEST_URI': [
      ...['page=2', 'page=3&page=2', 'page=2&page%00x=2', 'other=1', 'other%00x=1', 'a.b=1', 'a_b=1'],
      ...['include[a]=1', 'include[b]=1', 'include=1', 'a[b]=1', 'a[b]c=1', 'a[+b]=1', 'a[b]=1&a[b]=1'],
    ],
    'values that look like JSON': ['a=%5B%5D', 'a[]=', 'a=', 'a=%22'],
  };

  test.each(Object.entries(DIFFERENT))('%s', (_, queries) => {
    expect(new Set(queries.map(keyOf)).size).toBe(queries.length);
  });

  test('a query with more variables than PHP reads has none', () => {
    const long = Array.from({ length: 1001 }, (_, index) => `a${index}=1`).join('&');
    expect(keyOf(long)).toBeUndefined();
  });

  test('the parts of a key are delimited', () => {
    expect(createRouteKey('/a"b', '')).not.toBe(createRouteKey('/a', '"b'));
  });
});

describe('generated queries', () => {
  const name = fc.constantFrom('page', 'include', 'search', 'slug', 'sticky', 'other', 'a', 'b.c', 'utm_x');
  const value = fc.oneof(
    fc.constantFrom('', '1', '01', '2', 'true', 'a', 'a,b', '1,2', ' 1', '1e0'),
    fc.string({ unit: 'binary', maxLength: 4 }).map((text) => Buffer.from(text).toString('latin1')),
  );
  const key = fc.constantFrom('', '[]', '[0]', '[1]', '[k]', '[k][]');
  const pairs = fc.array(fc.tuple(name, key, value), { maxLength: 6 });

  test('have the same key only if PHP reads the same, and always if it reads all', () => {
    const plain = (query: string): string => canonicalizer.canonicalize(query, new Set()) ?? '';
    fc.assert(
      fc.property(pairs, pairs, (one, other) => {
        const [a, b] = [spell(one), spell(other)];
        const isSame = serialize(parsePhpQuery(a)) === serialize(parsePhpQuery(b));
        if (isReadWhole(one) && isReadWhole(other)) expect(plain(a) === plain(b)).toBe(isSame);
        else if (plain(a) === plain(b)) expect(isSame).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test('have the same key in any order of their names and any encoding', () => {
    fc.assert(
      fc.property(pairs.filter(isReadWhole), (generated) => {
        const names = [...new Set(generated.map(([each]) => each))].reverse();
        const reordered = names.flatMap((each) => generated.filter(([its]) => its === each));
        const encoded = reordered.map(
          ([each, brackets, text]) => `${percent(each)}${percent(brackets)}=${percent(text)}`,
        );
        expect(keyOf(encoded.join('&'))).toBe(keyOf(spell(generated)));
      }),
    );
  });

  test('have the same key without their ignored parameters', () => {
    fc.assert(
      fc.property(pairs, (generated) => {
        const query = spell(generated);
        expect(keyOf(canonicalizer.stripIgnored(query, declared))).toBe(keyOf(query));
      }),
    );
  });

  /** Whether no name is repeated, apart from `a[]`, nor changed. */
  function isReadWhole(generated: readonly (readonly [string, string, string])[]): boolean {
    const listed = new Set(generated.map(([each, brackets]) => (brackets === '[]' ? each + brackets : each)));
    const names = new Set(generated.map(([each]) => each));
    const isUnique = generated.every(
      ([each, brackets], at) => brackets === '[]' || generated.findIndex(([first]) => first === each) === at,
    );
    // With an encoded control character, the key has the query as it was sent.
    const isPlain = generated.every(([, , text]) => !/%(?:[01][\da-f]|7f)/i.test(percent(text)));
    return isUnique && isPlain && listed.size === names.size && !names.has('b.c');
  }

  function spell(generated: readonly (readonly [string, string, string])[]): string {
    return generated
      .map(([each, brackets, text]) => `${each}${brackets}=${encodeQueryValue(text)}`)
      .join('&');
  }

  function percent(bytes: string): string {
    return bytes.replace(/[\s\S]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
  }

  /** Serializes the variables that PHP parses, sorted by name, without ignored ones. */
  function serialize(variables: PhpArray): string {
    const entries = [...variables].filter(([name]) => !name.startsWith('utm_'));
    return JSON.stringify(entries.map(([name, value]) => [name, toEntries(value)]).sort());
  }

  function toEntries(variable: PhpArray | string): unknown {
    return typeof variable === 'string'
      ? variable
      : [...variable].map(([key, value]) => [key, toEntries(value)]);
  }
});

test.each([
  ['/posts?page=2&utm_source=x&search=a%2Bb&fbclid', '/posts?page=2&search=a%2Bb'],
  ['/posts?utm_source=x', '/posts'],
])('ignored parameters are not forwarded: %s', (requested, sent) => {
  expect(canonicalizer.stripIgnored(requested, declared)).toBe(sent);
});
