import { at, type Case, type Step } from '../case.ts';

/** Optional behaviour of the RFCs that this cache does not have, with the reason. */
export interface Declined extends Case {
  readonly reason: string;
}

const FRESH = { 'Cache-Control': 'max-age=3600' };

/** A request for the bytes from `first` to `last`, which the site serves. */
const fetchPart = (first: number, last: number): Step => ({
  headers: { Range: `bytes=${first}-${last}` },
  site: {
    status: 206,
    headers: { ...FRESH, ETag: '"a"', 'Content-Range': `bytes ${first}-${last}/10` },
    body: '0123456789'.slice(first, last + 1),
  },
  body: '0123456789'.slice(first, last + 1),
});

export const DECLINED: readonly Declined[] = [
  {
    name: 'a cookie in the request is not ignored without Vary: Cookie',
    rfc: 'RFC 9111 §4.1',
    reason:
      'Sites personalize responses by cookies without saying so. Such a request needs the permission that RFC 9111 §3.5 demands for Authorization.',
    steps: [{ site: { headers: FRESH } }, { headers: { Cookie: 'a=b' } }],
  },
  {
    name: 'a public response that sets a cookie is not stored',
    rfc: 'RFC 9111 §7.3',
    reason:
      'The RFC leaves it to the directives. Sites configure caching by path while plugins set cookies, so a second client would be logged in as the first.',
    steps: [{ site: { headers: { ...FRESH, 'Set-Cookie': 'a=b' } } }, {}],
  },
  {
    name: 'a partial response is not stored, and serves neither its range nor a part of it',
    rfc: 'RFC 9111 §3.3',
    reason:
      'Sites of WordPress send no parts of what they compute. Ranges of a complete stored response are served.',
    steps: [
      fetchPart(0, 4),
      { ...fetchPart(0, 4), forwardedFields: { Range: 'bytes=0-4' } },
      { headers: { Range: 'bytes=1-2' } },
      { forwardedFields: { Range: null } },
    ],
  },
  {
    name: 'two partial responses are not combined',
    rfc: 'RFC 9111 §3.4',
    reason: 'As above.',
    steps: [fetchPart(0, 4), fetchPart(5, 9), { forwardedFields: { Range: null } }],
  },
  ...(
    [
      ['with its own URI in Content-Location', { ...FRESH, 'Content-Location': '/' }],
      ['that is public', { 'Cache-Control': 'public, s-maxage=3600', 'Content-Location': '/' }],
    ] as const
  ).map(
    ([what, headers]): Declined => ({
      name: `the response to POST ${what} is not reused`,
      rfc: 'RFC 9110 §9.3.3',
      reason: 'REST routes of WordPress send no such response.',
      steps: [{ method: 'POST', site: { headers } }, { after: 1 }],
    }),
  ),
  {
    name: 'a stored response is not selected because it has the language that the client prefers',
    rfc: 'RFC 9111 §4.1',
    reason:
      'Requests match by the fields of Vary alone. The rules of a site for choosing a language are its own.',
    steps: [
      {
        headers: { 'Accept-Language': 'en, de' },
        site: { headers: { ...FRESH, Vary: 'Accept-Language', 'Content-Language': 'de' } },
      },
      { headers: { 'Accept-Language': 'de' } },
    ],
  },
  {
    name: 'an earlier If-Modified-Since does not match a response without Last-Modified',
    rfc: 'RFC 9111 §4.3.2',
    reason: 'The RFC compares Date then, which is later: the client’s copy may be older.',
    steps: [{ site: { headers: FRESH } }, { headers: { 'If-Modified-Since': at(-3000) }, servedFrom: 1 }],
  },
  {
    name: 'an Age with a parameter is ignored',
    rfc: 'RFC 9111 §5.1',
    reason: 'The field is a number, and an invalid value must be ignored.',
    steps: [{ site: { headers: { ...FRESH, Age: '7200;a=b' } } }, { servedFrom: 1 }],
  },
  {
    name: 'an unquoted entity tag stays unquoted',
    rfc: 'RFC 9110 §8.8.3',
    reason:
      'A site that sends unquoted tags also compares unquoted ones, so the value is forwarded unchanged.',
    steps: [
      { site: { headers: { 'Cache-Control': 'max-age=2', ETag: 'a' } } },
      { after: 1, headers: { 'If-None-Match': '"a"' }, servedFrom: 1, status: 200 },
      {
        after: 2,
        servedFrom: 1,
        forwards: true,
        forwardedFields: { 'If-None-Match': 'a' },
        site: { status: 304 },
      },
    ],
  },
];
