import { memoizeByString } from '../../memoize.ts';
import { HARMLESS_HEADERS } from './harmless-headers.ts';
import { createNameMatcher } from './ignorable-names.ts';

/**
 * What a request header field means for the store.
 *
 * - `harmless`: it identifies nobody, and is not forwarded with a request that uses the store
 * - `cookie`, `body`, `override`: the value or the method decides
 * - `credentials`: it authenticates the client or its session
 * - `unknown`: any other field, which may identify the client
 */
export type HeaderFieldKind = 'harmless' | 'cookie' | 'body' | 'override' | 'credentials' | 'unknown';

/** Fields that authenticate a client or a session of WordPress. Configuration cannot declare them harmless. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'x-authorization',
  'php-auth-user',
  'php-auth-pw',
  'php-auth-digest',
  'x-wp-nonce',
  'nonce',
  'x-wc-store-api-nonce',
  'cart-token',
]);

/** Names of header fields that a site's operator knows. A name that ends in `*` is a prefix. A credential has precedence. */
export interface HeaderClassifierOptions {
  /** Request header fields that do not influence responses, in addition to `HARMLESS_HEADERS`. */
  readonly harmlessHeaders?: readonly string[] | undefined;
  /** Request header fields that identify the client. */
  readonly credentialHeaders?: readonly string[] | undefined;
}

/** Creates the classification of header fields by name. Results are memoized. */
export function createHeaderClassifier(options: HeaderClassifierOptions): (name: string) => HeaderFieldKind {
  const isCredential = createNameMatcher(normalizeNames(options.credentialHeaders));
  const isHarmless = createNameMatcher([
    ...HARMLESS_HEADERS.flatMap(({ names }) => names),
    ...normalizeNames(options.harmlessHeaders),
  ]);
  return memoizeByString((name): HeaderFieldKind => {
    const normalized = normalizeName(name);
    if (normalized === 'cookie') return 'cookie';
    if (normalized === 'transfer-encoding' || normalized === 'content-length') return 'body';
    if (METHOD_OVERRIDES.has(normalized)) return 'override';
    if (CREDENTIALS.has(normalized) || isCredential(normalized)) return 'credentials';
    return isHarmless(normalized) ? 'harmless' : 'unknown';
  });
}

const METHOD_OVERRIDES: ReadonlySet<string> = new Set([
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
]);

/** `X_WP_Nonce` and `X-WP-Nonce` are one variable in CGI. */
function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

function normalizeNames(names: readonly string[] | undefined): readonly string[] {
  return (names ?? []).map(normalizeName);
}
