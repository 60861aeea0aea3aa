import { type Case, type Step, scenario } from '../case.ts';

const FRESH = 'max-age=3600';

/** A request for the bytes from `first` to `last`, which the site serves. */
const fetchPart = (first: number, last: number): Step => {
  const body = '0123456789'.slice(first, last + 1);
  const site = `206 | max-age=3600 | ETag: "a" | Content-Range: bytes ${first}-${last}/10`;
  return { request: `Range: bytes=${first}-${last}`, site, siteBody: body, body };
};

/** Optional behaviour of the RFCs that this cache does not have, with the reason. */
export const DECLINED: readonly Case[] = [
  // Sites personalize responses by cookies without saying so. Such a request needs the permission that RFC 9111 §3.5
  // demands for Authorization.
  scenario('a cookie in the request is not ignored without Vary: Cookie', '§4.1', [
    FRESH,
    { request: 'Cookie: a=b' },
  ]),
  // Sites of WordPress send no parts of what they compute, and web servers send those of files.
  scenario('a partial response is not stored, and serves neither its range nor a part of it', '§3.3', [
    fetchPart(0, 4),
    { ...fetchPart(0, 4), forwardedFields: { Range: 'bytes=0-4' } },
    { request: 'Range: bytes=1-2' },
    { forwardedFields: { Range: null } },
  ]),
  // REST routes of WordPress send no such response.
  ...(
    [
      ['with its own URI in Content-Location', `${FRESH} | Content-Location: /`],
      ['that is public', 'public, s-maxage=3600 | Content-Location: /'],
    ] as const
  ).map(([what, site]) =>
    scenario(`the response to POST ${what} is not reused`, '9110 §9.3.3', [
      { method: 'POST', site },
      { after: 1 },
    ]),
  ),
  // Requests match by the fields of Vary alone. The rules of a site for choosing a language are its own.
  scenario('a stored response is not selected because it has the language that the client prefers', '§4.1', [
    { request: 'Accept-Language: en, de', site: `${FRESH} | Vary: Accept-Language | Content-Language: de` },
    { request: 'Accept-Language: de' },
  ]),
  // The RFC compares Date then, which is later: the client's copy may be older.
  scenario('an earlier If-Modified-Since does not match a response without Last-Modified', '§4.3.2', [
    FRESH,
    { request: 'If-Modified-Since: @-3000', from: 1 },
  ]),
  // A site that sends unquoted tags also compares unquoted ones, so the value is forwarded unchanged.
  scenario('an unquoted entity tag stays unquoted', '9110 §8.8.3', [
    'max-age=2 | ETag: a',
    { after: 1, request: 'If-None-Match: "a"', from: 1, status: 200 },
    { after: 2, confirms: 1, forwardedFields: { 'If-None-Match': 'a' } },
  ]),
];
