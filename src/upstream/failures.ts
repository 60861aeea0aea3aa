import type { FailureKind, UpstreamFailure } from '../http/exchange.ts';

export interface FailureAnswer {
  readonly status: number;
  /** The `code` of the problem document, in WordPress's spelling. */
  readonly code: string;
  /** A fixed sentence: it names no host, no port and no path. */
  readonly message: string;
}

/** What a caller is told. 499 is nginx's word for a client that closed the connection: it only reaches the log. */
export const FAILURES: Readonly<Record<FailureKind, FailureAnswer>> = {
  timeout: { status: 504, code: 'gateway_timeout', message: 'The site did not answer in time.' },
  refused: { status: 502, code: 'gateway_refused', message: 'The site refused the connection.' },
  dns: { status: 502, code: 'gateway_unresolved', message: 'The site could not be found.' },
  tls: { status: 502, code: 'gateway_tls', message: 'No secure connection to the site could be made.' },
  broken: {
    status: 502,
    code: 'gateway_broken',
    message: 'The site broke off its answer or sent an invalid one.',
  },
  unsendable: {
    status: 400,
    code: 'gateway_unsendable',
    message: 'The request cannot be sent to the site as it stands.',
  },
  upload: {
    status: 400,
    code: 'gateway_upload',
    message: 'The request body does not have the announced length.',
  },
  stopping: { status: 503, code: 'gateway_stopping', message: 'The gateway is stopping.' },
  open: {
    status: 503,
    code: 'gateway_circuit_open',
    message: 'The site failed too often just now, and is left alone for a moment.',
  },
  // RFC 9111 §5.2.1.7.
  unstored: {
    status: 504,
    code: 'gateway_not_stored',
    message:
      'There is no stored answer that may be given, and the request asks for no other (only-if-cached).',
  },
  'client-gone': { status: 499, code: 'client_closed_request', message: 'The client closed the request.' },
};

/** Error codes of Node, OpenSSL and undici by what they mean for the caller. */
const KINDS: Readonly<Record<string, FailureKind>> = {
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
  UND_ERR_INVALID_ARG: 'unsendable',
  UND_ERR_NOT_SUPPORTED: 'unsendable',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'upload',
  UND_ERR_DESTROYED: 'stopping',
  UND_ERR_CLOSED: 'stopping',
  UND_ERR_ABORTED: 'client-gone',
  ABORT_ERR: 'client-gone',
};

/** Prefixes of code families too large to list. */
const FAMILIES: readonly (readonly [prefix: string, kind: FailureKind])[] = [
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
export function failureOf(error: unknown): UpstreamFailure {
  return { kind: kindOf(error, 0) ?? 'broken', cause: error };
}

function kindOf(error: unknown, depth: number): FailureKind | undefined {
  if (typeof error !== 'object' || error === null || depth > MAX_DEPTH) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (Object.hasOwn(KINDS, code)) return KINDS[code];
  const family = FAMILIES.find(([prefix]) => code.startsWith(prefix));
  if (family !== undefined) return family[1];
  if ('name' in error && error.name === 'AbortError') return 'client-gone';
  if ('name' in error && error.name === 'TimeoutError') return 'timeout';
  const first = 'errors' in error && Array.isArray(error.errors) ? error.errors[0] : undefined;
  return kindOf(first, depth + 1) ?? ('cause' in error ? kindOf(error.cause, depth + 1) : undefined);
}
