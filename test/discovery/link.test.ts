import { describe, expect, it } from 'vitest';
import { listLinked } from '../../src/discovery/find-index.ts';

const API = 'https://api.w.org/';

describe('a Link header', () => {
  it.each<[string, string, string[]]>([
    ['one link', `</wp-json/>; rel="${API}"`, ['/wp-json/']],
    ['several links', `</a>; rel="x", </wp-json/>; rel="${API}", </b>; rel=shortlink`, ['/wp-json/']],
    ['several relations', `</a>; rel="x ${API}"`, ['/a']],
    ['a comma and a semicolon inside the target', `</a,b;c>; rel="${API}"`, ['/a,b;c']],
    [
      'a comma and a semicolon inside a quoted parameter',
      `</a>; title="one, two; three"; rel="${API}", </b>; rel="${API}"`,
      ['/a', '/b'],
    ],
    ['an escaped quote inside a parameter', `</a>; title="say \\"hi\\", you"; rel="${API}"`, ['/a']],
    ['upper case in name and relation', '</a>; REL="HTTPS://API.W.ORG/"', ['/a']],
    ['spaces around the equals sign', `</a> ; rel = "${API}" ; type=t`, ['/a']],
    ['a second rel, which is not used', `</a>; rel=x; rel="${API}", </b>; rel="${API}"; rel=x`, ['/b']],
    ['a parameter without a value', `</a>; crossorigin; rel=${API}`, ['/a']],
    ['an anchor', `</a>; rel="${API}"; anchor="/other", </b>; rel="${API}"; anchor=""`, ['/b']],
    ['empty list members', `, ,</a>; rel="${API}",,`, ['/a']],
    ['an unclosed target', `</a; rel="${API}"`, []],
    ['an unclosed quoted string', `</a>; rel="${API}`, ['/a']],
    ['an empty header', '', []],
  ])('with %s is parsed', (_, header, targets) => {
    expect(listLinked(header, API)).toEqual(targets);
  });

  it('is parsed in linear time', () => {
    for (const part of ['<', '<a>;', '<a>,', '<a>;rel="', '<a>;a=b', '<a>; \t', '"\\']) {
      expect(listLinked(part.repeat(100_000), API)).toEqual([]);
    }
  });
});
