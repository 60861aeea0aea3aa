import { at, type Case } from '../case.ts';

/** What the RFCs would allow and some caches do, and why this one does not. */
export interface Declined extends Case {
  readonly why: string;
}

const FRESH = { 'Cache-Control': 'max-age=3600' };
const PART = { ...FRESH, 'Content-Range': 'bytes 0-4/10' };
const FIRST_FIVE = { Range: 'bytes=0-4' };

export const DECLINED: readonly Declined[] = [
  {
    name: 'an answer that sets a cookie is not stored, however public it says it is',
    rfc: 'RFC 9111 §7.3',
    why: 'The RFC leaves it to the site’s directives. Sites are configured to cache by path, and set cookies by plugin: whoever comes second would be logged in as the first.',
    steps: [{ site: { headers: { ...FRESH, 'Set-Cookie': 'a=b' } } }, {}],
  },
  {
    name: 'the answer to POST is not stored for GET, though Content-Location says it is the same',
    rfc: 'RFC 9110 §9.3.3',
    why: 'A MAY. What a write answers is made for the writer (drafts, `context=edit`), and a write is to make stored answers void, not new ones.',
    steps: [{ method: 'POST', site: { headers: { ...FRESH, 'Content-Location': '/' } } }, {}],
  },
  {
    name: 'a part is not stored, not even to be given as that part',
    rfc: 'RFC 9111 §3.3',
    why: 'A MAY. Parts would have to be kept beside the whole, told apart and put together; what is asked for in parts (media) is mostly too large for the store anyway.',
    steps: [
      { headers: FIRST_FIVE, site: { status: 206, headers: PART, body: '01234' }, body: '01234' },
      { headers: FIRST_FIVE, site: { status: 206, headers: PART, body: '01234' }, body: '01234' },
    ],
  },
  {
    name: 'a part is not made whole by asking for the rest',
    rfc: 'RFC 9111 §3.4',
    why: 'As above.',
    steps: [
      { headers: FIRST_FIVE, site: { status: 206, headers: PART, body: '01234' }, body: '01234' },
      { forwardedFields: { Range: null } },
    ],
  },
  {
    name: 'an answer in the language that a caller likes best is not theirs where they asked otherwise',
    rfc: 'RFC 9111 §4.1',
    why: 'Only the site knows how it chooses; a cache that negotiates in its place answers what the site would not have.',
    steps: [
      {
        headers: { 'Accept-Language': 'en, de' },
        site: { headers: { ...FRESH, Vary: 'Accept-Language', 'Content-Language': 'de' } },
      },
      { headers: { 'Accept-Language': 'fr;q=0.5, de;q=1.0' } },
    ],
  },
  {
    name: 'a date before that of an answer without Last-Modified does not confirm it',
    rfc: 'RFC 9111 §4.3.2',
    why: 'The RFC compares Date then, and it is later: what the caller holds may be older.',
    steps: [{ site: { headers: FRESH } }, { headers: { 'If-Modified-Since': at(-3000) }, servedFrom: 1 }],
  },
  {
    name: 'nothing stale is served unasked where the site cannot be reached',
    rfc: 'RFC 9111 §4.2.4',
    why: 'Allowed of a cache that is disconnected. How long the stale is better than nothing is for the site or the rules to say: `stale-if-error`.',
    steps: [
      { site: { headers: { 'Cache-Control': 'max-age=2' } } },
      { after: 3, site: { failure: 'unreachable' }, servedFrom: 0, forwards: true, status: 502 },
    ],
  },
  {
    name: 'an age with a parameter is none',
    rfc: 'RFC 9111 §5.1',
    why: 'The field is a number, and what is invalid is to be ignored.',
    steps: [{ site: { headers: { ...FRESH, Age: '7200;a=b' } } }, { servedFrom: 1 }],
  },
  {
    name: 'quotes are not added to a tag that came without',
    rfc: 'RFC 9110 §8.8.3',
    why: 'A site that writes tags without quotes compares them without. What is passed on is passed on as it is.',
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
