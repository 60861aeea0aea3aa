import { type DiscoveryAttempt, DiscoveryError } from '../errors.ts';
import {
  CERTIFICATE_DEFECTS,
  classifyNetworkError,
  findCertificateDefect,
  type NetworkErrorReason,
} from '../http/network-errors.ts';

const UNTRUSTED = 'The certificate of the site is not trusted';

/**
 * The reasons why an address returned no root index. The order is a ranking: if several addresses fail, the error states the
 * reason that comes first. Each reason has advice for the user, and a sentence for clients of the gateway, without address,
 * status text or anything else that the site sent.
 */
export const FAILURE_REASONS = {
  loop: [
    'The address leads back to the server that requests it, or to another that does: give the address at which the site itself listens, such as an internal host name or port.',
    'The URL of the site leads back to the gateway (508).',
  ],
  unauthorized: [
    'Try --auth user:application-password, or ask the site to open its REST interface. If a web server in front of the site asks for the credentials of all visitors, give them to the gateway as `upstream.auth`.',
    'The index of the site needs credentials (401).',
  ],
  forbidden: [
    'Try --auth user:application-password of a user with access, or ask the operator of the site (a security plugin, a firewall) to allow the request.',
    'The site refuses access to its index (403).',
  ],
  'bot-challenge': [
    'The site is behind a bot challenge. Try --header with a key or a cookie that passes it, or an address behind the challenge.',
    'The site is behind a bot challenge.',
  ],
  'login-page': [
    'The site requires a login. Try --auth user:application-password, or --header "Cookie: …".',
    'The site requires a login.',
  ],
  maintenance: ['Try again when the maintenance is over.', 'The site is in maintenance.'],
  'too-many-requests': ['Try again later.', 'The site limits the rate of requests (429).'],
  truncated: [
    'The response was cut off: check for a limit in PHP (memory_limit, max_execution_time) or in a proxy in front of the site, or try again.',
    'The site sent an incomplete index.',
  ],
  'too-deep': [
    'WordPress does not produce such an index: check which plugin changes it.',
    'The index of the site is nested too deeply.',
  ],
  'too-large': [
    'Raise the limit of bytes, or omit the response schemas (--schemas off).',
    'The index of the site is too large.',
  ],
  'document-too-large': [
    'Select routes with include and exclude, or raise the limit (--max-document-bytes, `discover.maxDocumentBytes`).',
    'The document of the site is too large.',
  ],
  'php-error': ["PHP fails on this request: check the site's error log.", 'The site fails with a PHP error.'],
  'redirect-loop': [
    'Try the address that a browser shows for the site; check its "siteurl" and "home" settings.',
    'The site redirects in a loop.',
  ],
  'too-many-redirects': [
    'Try the address that a browser shows for the site, or raise the limit of redirects.',
    'The site redirects too often.',
  ],
  'bad-redirect': [
    'Try the address that a browser shows for the site.',
    'The site redirects to an unusable address.',
  ],
  dns: [
    'Check the host name for a typing error, and whether this machine can resolve it.',
    'The host name of the site could not be resolved.',
  ],
  refused: ['Check the port, and whether the site is running.', 'The site refused the connection.'],
  tls: [
    'Check whether the port uses https (try http://), and whether this machine trusts the certificate of the site.',
    'The TLS connection to the site failed.',
  ],
  'certificate-self-signed': [
    CERTIFICATE_DEFECTS['certificate-self-signed'].remedy as string,
    `${UNTRUSTED}: ${CERTIFICATE_DEFECTS['certificate-self-signed'].words}.` as string,
  ],
  'certificate-unknown-issuer': [
    CERTIFICATE_DEFECTS['certificate-unknown-issuer'].remedy as string,
    `${UNTRUSTED}: ${CERTIFICATE_DEFECTS['certificate-unknown-issuer'].words}.` as string,
  ],
  'certificate-expired': [
    CERTIFICATE_DEFECTS['certificate-expired'].remedy as string,
    `${UNTRUSTED}: ${CERTIFICATE_DEFECTS['certificate-expired'].words}.` as string,
  ],
  'certificate-name': [
    CERTIFICATE_DEFECTS['certificate-name'].remedy as string,
    `${UNTRUSTED}: ${CERTIFICATE_DEFECTS['certificate-name'].words}.` as string,
  ],
  unreachable: ['Check the network between this machine and the site.', 'The site could not be reached.'],
  timeout: ['Try again, or raise the timeout.', 'The site did not respond in time.'],
  'connection-lost': [
    'Try again; check whether a firewall or a limit of the site closes connections.',
    'The site closed the connection.',
  ],
  'not-http': [
    'Check the port: the server there does not respond with valid HTTP.',
    'The site does not respond with valid HTTP.',
  ],
  'bad-encoding': [
    'The body is not compressed as Content-Encoding states: check the compression settings of the site and its proxy.',
    'The site sent a body that cannot be decompressed.',
  ],
  // Node's fetch rejects a 407 response with an error that does not name the status (Fetch §4.6).
  'network-error': [
    'Check the network between this machine and the site; a proxy that requires credentials (407) causes the same error.',
    'The site could not be requested.',
  ],
  'not-an-index': [
    'Try the front page of the site, or the address of its root index, such as …/wp-json/.',
    'The site sent JSON that is not a root index.',
  ],
  'no-route': [
    'The REST interface responds, but its root index is missing: check which plugin removes it.',
    'The REST interface of the site has no root index.',
  ],
  'site-error': [
    "Check the meaning of this error code, and the site's error log.",
    'The REST interface of the site responds with an error.',
  ],
  'server-error': ["Try again, and check the site's error log.", 'The site fails with a server error.'],
  empty: [
    "The response is empty: check the site's error log for a fatal PHP error.",
    'The site sent an empty response.',
  ],
  'not-json': [
    'Open the address in a browser: a plugin, or a server in front of the site, responds in place of the REST interface.',
    'The site sent no readable JSON.',
  ],
  'client-error': ['Open the address in a browser.', 'The site rejects the request for its index.'],
  html: [
    'Open the address in a browser; if the site uses another REST prefix, give the full address of its root index.',
    'The site sent a page instead of its index.',
  ],
  'not-found': [
    'Try the front page of the site; if the site uses another REST prefix, give the full address of its root index.',
    'The site has no root index at the usual addresses (404).',
  ],
  'not-wordpress': [
    'Check that the site is a WordPress; if it uses another REST prefix, give the full address of its root index.',
    'The site has no REST interface at the usual addresses.',
  ],
} as const;

