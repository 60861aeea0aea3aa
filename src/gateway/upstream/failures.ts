import type { UpstreamFailure } from '../../base/http/exchange.ts';
import type { UpstreamFailureKind } from '../../base/http/network-errors.ts';
import { classifyNetworkError, findCertificateDefect } from '../../base/http/network-errors.ts';
import { type DeclaredProblem, parseProblems } from '../../base/http/problems.ts';
import RESPONSES from './failure-responses.json' with { type: 'json' };

/** Bytes: some plugins need more than Node's 16 KiB (WordPress/two-factor#378). */
export const MAX_RESPONSE_HEAD: number = 64 * 1024;

/** 499 is nginx's status for a client that closed the connection; it is only logged. */
export const FAILURE_RESPONSES: Readonly<Record<UpstreamFailureKind, DeclaredProblem>> = parseProblems(
  RESPONSES.failures,
);

export function classifyFailure(error: unknown): UpstreamFailure {
  return { kind: classifyNetworkError(error)?.kind ?? 'connection-broken', cause: error };
}

const WITHOUT_CONNECTION: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  'refused',
  'dns',
  'tls',
]);

/** After an open connection took the request, EHOSTUNREACH and ETIMEDOUT mean a network that went away. */
export function classifySentFailure(error: unknown): UpstreamFailure {
  const failure = classifyFailure(error);
  return isNotConnected(failure) ? { kind: 'connection-broken', cause: error } : failure;
}

export function isNotConnected(failure: UpstreamFailure): boolean {
  return WITHOUT_CONNECTION.has(failure.kind) || isConnectTimeout(failure);
}

export function isConnectTimeout({ cause, kind }: UpstreamFailure): boolean {
  const code = kind === 'timeout' ? classifyNetworkError(cause)?.code : undefined;
  return code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT';
}

export function toFailureResponse({ cause, kind }: UpstreamFailure): DeclaredProblem {
  const response = FAILURE_RESPONSES[kind];
  const defect = kind === 'tls' ? findCertificateDefect(cause) : undefined;
  return defect === undefined
    ? response
    : { ...response, message: `The certificate of the site is not trusted: ${defect.words}.` };
}

export function describeFailureCause({ cause, kind }: UpstreamFailure): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  if (kind === 'head-too-large') return `the header section has more than ${MAX_RESPONSE_HEAD} bytes`;
  const defect = kind === 'tls' ? findCertificateDefect(cause) : undefined;
  return defect === undefined ? cause.message : `${cause.message}. ${defect.remedy}`;
}
