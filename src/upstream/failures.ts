import type { FailureKind, UpstreamFailure } from '../http/exchange.ts';

export interface FailureResponse {
  readonly status: number;
  /** The `code` of the problem document, in WordPress's spelling. */
  readonly code: string;
  /** A fixed sentence: it names no host, no port and no path. */
  readonly message: string;
}

/** What a caller is told. 499 is nginx's word for a client that closed the connection: it only reaches the log. */
export const FAILURE_RESPONSES: Readonly<Record<FailureKind, FailureResponse>> = {
  timeout: { status: 504, code: 'gateway_timeout', message: 'The site did not answer in time.' },
  refused: { status: 502, code: 'gateway_refused', message: 'The site refused the connection.' },
  dns: { status: 502, code: 'gateway_unresolved', message: 'The site could not be found.' },
  tls: { status: 502, code: 'gateway_tls', message: 'No secure connection to the site could be made.' },
  'connection-broken': {
    status: 502,
    code: 'gateway_broken',
    message: 'The site broke off its answer or sent an invalid one.',
  },
  'invalid-request': {
    status: 400,
    code: 'gateway_unsendable',
    message: 'The request cannot be sent to the site as it stands.',
  },
  'body-length-mismatch': {
    status: 400,
    code: 'gateway_upload',
    message: 'The request body does not have the announced length.',
  },
  'shutting-down': { status: 503, code: 'gateway_stopping', message: 'The gateway is stopping.' },
  'circuit-open': {
    status: 503,
    code: 'gateway_circuit_open',
    message: 'The site failed too often just now, and is left alone for a moment.',
  },
  // RFC 9111 §5.2.1.7.
  'not-stored': {
    status: 504,
    code: 'gateway_not_stored',
    message:
      'There is no stored answer that may be given, and the request asks for no other (only-if-cached).',
  },
  'client-gone': { status: 499, code: 'client_closed_request', message: 'The client closed the request.' },
};

/** Error codes of Node, OpenSSL and undici by what they mean for the caller. */
const KINDS_BY_CODE: Readonly<Record<string, FailureKind>> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EHOSTDOWN: 'refused',
  EADDRNOTAVAIL: 'refused',
  EACCES: 'refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  EPROTO: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
  UNABLE_TO_GET_ISSUER_CERT: 'tls',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls',
  UND_ERR_INVALID_ARG: 'invalid-request',
  UND_ERR_NOT_SUPPORTED: 'invalid-request',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'body-length-mismatch',
  UND_ERR_DESTROYED: 'shutting-down',
  UND_ERR_CLOSED: 'shutting-down',
  UND_ERR_ABORTED: 'client-gone',
  ABORT_ERR: 'client-gone',
};

/** Prefixes of code families too large to list. */
const KINDS_BY_CODE_PREFIX: readonly (readonly [prefix: string, kind: FailureKind])[] = [
  ['ERR_TLS_', 'tls'],
  ['ERR_SSL_', 'tls'],
  ['CERT_', 'tls'],
  ['CRL_', 'tls'],
];

/** How deep `cause` and `errors` are followed: fetch wraps once, happy eyeballs once more. */
const MAX_DEPTH = 4;

/**
 * Sorts an error of a transport. Whatever is not known is `broken`: something went wrong between here and the site.
 */
export function classifyFailure(error: unknown): UpstreamFailure {
  return { kind: findKind(error, 0) ?? 'connection-broken', cause: error };
}

function findKind(error: unknown, depth: number): FailureKind | undefined {
  if (typeof error !== 'object' || error === null || depth > MAX_DEPTH) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (Object.hasOwn(KINDS_BY_CODE, code)) return KINDS_BY_CODE[code];
  const family = KINDS_BY_CODE_PREFIX.find(([prefix]) => code.startsWith(prefix));
  if (family !== undefined) return family[1];
  if ('name' in error && error.name === 'AbortError') return 'client-gone';
  if ('name' in error && error.name === 'TimeoutError') return 'timeout';
  const first = 'errors' in error && Array.isArray(error.errors) ? error.errors[0] : undefined;
  return findKind(first, depth + 1) ?? ('cause' in error ? findKind(error.cause, depth + 1) : undefined);
}
