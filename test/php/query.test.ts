import { describe, expect, it } from 'vitest';
import { parseQueryPairs } from '../../src/php/query.ts';

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
