import { describe, expect, test } from 'vitest';
import { CacheBypassRules, findUnshareableReason } from '../../src/wordpress/shared-requests.ts';

interface RequestCase {
  readonly method?: string;
  readonly effectiveMethod?: string;
  readonly headers?: readonly string[];
  readonly query?: string;
}

const bypassRules = new CacheBypassRules({ harmlessCookies: ['theme', 'ab_*'] });

function check({ effectiveMethod, headers = [], method = 'GET', query = '' }: RequestCase): string | null {
  const bypass =
    bypassRules.checkRequest(method, effectiveMethod ?? method, headers) ?? bypassRules.checkQuery(query);
  return bypass?.detail ?? null;
}

describe('a request that may identify the client bypasses the store', () => {
  const CASES: Readonly<Record<string, readonly [RequestCase, string]>> = {
    'a GET that the site runs as a write': [{ effectiveMethod: 'DELETE' }, 'method override'],
    'a POST that the site runs as a read': [{ method: 'POST', effectiveMethod: 'GET' }, 'method'],
    OPTIONS: [{ method: 'OPTIONS' }, 'method'],
    'credentials in any case': [{ headers: ['aUTHORIZATION', ''] }, 'credentials'],
    'a nonce with underscores, which CGI reads as the same': [
      { headers: ['X_WP_Nonce', 'abc'] },
      'credentials',
    ],
    'a method override, whatever its value': [
      { headers: ['X-HTTP-Method-Override', 'GET'] },
      'method override',
    ],
    'one unknown cookie among harmless ones': [{ headers: ['Cookie', '_ga=1; cart=2; _gid=3'] }, 'cookie'],
    'a second Cookie field': [{ headers: ['Cookie', '_ga=1', 'cookie', 'cart=2'] }, 'cookie'],
    'a cookie without a value': [{ headers: ['Cookie', 'cart'] }, 'cookie'],
    'a cookie without a name': [{ headers: ['Cookie', '=cart'] }, 'cookie'],
    'a cookie whose name only begins like a harmless one': [{ headers: ['Cookie', '_gidx=1'] }, 'cookie'],
    'a body': [{ headers: ['Content-Length', '2'] }, 'body'],
    'an empty nonce': [{ query: '_wpnonce' }, 'parameter _wpnonce'],
    'a nonce with an encoded name': [{ query: '%5Fwpnonce=abc' }, 'parameter _wpnonce'],
    'a nonce whose name PHP changes to it': [{ query: '_ajax.nonce=abc' }, 'parameter _ajax_nonce'],
    'a nonce as an array': [{ query: '_wpnonce[]=abc' }, 'parameter _wpnonce'],
    'a nonce behind a semicolon': [{ query: 'page=1;_wpnonce=abc' }, 'parameter _wpnonce'],
    'a nonce as an array with a semicolon in its subscript': [
      { query: '_wpnonce[;]=abc' },
      'parameter _wpnonce',
    ],
    'a token in capitals': [{ query: 'JWT=a' }, 'parameter JWT'],
  };

  test.each(Object.entries(CASES))('%s', (_, [request, reason]) => {
    expect(check(request)).toBe(reason);
  });
});

describe('a request that does not identify the client may use the store', () => {
  const CASES: Readonly<Record<string, RequestCase>> = {
    'conditions and ranges': { headers: ['If-None-Match', '"a"', 'Range', 'bytes=0-1'] },
    'an empty body': { headers: ['Content-Length', '0'] },
    'cookies that the configuration lists as harmless': { headers: ['Cookie', 'theme=dark; ab_test=1'] },
    'an empty Cookie field': { headers: ['Cookie', ''] },
    'an ordinary query': { query: 'per_page=3&search=token&author=1&_embed' },
  };

  test.each(Object.entries(CASES))('%s', (_, request) => {
    expect(check(request)).toBeNull();
  });
});

test.each([
  ['Cache-Control', 'no-cache, must-revalidate', null],
  ['Cache-Control', 'private="x-user"', null],
  ['Set-Cookie2', 'a=b', 'header set-cookie2'],
  ['X_Session_Id', 'a', 'header x_session_id'],
  ['Authentication-Info', 'a', 'header authentication-info'],
  ['WWW-Authenticate', 'Basic', 'header www-authenticate'],
  ['X-Carton', 'a', null],
])('a response with %s: %s cannot be shared because of: %s', (name, value, reason) => {
  expect(findUnshareableReason({ status: 200, reason: '', headers: [name, value] })).toBe(reason);
});
