import { DiscoveryError } from '../errors.ts';
import { CERTIFICATE_DEFECTS, type CertificateDefectName } from '../http/certificate-defects.ts';
import type { FailureReason } from './failure-reasons.ts';

/**
 * A sentence for each reason of a failure, for clients of the gateway: without address, status text or anything else
 * that the site sent.
 */
const FAILURE_SUMMARIES: Readonly<Record<Exclude<FailureReason, CertificateDefectName>, string>> = {
  unauthorized: 'The index of the site needs credentials (401).',
  forbidden: 'The site refuses access to its index (403).',
  'bot-challenge': 'The site is behind a bot challenge.',
  'login-page': 'The site requires a login.',
  maintenance: 'The site is in maintenance.',
  'too-many-requests': 'The site limits the rate of requests (429).',
  truncated: 'The site sent an incomplete index.',
  'too-deep': 'The index of the site is nested too deeply.',
  'too-large': 'The index of the site is too large.',
  'php-error': 'The site fails with a PHP error.',
  'redirect-loop': 'The site redirects in a loop.',
  'too-many-redirects': 'The site redirects too often.',
  'bad-redirect': 'The site redirects to an unusable address.',
  dns: 'The host name of the site could not be resolved.',
  refused: 'The site refused the connection.',
  tls: 'The TLS connection to the site failed.',
  unreachable: 'The site could not be reached.',
  timeout: 'The site did not respond in time.',
  'connection-lost': 'The site closed the connection.',
  'not-http': 'The site does not respond with valid HTTP.',
  'bad-encoding': 'The site sent a body that cannot be decompressed.',
  'network-error': 'The site could not be requested.',
  'not-an-index': 'The site sent JSON that is not a root index.',
  'no-route': 'The REST interface of the site has no root index.',
  'site-error': 'The REST interface of the site responds with an error.',
  'server-error': 'The site fails with a server error.',
  empty: 'The site sent an empty response.',
  'not-json': 'The site sent no readable JSON.',
  'client-error': 'The site rejects the request for its index.',
  html: 'The site sent a page instead of its index.',
  'not-found': 'The site has no root index at the usual addresses (404).',
  'not-wordpress': 'The site has no REST interface at the usual addresses.',
};

const SUMMARIES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(FAILURE_SUMMARIES),
  ...Object.entries(CERTIFICATE_DEFECTS).map(
    ([reason, { words }]) => [reason, `The certificate of the site is not trusted: ${words}.`] as const,
  ),
]);

/** Says in one sentence why a site could not be read, without anything that is not for every client. */
export function summarizeFailure(error: Error): string {
  const reason = error instanceof DiscoveryError ? error.reason : '';
  return SUMMARIES.get(reason) ?? 'The site could not be read.';
}
