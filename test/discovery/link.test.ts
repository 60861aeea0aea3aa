import { describe, expect, it } from 'vitest';
import { parseLinks } from '../../src/discovery/find-index.ts';

const API = 'https://api.w.org/';

describe('a Link header', () => {
  const cases: [string, string, { target: string; rel: string[]; anchor?: string }[]][] = [
    ['one link', `</wp-json/>; rel="${API}"`, [{ target: '/wp-json/', rel: [API] }]],
    [
      'several links in one header',
      `</a>; rel="x", </wp-json/>; rel="${API}", </b>; rel=shortlink`,
      [
        { target: '/a', rel: ['x'] },
        { target: '/wp-json/', rel: [API] },
        { target: '/b', rel: ['shortlink'] },
      ],
    ],
    ['a comma and a semicolon inside the target', `</a,b;c>; rel="x"`, [{ target: '/a,b;c', rel: ['x'] }]],
    [
      'a comma and a semicolon inside a quoted parameter',
      `</a>; title="one, two; three"; rel="x", </b>; rel="y"`,
      [
        { target: '/a', rel: ['x'] },
        { target: '/b', rel: ['y'] },
      ],
    ],
    [
      'an escaped quote inside a quoted parameter',
      `</a>; title="say \\"hi\\", you"; rel="x"`,
      [{ target: '/a', rel: ['x'] }],
    ],
    ['upper case in name and relation', '</a>; REL="HTTPS://API.W.ORG/"', [{ target: '/a', rel: [API] }]],
    ['spaces around the equals sign', '</a> ; rel = "x" ; type=t', [{ target: '/a', rel: ['x'] }]],
    ['only the first rel is used', '</a>; rel=x; rel=y', [{ target: '/a', rel: ['x'] }]],
    ['a parameter without a value', '</a>; crossorigin; rel=x', [{ target: '/a', rel: ['x'] }]],
    ['an anchor', '</a>; rel=x; anchor="/other"', [{ target: '/a', rel: ['x'], anchor: '/other' }]],
    ['empty list members', ', ,</a>; rel=x,,', [{ target: '/a', rel: ['x'] }]],
    ['an unclosed target', '</a; rel=x', []],
    ['an unclosed quoted string', '</a>; rel="x', [{ target: '/a', rel: ['x'] }]],
    ['an empty header', '', []],
  ];
  it.each(cases)('with %s is parsed', (_, header, links) => {
    expect(parseLinks(header)).toEqual(links);
  });

  it('is parsed in linear time', () => {
    for (const part of ['<', '<a>;', '<a>,', '<a>;rel="', '<a>;a=b', '<a>; \t', '"\\']) {
      expect(parseLinks(part.repeat(500_000)).length).toBeLessThanOrEqual(500_000);
    }
  });
});
