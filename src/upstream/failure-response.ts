import {
  CERTIFICATE_DEFECTS,
  type CertificateDefect,
  findCertificateDefect,
} from '../http/certificate-defects.ts';
import type { UpstreamFailure } from '../http/exchange.ts';
import { FAILURE_RESPONSES, type FailureResponse } from './failures.ts';

/** Maximum depth at which `cause` is followed: `fetch` wraps an error once. */
const MAX_DEPTH = 4;

/** Returns the problem response for a failed exchange. It says why a certificate is not trusted. */
export function toFailureResponse(failure: UpstreamFailure): FailureResponse {
  const response = FAILURE_RESPONSES[failure.kind];
  const defect = findDefect(failure);
  return defect === undefined
    ? response
    : { ...response, message: `The certificate of the site is not trusted: ${defect.words}.` };
}

/** Describes the cause of a failure for the log, with the remedy for a certificate; `undefined` if it is unknown. */
export function describeFailureCause(failure: UpstreamFailure): string | undefined {
  const { cause } = failure;
  if (!(cause instanceof Error)) return undefined;
  const defect = findDefect(failure);
  return defect === undefined ? cause.message : `${cause.message}. ${defect.remedy}`;
}

function findDefect({ cause, kind }: UpstreamFailure): CertificateDefect | undefined {
  let error: unknown = kind === 'tls' ? cause : undefined;
  for (let depth = 0; depth < MAX_DEPTH && error instanceof Error; depth++) {
    const name =
      'code' in error && typeof error.code === 'string' ? findCertificateDefect(error.code) : undefined;
    if (name !== undefined) return CERTIFICATE_DEFECTS[name];
    error = error.cause;
  }
  return undefined;
}
