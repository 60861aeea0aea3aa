import type { UpstreamFailure, UpstreamFailureKind } from '../http/exchange.ts';
import { classifyNetworkError, findCertificateDefect } from '../http/network-errors.ts';
import { type DeclaredProblem, parseProblems } from '../http/problems.ts';
import RESPONSES from './failure-responses.json' with { type: 'json' };

/**
 * Problem responses by failure. 499 is nginx's status for a client that closed the connection; it is only
 * logged.
 */
export const FAILURE_RESPONSES: Readonly<Record<UpstreamFailureKind, DeclaredProblem>> = parseProblems(
  RESPONSES.failures,
);

/** Determines the failure kind of a transport's error; `connection-broken` if it is unknown. */
export function classifyFailure(error: unknown): UpstreamFailure {
  return { kind: classifyNetworkError(error)?.kind ?? 'connection-broken', cause: error };
}

const WITHOUT_CONNECTION: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  'refused',
  'dns',
  'tls',
]);

/**
 * As {@link classifyFailure}, for a request that an open connection had taken, so that the site can have run
 * it: a network that goes away ends open connections with EHOSTUNREACH and ETIMEDOUT too.
 */
export function classifySentFailure(error: unknown): UpstreamFailure {
  const failure = classifyFailure(error);
  return isNotConnected(failure) ? { kind: 'connection-broken', cause: error } : failure;
}

/** Whether no connection was opened, so that nothing of the request was sent. */
export function isNotConnected(failure: UpstreamFailure): boolean {
  return WITHOUT_CONNECTION.has(failure.kind) || isConnectTimeout(failure);
}

/** Whether a timeout came before the connection was open, as far as the transport says so. */
export function isConnectTimeout({ cause, kind }: UpstreamFailure): boolean {
  const code = kind === 'timeout' ? classifyNetworkError(cause)?.code : undefined;
  return code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT';
}

/** Returns the problem response for a failure. It says why a certificate is not trusted. */
export function toFailureResponse({ cause, kind }: UpstreamFailure): DeclaredProblem {
  const response = FAILURE_RESPONSES[kind];
  const defect = kind === 'tls' ? findCertificateDefect(cause) : undefined;
  return defect === undefined
    ? response
    : { ...response, message: `The certificate of the site is not trusted: ${defect.words}.` };
}

/** Describes the cause of a failure for the log, with the remedy for a certificate. */
export function describeFailureCause({ cause, kind }: UpstreamFailure): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const defect = kind === 'tls' ? findCertificateDefect(cause) : undefined;
  return defect === undefined ? cause.message : `${cause.message}. ${defect.remedy}`;
}
