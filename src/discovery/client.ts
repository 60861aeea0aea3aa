import type { DiscoveryAttempt } from '../errors.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import type { RuleReporter } from './diagnostic-collector.ts';
import type { FetchFailure } from './failures.ts';
import type { DiscoverySettings } from './options.ts';
import type { DiscoveryHeaders } from './request-headers.ts';
import {
  type DiscoveryRequestOptions,
  type DiscoverySendContext,
  type DiscoverySendResult,
  type OutgoingRequest,
  sendRequest,
} from './send-request.ts';

/** The result of a request after its redirects. */
export type DiscoveryRequestResult = Exclude<DiscoverySendResult, { readonly kind: 'redirect' }>;

/** The HTTP client of one discovery. */
export interface DiscoveryClient {
  /**
   * Requests one URL and follows its redirects.
   *
   * @throws the reason of `settings.signal` when that signal aborts; every other error is returned as a failure
   */
  readonly request: (url: URL, options?: DiscoveryRequestOptions) => Promise<DiscoveryRequestResult>;
  /** The URLs that were requested so far, each with its outcome. */
  readonly attempts: DiscoveryAttempt[];
  /** Whether the timeout of the whole discovery has passed. */
  readonly isOutOfTime: () => boolean;
  /** Clears the timer of the discovery's timeout. */
  readonly close: () => void;
}

interface Hop extends OutgoingRequest {
  /** The URLs of this redirect chain, including this one. */
  readonly visited: ReadonlySet<string>;
}

/**
 * Creates a client that enforces the limits of `settings` and follows redirects itself.
 *
 * @param site The URL of the site; secret headers are sent to its origin only.
 */
export function createDiscoveryClient(
  site: URL,
  headers: DiscoveryHeaders,
  settings: DiscoverySettings,
  report: RuleReporter,
): DiscoveryClient {
  const discoveryDeadline = startDeadline(settings.timeout, settings.signal);
  const context: DiscoverySendContext = { headers, settings, discoveryDeadline };
  const attempts: DiscoveryAttempt[] = [];
  const hasSecrets = headers.secretHeaders.length > 0;
  const reportOnce = createOriginReporter(report, hasSecrets);

  async function request(url: URL, options: DiscoveryRequestOptions = {}): Promise<DiscoveryRequestResult> {
    settings.onProgress({ step: 'request', url: url.href });
    const sendsSecrets = url.origin === site.origin;
    if (!sendsSecrets && hasSecrets) reportOnce('credentials-withheld', site, url);
    const deadline = startDeadline(settings.requestTimeout, discoveryDeadline.signal);
    try {
      return await followRedirects({ url, sendsSecrets, visited: new Set([url.href]) }, options, deadline);
    } finally {
      deadline.clear();
    }
  }

  async function followRedirects(
    first: Hop,
    options: DiscoveryRequestOptions,
    deadline: Deadline,
  ): Promise<DiscoveryRequestResult> {
    let hop = first;
    for (;;) {
      const result = await sendRequest(hop, options, context, deadline);
      if (result.kind !== 'redirect') return result;
      const { to } = result;
      attempts.push({ url: hop.url.href, outcome: `redirect to ${to.href}` });
      const failure = checkRedirect(hop, to, settings.maxRedirects);
      if (failure !== undefined) return { kind: 'failure', failure };
      if (to.origin !== hop.url.origin) reportOnce('redirect-elsewhere', hop.url, to);
      // After a redirect to another origin no secrets are sent, even to the site: the other origin chooses the next URL.
      const sendsSecrets = hop.sendsSecrets && to.origin === site.origin;
      hop = { url: to, sendsSecrets, visited: new Set([...hop.visited, to.href]) };
    }
  }

  return {
    request,
    attempts,
    isOutOfTime: discoveryDeadline.hasPassed,
    close: discoveryDeadline.clear,
  };
}

type OriginReporter = (rule: 'credentials-withheld' | 'redirect-elsewhere', from: URL, to: URL) => void;

/** Creates a reporter that reports each rule once for each pair of origins. */
function createOriginReporter(report: RuleReporter, hasSecrets: boolean): OriginReporter {
  const reported = new Set<string>();
  return (rule, from, to) => {
    const detail = `${from.origin} → ${to.origin}.`;
    if (reported.has(rule + detail)) return;
    reported.add(rule + detail);
    report(rule, { pointer: '', detail, ...(hasSecrets ? {} : { action: 'Followed it.' }) });
  };
}

function checkRedirect(hop: Hop, to: URL, maxRedirects: number): FetchFailure | undefined {
  const { href: url } = hop.url;
  if (hop.visited.has(to.href)) {
    const description = `redirects to ${to.href}, which was requested before`;
    return { reason: 'redirect-loop', url, description };
  }
  if (hop.visited.size <= maxRedirects) return undefined;
  return {
    reason: 'too-many-redirects',
    url,
    description: `is redirect number ${hop.visited.size}; the limit is ${maxRedirects}`,
  };
}
