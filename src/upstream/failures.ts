import type { UpstreamFailure, UpstreamFailureKind } from '../http/exchange.ts';
import { TRANSFER_CODING_ERROR } from './transfer-coding.ts';

/** The problem response for a failed upstream exchange. */
export interface FailureResponse {
  readonly status: number;
  /** The `code` of the problem document, in WordPress's spelling. */
  readonly code: string;
  /** A fixed sentence without host, port or path. */
  readonly message: string;
}

/** Problem responses by failure. 499 is nginx's status for a client that closed the connection; it is only logged. */
export const FAILURE_RESPONSES: Readonly<Record<UpstreamFailureKind, FailureResponse>> = {
  timeout: { status: 504, code: 'gateway_timeout', message: 'The site did not respond in time.' },
  refused: { status: 502, code: 'gateway_refused', message: 'The site refused the connection.' },
  dns: {
    status: 502,
    code: 'gateway_unresolved',
    message: 'The host name of the site could not be resolved.',
  },
  tls: { status: 502, code: 'gateway_tls', message: 'The TLS connection to the site failed.' },
  'connection-broken': {
    status: 502,
    code: 'gateway_broken',
    message: 'The site sent an incomplete or invalid response.',
  },
  'transfer-coding': {
    status: 502,
    code: 'gateway_transfer_coding',
    message: 'The site sent its response in a transfer coding that was not requested.',
  },
  'invalid-request': {
    status: 400,
    code: 'gateway_unsendable',
    message: 'The request cannot be forwarded to the site unchanged.',
  },
  'body-length-mismatch': {
    status: 400,
    code: 'gateway_upload',
    message: 'The request body does not match its Content-Length.',
  },
  'shutting-down': { status: 503, code: 'gateway_stopping', message: 'The gateway is stopping.' },
  'circuit-open': {
    status: 503,
    code: 'gateway_circuit_open',
    message: 'The site has failed too often. The gateway sends it no requests for a short time.',
  },
  // RFC 9111 §5.2.1.7.
  'not-stored': {
    status: 504,
    code: 'gateway_not_stored',
    message: 'No suitable response is stored, and the request forbids forwarding (only-if-cached).',
  },
  'client-gone': { status: 499, code: 'client_closed_request', message: 'The client closed the request.' },
};

/** Failure kinds by error code of Node, OpenSSL and undici. */
const KINDS_BY_CODE: Readonly<Record<string, UpstreamFailureKind>> = {
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
  [TRANSFER_CODING_ERROR]: 'transfer-coding',
  UND_ERR_INVALID_ARG: 'invalid-request',
  UND_ERR_NOT_SUPPORTED: 'invalid-request',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'body-length-mismatch',
  UND_ERR_DESTROYED: 'shutting-down',
  UND_ERR_CLOSED: 'shutting-down',
  UND_ERR_ABORTED: 'client-gone',
  ABORT_ERR: 'client-gone',
};

/** Failure kinds by prefix, for families of codes that are too large to list. */
const KINDS_BY_CODE_PREFIX: readonly (readonly [prefix: string, kind: UpstreamFailureKind])[] = [
  ['ERR_TLS_', 'tls'],
  ['ERR_SSL_', 'tls'],
  ['CERT_', 'tls'],
  ['CRL_', 'tls'],
];

/** Maximum depth at which `cause` and `errors` are followed. `fetch` wraps an error once, happy eyeballs once more. */
const MAX_DEPTH = 4;

/** Codes of a connection that could not be opened in time. */
const CONNECT_TIMEOUT_CODES = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);

/** Whether a failure is a timeout before the connection was open, as far as the transport says so. */
export function isConnectTimeout({ cause, kind }: UpstreamFailure): boolean {
  if (kind !== 'timeout') return false;
  // `fetch` wraps the error.
  const causes = [cause, cause instanceof Error ? cause.cause : undefined];
  return causes.some(
    (error) =>
      error instanceof Error &&
      'code' in error &&
      typeof error.code === 'string' &&
      CONNECT_TIMEOUT_CODES.has(error.code),
  );
}

/** Determines the failure kind of a transport's error; `connection-broken` for unknown errors. */
export function classifyFailure(error: unknown): UpstreamFailure {
  return { kind: findKind(error, 0) ?? 'connection-broken', cause: error };
}

function findKind(error: unknown, depth: number): UpstreamFailureKind | undefined {
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
