import { CERTIFICATE_DEFECTS } from '../http/certificate-defects.ts';

/**
 * Advice to the user for each reason of a failure. The order is a ranking: if several addresses fail, the error states
 * the reason that comes first in this table.
 */
export const FAILURE_ADVICE = {
  unauthorized:
    'Try --auth user:application-password, or ask the site to open its REST interface. If a web server in front of the site asks for the credentials of all visitors, give them to the gateway as `upstream.auth`.',
  forbidden:
    'Try --auth user:application-password of a user with access, or ask the operator of the site (a security plugin, a firewall) to allow the request.',
  'bot-challenge':
    'The site is behind a bot challenge. Try --header with a key or a cookie that passes it, or an address behind the challenge.',
  'login-page': 'The site requires a login. Try --auth user:application-password, or --header "Cookie: …".',
  maintenance: 'Try again when the maintenance is over.',
  'too-many-requests': 'Try again later.',
  truncated:
    'The response was cut off: check for a limit in PHP (memory_limit, max_execution_time) or in a proxy in front of the site, or try again.',
  'too-deep': 'WordPress does not produce such an index: check which plugin changes it.',
  'too-large': 'Raise the limit of bytes, or omit the response schemas (--schemas off).',
  'php-error': "PHP fails on this request: check the site's error log.",
  'redirect-loop':
    'Try the address that a browser shows for the site; check its "siteurl" and "home" settings.',
  'too-many-redirects': 'Try the address that a browser shows for the site, or raise the limit of redirects.',
  'bad-redirect': 'Try the address that a browser shows for the site.',
  dns: 'Check the host name for a typing error, and whether this machine can resolve it.',
  refused: 'Check the port, and whether the site is running.',
  tls: 'Check whether the port uses https (try http://), and whether this machine trusts the certificate of the site.',
  'certificate-self-signed': CERTIFICATE_DEFECTS['certificate-self-signed'].remedy as string,
  'certificate-unknown-issuer': CERTIFICATE_DEFECTS['certificate-unknown-issuer'].remedy as string,
  'certificate-expired': CERTIFICATE_DEFECTS['certificate-expired'].remedy as string,
  'certificate-name': CERTIFICATE_DEFECTS['certificate-name'].remedy as string,
  unreachable: 'Check the network between this machine and the site.',
  timeout: 'Try again, or raise the timeout.',
  'connection-lost': 'Try again; check whether a firewall or a limit of the site closes connections.',
  'not-http': 'Check the port: the server there does not respond with valid HTTP.',
  'bad-encoding':
    'The body is not compressed as Content-Encoding states: check the compression settings of the site and its proxy.',
  // Node's fetch rejects a 407 response with an error that does not name the status (Fetch §4.6).
  'network-error':
    'Check the network between this machine and the site; a proxy that requires credentials (407) causes the same error.',
  'not-an-index': 'Try the front page of the site, or the address of its root index, such as …/wp-json/.',
  'no-route': 'The REST interface responds, but its root index is missing: check which plugin removes it.',
  'site-error': "Check the meaning of this error code, and the site's error log.",
  'server-error': "Try again, and check the site's error log.",
  empty: "The response is empty: check the site's error log for a fatal PHP error.",
  'not-json':
    'Open the address in a browser: a plugin, or a server in front of the site, responds in place of the REST interface.',
  'client-error': 'Open the address in a browser.',
  html: 'Open the address in a browser; if the site uses another REST prefix, give the full address of its root index.',
  'not-found':
    'Try the front page of the site; if the site uses another REST prefix, give the full address of its root index.',
  'not-wordpress':
    'Check that the site is a WordPress; if it uses another REST prefix, give the full address of its root index.',
} as const;

/** The reason why an address returned no root index. */
export type FailureReason = keyof typeof FAILURE_ADVICE;

/** The failure of a request for a root index or for the description of a route. */
export interface FetchFailure {
  readonly reason: FailureReason;
  readonly url: string;
  /** The outcome as the predicate of a sentence about the URL: `returned 404`. */
  readonly description: string;
  /** WordPress's error code, if WordPress sent the error. */
  readonly code?: string;
}

const PRIORITIES: ReadonlyMap<string, number> = new Map(
  Object.keys(FAILURE_ADVICE).map((reason, priority) => [reason, priority]),
);

/** Returns the failure whose reason ranks highest, the first of equals. Returns `undefined` for an empty list. */
export function selectMostSpecificFailure(failures: readonly FetchFailure[]): FetchFailure | undefined {
  const priority = ({ reason }: FetchFailure): number => PRIORITIES.get(reason) ?? PRIORITIES.size;
  return failures.toSorted((a, b) => priority(a) - priority(b))[0];
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