/** The reason why an address returned no root index. */
export type FailureReason = keyof typeof FAILURE_REASONS;

/** The failure of a request for a root index or for the description of a route. */
export interface FetchFailure {
  readonly reason: FailureReason;
  readonly url: string;
  /** The outcome as the predicate of a sentence about the URL: `returned 404`. */
  readonly description: string;
  /** WordPress's error code, if WordPress sent the error. */
  readonly code?: string;
}

/** Says in one sentence why a site could not be read, without anything that is not for every client. */
export function summarizeFailure(error: Error): string {
  const reasons: Readonly<Record<string, readonly [string, string]>> = FAILURE_REASONS;
  const reason = error instanceof DiscoveryError ? error.reason : '';
  return Object.hasOwn(reasons, reason) ? (reasons[reason]?.[1] ?? '') : 'The site could not be read.';
}

/** Whether the reason rules out every other address of the same origin. */
export function isOriginUnreachable(reason: FailureReason): boolean {
  return UNREACHABLE_REASONS.has(reason);
}

const UNREACHABLE_REASONS: ReadonlySet<FailureReason> = new Set<FailureReason>([
  'dns',
  'refused',
  'tls',
  'certificate-self-signed',
  'certificate-unknown-issuer',
  'certificate-expired',
  'certificate-name',
  'unreachable',
  'not-http',
]);

