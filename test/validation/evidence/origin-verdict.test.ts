import { describe, expect, test } from 'vitest';
import { type OriginVerdict, parseOriginVerdict } from '../../../src/validation/evidence/origin-verdict.ts';

// `origin-verdict.real.test.ts` has the verdicts that a site without plugins gives.

const error = (status: number, code: string) => ({ code, message: 'Words.', data: { status } });

interface ResponseCase {
  readonly status: number;
  readonly body?: unknown;
  readonly mediaType?: string;
  readonly hasAllow?: boolean;
}

function parse({
  status,
  body,
  mediaType = 'application/json',
  hasAllow = false,
}: ResponseCase): OriginVerdict {
  return parseOriginVerdict({ status, mediaType, hasAllow, body: body as never });
}

describe('the site accepted the parameters', () => {
  test.each<[string, ResponseCase]>([
    ['a batch response', { status: 207 }],
    ['a redirect by a route', { status: 302, hasAllow: true }],
    ['a refusal by the endpoint', { status: 400, body: error(400, 'rest_upload_no_data') }],
    ['a missing permission', { status: 403, body: error(403, 'rest_forbidden_context'), hasAllow: true }],
  ])('%s', (_, row) => expect(parse(row)).toEqual({ kind: 'accepted' }));
});

describe('the response does not show the verdict on the parameters', () => {
  test.each<[string, ResponseCase]>([
    ['an internal error', { status: 500, body: error(500, 'internal_server_error') }],
    ['too many requests', { status: 429, body: error(429, 'rest_rate_limited') }],
    ['a size limit of the web server', { status: 413, body: error(413, 'too_large') }],
    ["a firewall's page", { status: 403, mediaType: 'text/html' }],
    ["a firewall's own JSON", { status: 403, body: { blocked: true }, hasAllow: true }],
    ['a redirect by the web server', { status: 301, mediaType: '' }],
    ['a redirect by a plugin in front of all routes', { status: 302 }],
    ['an error without a body', { status: 400 }],
    ['an error with a list as body', { status: 400, body: [] }],
    ['an authentication plugin for all routes', { status: 401, body: error(401, 'plugin_wants_login') }],
    ...[
      'rest_cookie_invalid_nonce',
      'incorrect_password',
      'invalid_username',
      'invalid_email',
      'application_passwords_disabled',
      'rest_not_logged_in',
    ].map((code): [string, ResponseCase] => [code, { status: 403, body: error(403, code), hasAllow: true }]),
  ])('%s', (_, row) => expect(parse(row)).toEqual({ kind: 'undecided' }));
});
