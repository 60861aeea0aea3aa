/**
 * Why an address gave no index, with what a person can do about it. In the order in which one reason says more about
 * a site than another: of all that was tried, the first of these is what the error is about.
 */
export const REASONS = {
  unauthorized: 'Try --auth user:application-password; or ask the site to open its interface.',
  forbidden:
    'Try --auth user:application-password of a user who may read it; or ask whoever guards the site (a security plugin, a firewall) to let it through.',
  'bot-challenge':
    'The site is behind a check for people. Try --header with a key or a cookie that lets you through, or an address behind the check.',
  'login-page':
    'The site wants a login first. Try --auth user:application-password, or --header "Cookie: …".',
  maintenance: 'Try again when the site is back.',
  'too-many-requests': 'Try again later.',
  truncated:
    'The answer was cut off: look for a limit in PHP (memory_limit, max_execution_time) or in a proxy before the site, or try again.',
  'too-deep': 'This is no index that WordPress makes: look which plugin changes it.',
  'too-large': 'Raise the limit of bytes, or read without response schemas (--schemas off).',
  'php-error': "The site's PHP fails on this request: look into its error log.",
  'redirect-loop': 'Try the address at which the site is in a browser; look at its "siteurl" and "home".',
  'too-many-redirects': 'Try the address at which the site is in a browser, or raise the limit of redirects.',
  'bad-redirect': 'Try the address at which the site is in a browser.',
  dns: 'Check the name for a slip, and whether this machine can resolve it.',
  refused: 'Check the port, and whether the site is running.',
  tls: 'Check whether the site speaks https at this port (try http://), and whether its certificate is valid here.',
  unreachable: 'Check the network between here and the site.',
  timeout: 'Try again, or raise the limit of time.',
  'connection-lost': 'Try again; look whether a firewall or a limit of the site cuts connections.',
  'not-http': 'Check the port: what listens there does not speak HTTP as it should.',
  'bad-encoding':
    'The answer is not compressed as its header says: look at the compression of the site and its proxy.',
  // Node's fetch makes an error without a word of 407 (Fetch §4.6).
  'network-error':
    'Check the network between here and the site; a proxy that wants credentials (407) looks alike.',
  'not-an-index': 'Try the front page of the site, or the address of its root index, such as …/wp-json/.',
  'no-route': 'The interface answers, but not with a root index: look which plugin takes it away.',
  'site-error': 'Look what the site means by this, and into its error log.',
  'server-error': 'Try again, and look into the error log of the site.',
  empty: "The answer is empty: look into the site's error log for a fatal error of PHP.",
  'not-json':
    'Look at the address in a browser: something before the site, or a plugin, answers in its place.',
  'client-error': 'Look at the address in a browser.',
  html: 'Look at the address in a browser; where WordPress has moved its interface, give the address of that.',
  'not-found':
    'Try the front page of the site; where WordPress has moved its interface, give the address of that.',
  'not-wordpress':
    'Check that the site is a WordPress; where its interface has been moved, give the address of that.',
} as const;

export type Reason = keyof typeof REASONS;

/** One address that gave no index. */
export interface Refusal {
  readonly reason: Reason;
  readonly url: string;
  /** What came, as a sentence without its subject, which is the address: `answered 404`. */
  readonly came: string;
  /** WordPress's own error code, where it was WordPress that refused. */
  readonly code?: string;
}

const RANKS: ReadonlyMap<string, number> = new Map(
  Object.keys(REASONS).map((reason, rank) => [reason, rank]),
);

/** The refusal that says most; of several alike, the first. */
export function mostTelling(refusals: readonly Refusal[]): Refusal | undefined {
  const rank = ({ reason }: Refusal): number => RANKS.get(reason) ?? RANKS.size;
  return refusals.toSorted((one, other) => rank(one) - rank(other))[0];
}

/** Nothing at this origin answers, so that asking it for another address is of no use. */
export function isHopeless(reason: Reason): boolean {
  return HOPELESS.has(reason);
}

const HOPELESS: ReadonlySet<Reason> = new Set<Reason>(['dns', 'refused', 'tls', 'unreachable', 'not-http']);