/** The outcome of a failed search, for the message of its error. */
export interface SearchSummary {
  /** The address that the user gave. */
  readonly input: URL;
  readonly attempts: readonly DiscoveryAttempt[];
  readonly hasCredentials: boolean;
  /** Whether the address itself returned a page with a status below 300. */
  readonly hasPage: boolean;
}

/** Creates the error of a failed discovery. Its message states the failed request, its outcome and advice for the user. */
export function createDiscoveryError(
  failures: readonly FetchFailure[],
  { input, attempts, hasCredentials, hasPage }: SearchSummary,
): DiscoveryError {
  const ranking = Object.keys(FAILURE_REASONS);
  const [failure] = failures.toSorted((a, b) => ranking.indexOf(a.reason) - ranking.indexOf(b.reason));
  const isUnspecific = failure === undefined || failure.reason === 'not-found' || failure.reason === 'html';
  if (hasPage && isUnspecific) {
    const message =
      `${input.href} responds, but no WordPress REST interface was found there: ` +
      `none of ${attempts.length} addresses returned a root index. ${FAILURE_REASONS['not-wordpress'][0]}`;
    return new DiscoveryError(message, { reason: 'not-wordpress', attempts });
  }
  const { reason, url, description } = failure ?? {
    reason: 'timeout',
    url: input.href,
    description: 'did not finish in time',
  };
  const attemptCount = attempts.length > 1 ? ` (${attempts.length} addresses were tried.)` : '';
  const isAccessDenied = reason === 'unauthorized' || reason === 'forbidden';
  const advice =
    isAccessDenied && hasCredentials
      ? 'The given credentials were not accepted, or were not sent there: check the user, the application password and the address.'
      : FAILURE_REASONS[reason][0];
  const stop = /[.!?]$/.test(description) ? '' : '.';
  return new DiscoveryError(`${url} ${description}${stop}${attemptCount} ${advice}`, { reason, attempts });
}

/** Network errors as predicates of a sentence about the URL. */
const NETWORK_OUTCOMES: Readonly<Partial<Record<NetworkErrorReason, string>>> = {
  dns: 'has a host name that could not be resolved',
  refused: 'refused the connection',
  unreachable: 'could not be reached',
  timeout: 'did not respond in time',
  'not-http': 'sent data that is not HTTP',
  'bad-encoding': 'sent a body that could not be decompressed',
  tls: 'failed the TLS handshake',
  'connection-lost': 'closed the connection',
};

/** Describes a rejection of `fetch` or of a body. The message of the error is used only if no code is known. */
export function describeNetworkError(error: unknown): Pick<FetchFailure, 'reason' | 'description'> {
  const known = classifyNetworkError(error);
  if (known !== undefined && known.reason !== 'other') {
    const { code, reason } = known;
    const defect = findCertificateDefect(error);
    const untrusted = `has a certificate that is not trusted: ${defect?.words ?? ''}`;
    const isOverflow = code.endsWith('_OVERFLOW');
    const outcome = isOverflow ? 'sent a header section over the limit' : NETWORK_OUTCOMES[reason];
    return { reason, description: `${outcome ?? untrusted} (${code})` };
  }
  const text = listMessages(error, 0).join(': ');
  if (/^terminated|other side closed|aborted/i.test(text)) {
    return { reason: 'connection-lost', description: 'closed the connection before the end of its response' };
  }
  return {
    reason: 'network-error',
    description: `could not be requested${text === '' ? '' : ` (${text.slice(0, 200)})`}`,
  };
}

const MAX_CAUSE_DEPTH = 5;

function listMessages(error: unknown, depth: number): readonly string[] {
  if (!(error instanceof Error) || depth > MAX_CAUSE_DEPTH) return [];
  return [error.message, ...listMessages(error.cause, depth + 1)].filter((text) => text !== '');
}
