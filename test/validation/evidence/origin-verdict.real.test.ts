import { expect, test } from 'vitest';
import { decodeWithWebStreams } from '../../../src/http/content-decoding.ts';
import { observeVerdict } from '../../../src/site/validating/request-validation.ts';
import type { OriginVerdict } from '../../../src/validation/evidence/origin-verdict.ts';
import { useWordPress } from '../../support/wordpress.ts';

const site = useWordPress();

/** Fetches a route and returns the gateway's reading of the response. */
async function fetchVerdict(route: string, init: RequestInit = {}): Promise<OriginVerdict> {
  const response = await fetch(`${site().url}index.php?rest_route=${route}`, init);
  const body = new Uint8Array(await response.arrayBuffer());
  // `fetch` has already decoded the body.
  const headers = [...response.headers].filter(([name]) => name !== 'content-encoding').flat();
  return new Promise((resolve) => {
    const head = { status: response.status, reason: '', headers };
    const observer = observeVerdict(head, route.includes('_envelope'), decodeWithWebStreams, resolve);
    observer?.write(body);
    observer?.end();
  });
}

const json = (body: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
});
const invalid = (...params: readonly string[]): OriginVerdict => ({
  kind: 'refused',
  stage: 'rest_invalid_param',
  params,
  // Every invalid value below is of the wrong type.
  codes: new Map(params.map((name) => [name, 'rest_invalid_type'])),
});
const ACCEPTED: OriginVerdict = { kind: 'accepted' };
const UNDECIDED: OriginVerdict = { kind: 'undecided' };

test.each<[string, string, RequestInit, OriginVerdict]>([
  ['a list', '/wp/v2/posts', {}, ACCEPTED],
  ['an invalid value', '/wp/v2/posts&per_page=x&page=y', {}, invalid('page', 'per_page')],
  ['an invalid value in an envelope', '/wp/v2/posts&per_page=x&_envelope=1', {}, invalid('per_page')],
  [
    'a missing parameter',
    '/wp/v2/users',
    json('{}'),
    { kind: 'refused', stage: 'rest_missing_callback_param', params: ['username', 'email', 'password'] },
  ],
  ['an unknown route', '/wp/v2/none', {}, { kind: 'refused', stage: 'rest_no_route', params: [] }],
  [
    'malformed JSON',
    '/wp/v2/posts',
    json('{"a"'),
    { kind: 'refused', stage: 'rest_invalid_json', params: [] },
  ],
  ['a missing resource', '/wp/v2/posts/999999', {}, ACCEPTED],
  ['a missing permission', '/wp/v2/posts', json('{"title":"a"}'), ACCEPTED],
  ['a missing permission and an invalid value', '/wp/v2/posts', json('{"author":"a"}'), invalid('author')],
  ['an invalid nonce and an invalid value', '/wp/v2/posts&page=x&_wpnonce=none', {}, UNDECIDED],
  ['an HTML page', '', {}, UNDECIDED],
  ['JSONP', '/wp/v2/posts&_jsonp=a', {}, UNDECIDED],
])('the verdict of a real site is derived from its response: %s', async (_, route, init, expected) => {
  expect(await fetchVerdict(route, init)).toEqual(expected);
});
