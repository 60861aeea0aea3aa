import { Agent } from 'undici';
import { ConfigurationError, type DiscoveryAttempt } from '../../base/errors.ts';
import { formatBasicCredentials } from '../../base/http/basic-credentials.ts';
import { type BodyBuffer, readLimitedBody } from '../../base/http/body.ts';
import { createSiteLookup, isPrivateHost } from '../../base/http/private-address.ts';
import { systemClock, withAbort } from '../../base/ports.ts';
import { isHttpUrl, stripUserinfoAndFragment } from './address.ts';
import { describeNetworkError, type FailureReason, type FetchFailure } from './failures.ts';
import type { RuleReporter } from './index-values.ts';
import type { DiscoverOptions, DiscoveryProgress, DiscoverySettings } from './options.ts';

interface Hop {
  readonly url: URL;
  readonly sendsSecrets: boolean;
  readonly visited: ReadonlySet<string>;
}

export class DiscoveryClient {
  readonly attempts: DiscoveryAttempt[] = [];
  readonly #site: URL;
  readonly #headers: DiscoveryHeaders;
  readonly #settings: DiscoverySettings;
  readonly #report: RuleReporter;
  readonly #dispatcher: Agent;
  readonly #timeout: AbortSignal;
  readonly #reported = new Set<string>();
  /** The latest time, in milliseconds since 1970, that a `Retry-After` of the site has named. */
  #askAgainAt = 0;

  constructor(site: URL, headers: DiscoveryHeaders, settings: DiscoverySettings, report: RuleReporter) {
    this.#site = site;
    this.#headers = headers;
    this.#settings = settings;
    this.#report = report;
    this.#timeout = startTimeout(settings.timeout);
    this.#dispatcher = new Agent({ connect: { lookup: createSiteLookup(site) } });
  }

  get signal(): AbortSignal | undefined {
    return this.#settings.signal;
  }

  isOutOfTime(): boolean {
    return this.#timeout.aborted;
  }

  showProgress(progress: DiscoveryProgress): void {
    this.#settings.onProgress(progress);
  }

