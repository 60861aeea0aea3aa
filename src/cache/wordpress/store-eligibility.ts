import { memoizeByString } from '../../memoize.ts';
import { parseQueryPairs } from '../../php/query.ts';
import { createNameMatcher, HARMLESS_COOKIES } from './ignorable-names.ts';

/** What keeps a request from the store: it is neither answered from it nor is its answer kept. */
export type BypassReason = 'method' | 'body' | 'override' | 'header' | 'cookie' | 'parameter';

export interface EligibilityRequest {
  /** As sent, and as the site runs it. */
  readonly method: string;
  readonly effectiveMethod: string;
  /** Flat list name, value, as it came. */
  readonly headers: readonly string[];
}

/** Decides whether a request says anything of who asks. */
export interface StoreEligibility {
  /** What its method and fields say. */
  checkRequest(request: EligibilityRequest): BypassReason | null;
  /** What its query says: raw, without question mark. The same for all who ask for an address. */
  checkQuery(query: string): BypassReason | null;
}

/** What a cookie other than the harmless ones is to the store. */
export interface StoreEligibilityOptions {
  /** Cookies that say nothing of the caller, beside {@link HARMLESS_COOKIES}. */
  readonly harmlessCookies?: readonly string[] | undefined;
}

/**
 * Headers that say who the caller is, or change what the request means. In front of a site any plugin may read any of
 * them, so names that only sound like it count too ({@link SUSPECT_HEADER}).
 */
const CREDENTIAL_HEADERS = new Set([
  ...['authorization', 'proxy-authorization', 'x-authorization', 'php-auth-user', 'php-auth-pw'],
  ...['x-wp-nonce', 'nonce', 'x-wc-store-api-nonce', 'cart-token', 'x-http-method-override'],
  // An identity that a proxy in front has established.
  ...['remote-user', 'x-remote-user', 'x-forwarded-user', 'x-forwarded-email', 'x-user', 'x-user-id'],
  ...[
    'x-amzn-oidc-identity',
    'x-ms-client-principal',
    'x-client-cert',
    'x-ssl-client-cert',
    'ssl-client-cert',
  ],
  // Previews and debugging.
  ...['x-wp-preview', 'x-debug'],
]);

/** `X-Api-Key`, `X-Auth-Token`, `X-CSRF-Token`, `Session-Id`, … */
const SUSPECT_HEADER =
  /auth|token|nonce|session|secret|api[-_]?key|signature|credential|passw|csrf|xsrf|jwt|cookie/;

/** Sound like it, and are not. */
const INNOCENT_HEADERS = new Set(['sec-websocket-key', 'authority', ':authority']);

/**
 * Parameters that carry a credential, or that change what is answered to whom. Held against the names that PHP makes of
 * a query's, in lower case, arrays included.
 */
export const CREDENTIAL_PARAMETERS: readonly string[] = [
  // WordPress: nonces, the method that is run, a function to call with the answer, a protected post's password.
  ...['_wpnonce', '_ajax_nonce', '_method', '_jsonp', 'password', 'post_password'],
  // An envelope is 200 whatever is in it: an error would be kept as a success.
  '_envelope',
  ...['preview', 'preview_id', 'preview_nonce', 'wp_customize', 'customize_changeset_uuid', 'doing_wp_cron'],
  // WooCommerce and OAuth 1.0a.
  ...['consumer_key', 'consumer_secret', 'oauth_*', 'woocommerce-login-nonce', 'order_key'],
  // JWT, OAuth 2, API-key plugins.
  ...[
    'jwt',
    'token',
    'id_token',
    'access_token',
    'refresh_token',
    'auth',
    'auth_*',
    'authorization',
    'bearer',
  ],
  ...['apikey', 'api_key', 'api-key', 'x_api_key', 'app_key', 'key', 'secret', 'api_secret', 'client_secret'],
  ...['signature', 'sig', 'hmac', 'nonce', 'session', 'session_id', 'sessionid', 'sid', 'phpsessid', 'otp'],
  ...['user_pass', 'pwd', 'passwd', 'passcode', 'magic', 'login_token', 'autologin*'],
];

type HeaderKind = 'plain' | 'credential' | 'cookie' | 'body';

/** Cautious by construction: a cookie that is not known to be harmless counts as a login. */
export function createStoreEligibility(options: StoreEligibilityOptions = {}): StoreEligibility {
  const isHarmless = createNameMatcher([...HARMLESS_COOKIES, ...(options.harmlessCookies ?? [])]);
  const isCredential = createNameMatcher(CREDENTIAL_PARAMETERS);
  const request = ({ method, effectiveMethod, headers }: EligibilityRequest): BypassReason | null => {
    if ((method !== 'GET' && method !== 'HEAD') || (effectiveMethod !== 'GET' && effectiveMethod !== 'HEAD'))
      return 'method';
    for (let at = 0; at + 1 < headers.length; at += 2) {
      const name = headers[at] ?? '';
      switch (headerKind(name)) {
        case 'plain':
          break;
        case 'cookie':
          if (!areHarmless(headers[at + 1] ?? '', isHarmless)) return 'cookie';
          break;
        case 'body':
          if (/^\s*0*\s*$/.test(headers[at + 1] ?? '')) break;
          return 'body';
        case 'credential':
          return name.toLowerCase() === 'x-http-method-override' ? 'override' : 'header';
      }
    }
    return null;
  };
  return {
    checkRequest: request,
    checkQuery: (query) => (query !== '' && carriesCredential(query, isCredential) ? 'parameter' : null),
  };
}

const headerKind = memoizeByString((name): HeaderKind => {
  // `X_WP_Nonce` and `X-WP-Nonce` are one variable in CGI.
  const given = name.toLowerCase().replaceAll('_', '-');
  if (given === 'cookie') return 'cookie';
  if (given === 'transfer-encoding' || given === 'content-length') return 'body';
  if (CREDENTIAL_HEADERS.has(given)) return 'credential';
  return SUSPECT_HEADER.test(given) && !INNOCENT_HEADERS.has(given) ? 'credential' : 'plain';
});

/** RFC 6265 §5.4 in reverse. A piece without `=` is a cookie without a name to some readers. */
function areHarmless(cookies: string, isHarmless: (name: string) => boolean): boolean {
  return cookies.split(';').every((pair) => {
    const equals = pair.indexOf('=');
    const name = (equals < 0 ? pair : pair.slice(0, equals)).trim();
    return (name === '' && equals < 0) || isHarmless(name);
  });
}

/** Where a `;` may separate too (`arg_separator.input`), what stands behind one counts as a name as well. */
function carriesCredential(query: string, isCredential: (name: string) => boolean): boolean {
  return parseQueryPairs(query.includes(';') ? query.replaceAll(';', '&') : query).some(({ name }) =>
    isCredential(/[A-Z]/.test(name) ? name.toLowerCase() : name),
  );
}

/**
 * The headers with which a request that may be stored goes to the site: without its cookies, all of which are harmless, so
 * that the answer cannot depend on what is not in the key.
 */
export function withoutCookies(headers: string[]): string[];
export function withoutCookies(headers: readonly string[]): readonly string[];
export function withoutCookies(headers: readonly string[]): readonly string[] {
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at]?.length === 6 && headers[at]?.toLowerCase() === 'cookie') {
      return headers.filter((_, index) => headers[index & ~1]?.toLowerCase() !== 'cookie');
    }
  }
  return headers;
}
