import { describe, expect, test } from 'vitest';
import {
  type BypassReason,
  createStoreEligibility,
  withoutCookies,
} from '../../../src/cache/wordpress/store-eligibility.ts';

interface Asked {
  readonly method?: string;
  readonly effective?: string;
  readonly headers?: readonly string[];
  readonly query?: string;
}

const eligibility = createStoreEligibility({ harmlessCookies: ['theme', 'ab_*'] });

function judged({ effective, headers = [], method = 'GET', query = '' }: Asked): BypassReason | null {
  return (
    eligibility.checkRequest({ method, effectiveMethod: effective ?? method, headers }) ??
    eligibility.checkQuery(query)
  );
}

describe('a request that says who asks keeps away from the store', () => {
  const CASES: Readonly<Record<string, readonly [Asked, BypassReason]>> = {
    'a write': [{ method: 'POST' }, 'method'],
    'a read that is run as a write': [{ effective: 'DELETE' }, 'method'],
    'a write that is run as a read': [{ method: 'POST', effective: 'GET' }, 'method'],
    OPTIONS: [{ method: 'OPTIONS' }, 'method'],
    'an application password': [{ headers: ['Authorization', 'Basic abc'] }, 'header'],
    'in any case': [{ headers: ['aUTHORIZATION', ''] }, 'header'],
    'for a proxy': [{ headers: ['Proxy-Authorization', 'Basic abc'] }, 'header'],
    'a nonce': [{ headers: ['X-WP-Nonce', 'abc'] }, 'header'],
    'a nonce that CGI takes for one': [{ headers: ['X_WP_Nonce', 'abc'] }, 'header'],
    "WooCommerce's nonce and cart": [{ headers: ['Cart-Token', 'abc'] }, 'header'],
    'an API key': [{ headers: ['X-Api-Key', 'abc'] }, 'header'],
    'a token of whatever kind': [{ headers: ['X-My-Plugin-Token', 'abc'] }, 'header'],
    'what a proxy in front knows': [{ headers: ['X-Forwarded-User', 'me'] }, 'header'],
    'an override, whatever it says': [{ headers: ['X-HTTP-Method-Override', 'GET'] }, 'override'],
    'a login cookie': [{ headers: ['Cookie', 'wordpress_logged_in_abc=1'] }, 'cookie'],
    'a session': [{ headers: ['Cookie', 'PHPSESSID=1'] }, 'cookie'],
    'a cookie of somebody who comments': [{ headers: ['Cookie', 'comment_author_a=1'] }, 'cookie'],
    "a post's password": [{ headers: ['Cookie', 'wp-postpass_a=1'] }, 'cookie'],
    'one unknown cookie among harmless ones': [{ headers: ['Cookie', '_ga=1; cart=2; _gid=3'] }, 'cookie'],
    'a second field of cookies': [{ headers: ['Cookie', '_ga=1', 'cookie', 'cart=2'] }, 'cookie'],
    'a cookie without a value': [{ headers: ['Cookie', 'cart'] }, 'cookie'],
    'a cookie without a name': [{ headers: ['Cookie', '=cart'] }, 'cookie'],
    'a cookie whose name only begins like a harmless one': [{ headers: ['Cookie', '_gidx=1'] }, 'cookie'],
    'a body': [{ headers: ['Content-Length', '2'] }, 'body'],
    'a body in chunks': [{ headers: ['Transfer-Encoding', 'chunked'] }, 'body'],
    'a nonce in the query': [{ query: 'page=2&_wpnonce=abc' }, 'parameter'],
    'an empty one': [{ query: '_wpnonce' }, 'parameter'],
    'a nonce as PHP names it': [{ query: '%5Fwpnonce=abc' }, 'parameter'],
    'a nonce as PHP mangles it': [{ query: '_ajax.nonce=abc' }, 'parameter'],
    'a nonce as an array': [{ query: '_wpnonce[]=abc' }, 'parameter'],
    'a nonce behind a semicolon': [{ query: 'page=1;_wpnonce=abc' }, 'parameter'],
    'a method': [{ query: '_method=GET' }, 'parameter'],
    'a function to call': [{ query: '_jsonp=call' }, 'parameter'],
    'an envelope': [{ query: '_envelope' }, 'parameter'],
    'the password of a post': [{ query: 'password=sesame' }, 'parameter'],
    'keys of WooCommerce': [{ query: 'consumer_key=a&consumer_secret=b' }, 'parameter'],
    'a signature of OAuth': [{ query: 'oauth_signature=a' }, 'parameter'],
    'a token, in capitals': [{ query: 'JWT=a' }, 'parameter'],
  };

  test.each(Object.entries(CASES))('%s', (_, [asked, bypass]) => {
    expect(judged(asked)).toBe(bypass);
  });
});

describe('a request that says nothing of who asks may be answered from the store', () => {
  const CASES: Readonly<Record<string, Asked>> = {
    'nothing but an address': {},
    HEAD: { method: 'HEAD' },
    'what browsers send': {
      headers: [
        ...['Host', 'example.com', 'User-Agent', 'Mozilla/5.0', 'Accept', '*/*', 'Accept-Language', 'de'],
        ...['Sec-Fetch-Mode', 'cors', 'Referer', 'https://example.com/', 'Origin', 'https://example.com'],
      ],
    },
    'conditions and ranges': { headers: ['If-None-Match', '"a"', 'Range', 'bytes=0-1'] },
    'a body of no length': { headers: ['Content-Length', '0'] },
    'cookies of analytics': { headers: ['Cookie', '_ga=1; _ga_ABC=2; __utma=3; _fbp=4; _gcl_au=5'] },
    "WordPress's probe": { headers: ['Cookie', 'wordpress_test_cookie=WP%20Cookie%20check'] },
    'cookies that the configuration knows': { headers: ['Cookie', 'theme=dark; ab_test=1'] },
    'an empty field of cookies': { headers: ['Cookie', ''] },
    'an ordinary query': { query: 'per_page=3&search=token&author=1&_embed' },
  };

  test.each(Object.entries(CASES))('%s', (_, asked) => {
    expect(judged(asked)).toBeNull();
  });

  test('without its cookies, so that the answer cannot depend on them', () => {
    expect(withoutCookies(['Host', 'a', 'cookie', '_ga=1', 'Accept', '*/*', 'Cookie', 'b=1'])).toEqual([
      ...['Host', 'a', 'Accept', '*/*'],
    ]);
    const none = ['Host', 'a'];
    expect(withoutCookies(none)).toBe(none);
  });

  test('however many names callers make up', () => {
    for (let each = 0; each < 5_000; each++)
      expect(judged({ headers: [`X-Made-Up-${each}`, ''] })).toBeNull();
    expect(judged({ headers: ['X-Made-Up-Token', ''] })).toBe('header');
  });
});
