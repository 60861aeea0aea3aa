import { at, type Case } from '../case.ts';

/** Optional behaviour of the RFCs that this cache does not have, with the reason. */
export interface Declined extends Case {
  readonly reason: string;
}

const FRESH = { 'Cache-Control': 'max-age=3600' };
const PART = { ...FRESH, 'Content-Range': 'bytes 0-4/10' };
const FIRST_FIVE = { Range: 'bytes=0-4' };

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
    name: 'a partial response without a strong validator is not completed by a request for the rest',
    rfc: 'RFC 9111 §3.4',
    reason: 'Only responses with the same strong validator may be combined, so the rest would be useless.',
    steps: [
      { headers: FIRST_FIVE, site: { status: 206, headers: PART, body: '01234' }, body: '01234' },
      { forwardedFields: { Range: null } },
    ],
  },
  {
    name: 'a partial response whose body is shorter than its Content-Range is not stored',
    rfc: 'RFC 9110 §14.4',
    reason:
      'Nobody can know which bytes are missing. The public suite has such responses: bytes 4-9/10 with a body of five bytes.',
    steps: [
      {
        headers: { Range: 'bytes=-5' },
        site: { status: 206, headers: { ...FRESH, 'Content-Range': 'bytes 4-9/10' }, body: '01234' },
        body: '01234',
      },
      {
        headers: { Range: 'bytes=6-8' },
        site: { status: 206, headers: { ...FRESH, 'Content-Range': 'bytes 6-8/10' }, body: '678' },
        body: '678',
      },
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
