import { describe, expect, it } from 'vitest';
import { type PhpArray, parsePhpQuery, parseQueryPairs } from '../../src/php/query.ts';

describe('parseQueryPairs assigns names of PHP variables to pairs', () => {
  const cases: readonly [query: string, names: readonly string[]][] = [
    ['rest_route=/', ['rest_route']],
    ['rest.route=/', ['rest_route']],
    ['rest%20route=/', ['rest_route']],
    ['rest+route=/', ['rest_route']],
    ['rest%5Froute=/', ['rest_route']],
    ['rest[route=/', ['rest_route']],
    ['rest%5Broute=/', ['rest_route']],
    ['++rest_route=/', ['rest_route']],
    ['rest_route%00x=/', ['rest_route']],
    ['rest_route%00[x]=/', ['rest_route']],
    ['rest_route[]=/', ['rest_route[]']],
    ['rest_route[a][b=/', ['rest_route[]']],
    ['rest_route', ['rest_route']],
    ['.method=x', ['_method']],
    ['[method=x', ['']],
    ['[a]=x', ['']],
    ['=x', ['']],
    ['..Host-a=x', ['']],
    ['__Host-a=x', ['__Host-a']],
    ['REST_ROUTE=/', ['REST_ROUTE']],
    ['a]b=1', ['a]b']],
    ['a%zz=1', ['a%zz']],
    ['&&a=1&&b&', ['a', 'b']],
    ['a=1;b=2', ['a']],
  ];
  it.each(cases)('%s', (query, names) => {
    expect(parseQueryPairs(query).map((pair) => pair.name + (pair.isArray ? '[]' : ''))).toEqual(names);
  });

  it('keeps raw pairs and raw values', () => {
    expect(parseQueryPairs('a%20b=%41=c&d')).toEqual([
      { raw: 'a%20b=%41=c', name: 'a_b', isArray: false, value: '%41=c' },
      { raw: 'd', name: 'd', isArray: false, value: '' },
    ]);
  });
});

/** Queries, and the variables that PHP parses from them: the path and the value of each text. */
const CASES = `
a=1&a=2 | a=2
a[]=1&a[]=2 | a[0]=1 a[1]=2
a[5]=1&a[]=2 | a[5]=1 a[6]=2
a[k][j]=1&a[k][i]=2 | a[k][j]=1 a[k][i]=2
a=1&a[k]=2 | a[k]=2
a[k]=2&a=1 | a=1
a=b+c%2Bd | a=b c+d
a=%zz%4 | a=%zz%4
__proto__[x]=1&constructor=2 | __proto__[x]=1 constructor=2
a[__proto__][y]=1 | a[__proto__][y]=1
b=1&a=2&b=3 | b=3 a=2
a | a=
a[01]=1&a[-0]=2&a[]=3 | a[01]=1 a[-0]=2 a[0]=3
a[9223372036854775807]=1&a[]=2 | a[9223372036854775807]=1
a=%C3%A9 | a=\xc3\xa9`;

describe('parsePhpQuery returns the variables that PHP parses', () => {
  it.each(
    CASES.split('\n')
      .slice(1)
      .map((line) => line.split(' | ')),
  )('%s → %s', (query = '', variables) => {
    expect(textsOf(parsePhpQuery(query)).join(' ')).toBe(variables);
  });

  it('has none without a query', () => {
    expect([...parsePhpQuery('')]).toEqual([]);
  });

  it('drops a variable nested deeper than 64, with its earlier elements', () => {
    expect(parsePhpQuery(`a=1&a${'[x]'.repeat(65)}=1`).has('a')).toBe(false);
    expect(parsePhpQuery(`a=1&a${'[x]'.repeat(64)}=1`).get('a')).toBeInstanceOf(Map);
  });

  it('parses the first 1,000 variables', () => {
    const query = Array.from({ length: 1001 }, (_, i) => `v${i}=1`).join('&');
    expect([...parsePhpQuery(query).keys()].at(-1)).toBe('v999');
  });
});

function textsOf(array: PhpArray, path = ''): readonly string[] {
  return [...array].flatMap(([key, value]) => {
    const at = path === '' ? key : `${path}[${key}]`;
    return typeof value === 'string' ? [`${at}=${value}`] : textsOf(value, at);
  });
}
