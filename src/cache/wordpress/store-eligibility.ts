import { memoizeByString } from '../../memoize.ts';
import { parseQueryPairs } from '../../php/query.ts';
import { createNameMatcher, HARMLESS_COOKIES } from './ignorable-names.ts';

/** The reason why a request bypasses the store: it is not served from the store, and its response is not stored. */
export type BypassReason = 'method' | 'body' | 'override' | 'header' | 'cookie' | 'parameter';

export interface EligibilityRequest {
  /** The method that the client sent. */
  readonly method: string;
  /** The method that the site runs, which `_method` and `X-HTTP-Method-Override` change. */
  readonly effectiveMethod: string;
  /** Flat list of names and values, as received. */
  readonly headers: readonly string[];
}

/** Decides whether a request may use the store: only if nothing in it identifies the client. */
export interface StoreEligibility {
  /** Checks the method and the header fields. Returns `null` if they allow the use of the store. */
  checkRequest(request: EligibilityRequest): BypassReason | null;
  /** Checks the raw query, without question mark. Returns `null` if it allows the use of the store. */
  checkQuery(query: string): BypassReason | null;
}

export interface StoreEligibilityOptions {
  /** Cookies that do not influence responses, in addition to {@link HARMLESS_COOKIES}. */
  readonly harmlessCookies?: readonly string[] | undefined;
}

/**
 * Header fields that identify the client or change the meaning of the request. Any plugin of a site may read further
 * fields, so {@link SUSPECT_HEADER} adds names that look like credentials.
 */
const BYPASS_HEADERS = new Set([
  'authorization',
  'proxy-authorization',
  'x-authorization',
  'php-auth-user',
  'php-auth-pw',
  'x-wp-nonce',
  'nonce',
  'x-wc-store-api-nonce',
  'cart-token',
  'x-http-method-override',
  // Identities that a reverse proxy has established.
  'remote-user',
  'x-remote-user',
  'x-forwarded-user',
  'x-forwarded-email',
  'x-user',
  'x-user-id',
  'x-amzn-oidc-identity',
  'x-ms-client-principal',
  'x-client-cert',
  'x-ssl-client-cert',
  'ssl-client-cert',
  // Previews and debugging.
  'x-wp-preview',
  'x-debug',
]);

/** `X-Api-Key`, `X-Auth-Token`, `X-CSRF-Token`, `Session-Id`, … */
const SUSPECT_HEADER =
  /auth|token|nonce|session|secret|api[-_]?key|signature|credential|passw|csrf|xsrf|jwt|cookie/;

/** Names that match {@link SUSPECT_HEADER} but carry no credentials. */
const INNOCENT_HEADERS = new Set(['sec-websocket-key', 'authority', ':authority']);

/**
 * Query parameters that carry credentials or change the form of the response. Compared in lower case with the names that
 * PHP creates from a query, arrays included.
 */
export const BYPASS_PARAMETERS: readonly string[] = [
  // WordPress: nonces, the method override, a JSONP callback, the password of a protected post.
  '_wpnonce',
  '_ajax_nonce',
  '_method',
  '_jsonp',
  'password',
  'post_password',
  // The status of an envelope is always 200: an error would be stored as a success.
  '_envelope',
  'preview',
  'preview_id',
  'preview_nonce',
  'wp_customize',
  'customize_changeset_uuid',
  'doing_wp_cron',
  // WooCommerce and OAuth 1.0a.
  'consumer_key',
  'consumer_secret',
  'oauth_*',
  'woocommerce-login-nonce',
  'order_key',
  // JWT, OAuth 2, API-key plugins.
  'jwt',
  'token',
  'id_token',
  'access_token',
  'refresh_token',
  'auth',
  'auth_*',
  'authorization',
  'bearer',
  'apikey',
  'api_key',
  'api-key',
  'x_api_key',
  'app_key',
  'key',
  'secret',
  'api_secret',
  'client_secret',
  'signature',
  'sig',
  'hmac',
  'nonce',
  'session',
  'session_id',
  'sessionid',
  'sid',
  'phpsessid',
  'otp',
  'user_pass',
  'pwd',
  'passwd',
  'passcode',
  'magic',
  'login_token',
  'autologin*',
];

type HeaderFieldKind = 'plain' | 'credential' | 'cookie' | 'body';

/** Creates a {@link StoreEligibility}. A cookie that is not on the harmless list is treated as a credential. */
export function createStoreEligibility(options: StoreEligibilityOptions = {}): StoreEligibility {
  const isHarmless = createNameMatcher([...HARMLESS_COOKIES, ...(options.harmlessCookies ?? [])]);
  const isCredential = createNameMatcher(BYPASS_PARAMETERS);
  const checkRequest = ({ method, effectiveMethod, headers }: EligibilityRequest): BypassReason | null => {
    if (!isRead(method) || !isRead(effectiveMethod)) return 'method';
    for (let at = 0; at + 1 < headers.length; at += 2) {
      const name = headers[at] ?? '';
      switch (headerKind(name)) {
        case 'plain':
          break;
        case 'cookie':
          if (!hasOnlyHarmlessCookies(headers[at + 1] ?? '', isHarmless)) return 'cookie';
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
    checkRequest,
    checkQuery: (query) => (query !== '' && hasCredentialParameter(query, isCredential) ? 'parameter' : null),
  };
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

const headerKind = memoizeByString((name): HeaderFieldKind => {
  // `X_WP_Nonce` and `X-WP-Nonce` are one variable in CGI.
  const normalized = name.toLowerCase().replaceAll('_', '-');
  if (normalized === 'cookie') return 'cookie';
  if (normalized === 'transfer-encoding' || normalized === 'content-length') return 'body';
  if (BYPASS_HEADERS.has(normalized)) return 'credential';
  return SUSPECT_HEADER.test(normalized) && !INNOCENT_HEADERS.has(normalized) ? 'credential' : 'plain';
});

/** Parses the `Cookie` field (RFC 6265 §5.4). Some parsers read a pair without `=` as a cookie without a name. */
function hasOnlyHarmlessCookies(cookies: string, isHarmless: (name: string) => boolean): boolean {
  return cookies.split(';').every((pair) => {
    const equals = pair.indexOf('=');
    const name = (equals < 0 ? pair : pair.slice(0, equals)).trim();
    return (name === '' && equals < 0) || isHarmless(name);
  });
}

/** PHP may be configured to separate parameters at `;` too (`arg_separator.input`), so both readings are checked. */
function hasCredentialParameter(query: string, isCredential: (name: string) => boolean): boolean {
  const readings = query.includes(';') ? [query, query.replaceAll(';', '&')] : [query];
  return readings.some((reading) =>
    parseQueryPairs(reading).some(({ name }) => isCredential(/[A-Z]/.test(name) ? name.toLowerCase() : name)),
  );
}

/**
 * Removes the `Cookie` fields from the headers of a request that may use the store. All of its cookies are harmless, and
 * without them the response cannot depend on anything that is not in the cache key.
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