  /** Waits for a second, or as long as the site's last `Retry-After` says, up to 30 s. */
  async waitToAskAgain(): Promise<void> {
    const wait = Math.min(MAX_WAIT, Math.max(MIN_WAIT, this.#askAgainAt - systemClock.now()));
    const over = new Promise<void>((resolve) => void systemClock.after(wait, resolve));
    await (this.signal === undefined ? over : withAbort(over, this.signal));
  }

  /** @throws the reason of `settings.signal` when that aborts; every other error is returned */
  async request(
    url: URL,
    options: DiscoveryRequestOptions = {},
  ): Promise<Exclude<DiscoverySendResult, { readonly kind: 'redirect' }>> {
    if (options.method === undefined) this.showProgress({ step: 'request', url: url.href });
    const sendsSecrets = url.origin === this.#site.origin;
    if (!sendsSecrets && this.#hasSecrets) this.#reportOnce('credentials-withheld', this.#site, url);
    const timeout = options.limit ?? startTimeout(this.#settings.requestTimeout);
    let hop: Hop = { url, sendsSecrets, visited: new Set([url.href]) };
    for (;;) {
      // A site must not lead to what only this machine or its network reaches.
      if (isPrivateHost(hop.url) && !isPrivateHost(this.#site))
        return toFailure('private-address', hop.url, 'is a private address, to which a public site leads');
      const result = await this.#send(hop, options, timeout);
      if (result.kind !== 'redirect') return result;
      const { to } = result;
      this.attempts.push({ url: hop.url.href, outcome: `redirect to ${to.href}` });
      if (hop.visited.has(to.href))
        return toFailure('redirect-loop', hop.url, `redirects to ${to.href}, which was requested before`);
      if (hop.visited.size > MAX_REDIRECTS) {
        const description = `is redirect number ${hop.visited.size}; the limit is ${MAX_REDIRECTS}`;
        return toFailure('too-many-redirects', hop.url, description);
      }
      if (to.origin !== hop.url.origin) this.#reportOnce('redirect-elsewhere', hop.url, to);
      // The other origin chooses the next URL, so no secrets follow a redirect to it, not even back to the site.
      const isTrusted = hop.sendsSecrets && to.origin === this.#site.origin;
      hop = { url: to, sendsSecrets: isTrusted, visited: new Set([...hop.visited, to.href]) };
    }
  }

  get #hasSecrets(): boolean {
    return this.#headers.secretHeaders.length > 0;
  }

  #reportOnce(rule: 'credentials-withheld' | 'redirect-elsewhere', from: URL, to: URL): void {
    const detail = `${from.origin} → ${to.origin}.`;
    if (this.#reported.has(rule + detail)) return;
    this.#reported.add(rule + detail);
    this.#report(rule, { pointer: '' }, detail, this.#hasSecrets ? undefined : 'Followed it.');
  }

  async #send(
    { sendsSecrets, url }: Hop,
    options: DiscoveryRequestOptions,
    timeout: AbortSignal,
  ): Promise<DiscoverySendResult> {
    const { fetch, signal: callerSignal } = this.#settings;
    const maxBytes = options.maxBytes ?? this.#settings.maxBytes;
    const limits = options.limit === undefined ? [timeout, this.#timeout] : [timeout];
    const signal = AbortSignal.any(callerSignal === undefined ? limits : [callerSignal, ...limits]);
    let status: number | undefined;
    try {
      const { method = 'GET' } = options;
      const { publicHeaders, secretHeaders } = this.#headers;
      const headers = new Headers(
        Object.fromEntries([...publicHeaders, ...(sendsSecrets ? secretHeaders : [])]),
      );
      const init = { method, headers, redirect: 'manual', signal, dispatcher: this.#dispatcher };
      const sent = fetch(url.href, init as RequestInit);
      const response = await withAbort(sent, signal);
      status = response.status;
      this.#askAgainAt = Math.max(this.#askAgainAt, readRetryAfter(response.headers));
      if (REDIRECT_STATUSES.has(status) && method === 'GET') return await readRedirect(response, url);
      const truncate =
        options.truncateHtml === true && /html/i.test(response.headers.get('content-type') ?? '');
      const limit = truncate ? Math.min(MAX_PAGE_BYTES, maxBytes) : maxBytes;
      const content = await readLimitedBody(response, limit, signal, truncate);
      return content === null
        ? toFailure('too-large', url, `returned ${status} with a body over the limit of ${maxBytes} bytes`)
        : { kind: 'response', response: { url, status, headers: response.headers, body: content } };
    } catch (error) {
      callerSignal?.throwIfAborted();
      const received = status === undefined ? '' : `returned ${status} and then `;
      if (this.isOutOfTime() || timeout.aborted) {
        const { requestTimeout, timeout: whole } = this.#settings;
        const limit = this.isOutOfTime()
          ? `the ${whole} ms limit of the whole discovery`
          : `${requestTimeout} ms`;
        const time = options.limit === undefined ? `within ${limit}` : 'in time';
        return toFailure('timeout', url, `${received}did not finish ${time}`);
      }
      const { reason, description } = describeNetworkError(error);
      // A connection lost after the header section truncates the response.
      const isTruncated = reason === 'connection-lost' && status !== undefined;
      return toFailure(isTruncated ? 'truncated' : reason, url, received + description);
    }
  }
}

const MAX_REDIRECTS = 10;
const MIN_WAIT = 1_000;
const MAX_WAIT = 30_000;

/** Reads `Retry-After` (RFC 9110 §10.2.3): seconds or a date. @returns milliseconds since 1970; 0 without one */
function readRetryAfter(headers: Headers): number {
  const text = headers.get('retry-after') ?? '';
  const time = /^\d{1,9}$/.test(text) ? systemClock.now() + Number(text) * 1_000 : Date.parse(text);
  return Number.isNaN(time) ? 0 : time;
}

export interface FetchedResponse {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly body: BodyBuffer;
}

interface DiscoveryRequestOptions {
  readonly method?: string;
  readonly truncateHtml?: boolean;
  readonly maxBytes?: number;
  readonly limit?: AbortSignal;
}

interface DiscoveryFailure {
  readonly kind: 'failure';
  readonly failure: FetchFailure;
}

type DiscoverySendResult =
  | { readonly kind: 'response'; readonly response: FetchedResponse }
  | DiscoveryFailure
  | { readonly kind: 'redirect'; readonly to: URL };

const MAX_PAGE_BYTES = 1024 * 1024;

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Reads `Location` (RFC 9110 §10.2.2) without credentials. */
async function readRedirect(response: Response, base: URL): Promise<DiscoverySendResult> {
  await response.body?.cancel().catch(() => {});
  const location = response.headers.get('location');
  const to = location !== null && URL.canParse(location, base) ? new URL(location, base) : undefined;
  return to !== undefined && isHttpUrl(to)
    ? { kind: 'redirect', to: stripUserinfoAndFragment(to) }
    : toFailure('bad-redirect', base, `returned ${response.status} without a usable Location`);
}

function toFailure(reason: FailureReason, url: URL, description: string): DiscoveryFailure {
  return { kind: 'failure', failure: { reason, url: url.href, description } };
}

type HeaderEntry = readonly [name: string, value: string];

export interface DiscoveryHeaders {
  readonly publicHeaders: readonly HeaderEntry[];
  readonly secretHeaders: readonly HeaderEntry[];
}

/** Fields without secrets. Any other field can contain a key. */
const PUBLIC_NAMES: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent']);

const DEFAULT_HEADERS: readonly HeaderEntry[] = [
  ['accept', 'application/json, text/html;q=0.5, */*;q=0.1'],
  // Some firewalls reject the default User-Agent of HTTP libraries.
  ['user-agent', 'Mozilla/5.0 (compatible; waygate)'],
];

/** @throws {ConfigurationError} when a name, value or user is invalid, without the value */
export function createDiscoveryHeaders(
  auth: DiscoverOptions['auth'],
  headers: Readonly<Record<string, string>>,
): DiscoveryHeaders {
  const given = Object.entries(headers).map(([name, value]) => validateHeader(name, value));
  const basic = auth === undefined ? [] : [['authorization', formatBasicCredentials(auth)] as const];
  const shared = given.filter(([name]) => PUBLIC_NAMES.has(name));
  return {
    publicHeaders: [
      ...DEFAULT_HEADERS.filter(([name]) => !shared.some(([other]) => other === name)),
      ...shared,
    ],
    // `auth` replaces an Authorization header.
    secretHeaders: [
      ...given.filter(
        ([name]) => !PUBLIC_NAMES.has(name) && !(name === 'authorization' && auth !== undefined),
      ),
      ...basic,
    ],
  };
}

function validateHeader(name: string, value: string): HeaderEntry {
  try {
    return [name.toLowerCase(), new Headers([[name, value]]).get(name) ?? ''];
  } catch {
    throw new ConfigurationError(
      `The header ${JSON.stringify(name.slice(0, 60))} has a name or a value that HTTP does not allow.`,
    );
  }
}

function startTimeout(milliseconds: number): AbortSignal {
  return AbortSignal.timeout(Math.ceil(Math.min(milliseconds, 2_147_483_647)));
}
