import { type Case, scenario } from '../case.ts';

const siteBody = '0123456789A';
const FRESH = 'max-age=3600 | ETag: "a" | Last-Modified: @-60';
const PART = { site: `206 | ${FRESH} | Content-Range: bytes 0-1/11`, siteBody: '01', body: '01' };

/** The site selects ranges: a request for one is forwarded as it came (RFC 9110 §14.2). */
export const RANGES: readonly Case[] = [
  scenario('a range of a stored response comes from the site, and replaces nothing', '§3.3', [
    { site: FRESH, siteBody },
    {
      ...PART,
      request: 'Range: bytes=0-1 | If-Range: "a" | If-None-Match: "b"',
      status: 206,
      expects: 'Content-Range: bytes 0-1/11',
      forwardedFields: { Range: 'bytes=0-1', 'If-Range': '"a"', 'If-None-Match': '"b"' },
    },
    { from: 1, body: siteBody },
  ]),
  scenario('a range of a stale response comes from the site', '§4', [
    { site: 'max-age=1 | ETag: "a"', siteBody },
    { ...PART, after: 2, request: 'Range: bytes=0-1', forwardedFields: { 'If-None-Match': null } },
  ]),
  scenario('If-Range without Range is ignored', '9110 §13.1.5', [
    { site: FRESH, siteBody },
    { request: 'If-Range: "b"', from: 1, body: siteBody },
  ]),
  scenario('a complete response to a range request is stored', '§3', [
    { request: 'Range: bytes=0-1', site: FRESH, siteBody, body: siteBody },
    { from: 1, body: siteBody },
  ]),
];
