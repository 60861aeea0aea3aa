import type { DiscoveryAttempt } from '../errors.ts';
import { isHttp, stripped } from './address.ts';
import { discard, readBody } from './body.ts';
import type { Credentials } from './credentials.ts';
import { type Deadline, startDeadline, untilAborted } from './deadline.ts';
import type { Note } from './findings.ts';
import { toNetworkFault } from './network-fault.ts';
import type { Settings } from './options.ts';
import type { Reason, Refusal } from './reasons.ts';

/** One answer, read whole. */
export interface Answer {
  /** The address that was asked in the end, behind all redirects. */
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

export type Outcome =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'refusal'; readonly refusal: Refusal };

export interface AskOptions {
  readonly method?: 'GET' | 'OPTIONS';
  /** Of an HTML page only the start is read. */
  readonly clipHtml?: boolean;
}

export interface Client {
  /** Asks one address. Rejects only when the caller's own signal ends it. */
  readonly ask: (url: URL, options?: AskOptions) => Promise<Outcome>;
  /** Everything that was asked so far. */
  readonly attempts: DiscoveryAttempt[];
  /** Whether the time for the whole discovery has passed. */
  readonly isOutOfTime: () => boolean;
  readonly stop: () => void;
}

/** A page names its root index in its head; what comes later is content. */
const CLIPPED_BYTES = 1024 * 1024;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

interface Hop {
  readonly url: URL;
  readonly mayKnow: boolean;
  readonly seen: ReadonlySet<string>;
}

type Step = Outcome | { readonly kind: 'redirect'; readonly to: URL };

/** A client that keeps credentials at `home`, follows redirects itself, and stays within the limits. */
export function createClient(home: URL, credentials: Credentials, settings: Settings, note: Note): Client {
  const total = startDeadline(settings.timeout, settings.signal);
  const attempts: DiscoveryAttempt[] = [];
  const isSecret = credentials.atHome.length > 0;
  const noted = new Set<string>();
  const noteOnce = (rule: 'credentials-withheld' | 'redirect-elsewhere', from: URL, to: URL): void => {
    const detail = `${from.origin} → ${to.origin}.`;
    if (noted.has(rule + detail)) return;
    noted.add(rule + detail);
    note(rule, { pointer: '', detail, ...(isSecret ? {} : { action: 'Followed it.' }) });
  };

  async function ask(url: URL, options: AskOptions = {}): Promise<Outcome> {
    settings.onProgress({ step: 'asking', url: url.href });
    const mayKnow = url.origin === home.origin;
    if (!mayKnow && isSecret) noteOnce('credentials-withheld', home, url);
    const deadline = startDeadline(settings.requestTimeout, total.signal);
    try {
      return await follow({ url, mayKnow, seen: new Set([url.href]) }, options, deadline);
    } finally {
      deadline.stop();
    }
  }

  async function follow(first: Hop, options: AskOptions, deadline: Deadline): Promise<Outcome> {
    let hop = first;
    for (;;) {
      const step = await send(hop, options, deadline);
      if (step.kind !== 'redirect') return step;
      attempts.push({ url: hop.url.href, outcome: `redirect to ${step.to.href}` });
      const refusal = whyNotFollow(hop, step.to, settings.maxRedirects);
      if (refusal !== undefined) return { kind: 'refusal', refusal };
      if (step.to.origin !== hop.url.origin) noteOnce('redirect-elsewhere', hop.url, step.to);
      // Once withheld, always withheld: who has redirected here from elsewhere could be anyone.
      const mayKnow = hop.mayKnow && step.to.origin === home.origin;
      hop = { url: step.to, mayKnow, seen: new Set([...hop.seen, step.to.href]) };
    }
  }

  async function send({ url, mayKnow }: Hop, options: AskOptions, deadline: Deadline): Promise<Step> {
    const refuse = (reason: Reason, came: string): Step => ({
      kind: 'refusal',
      refusal: { reason, url: url.href, came },
    });
    const headers = new Headers();
    for (const [name, value] of credentials.everywhere) headers.set(name, value);
    if (mayKnow) for (const [name, value] of credentials.atHome) headers.set(name, value);
    let status: number | undefined;
    try {
      const { fetch } = settings;
      const { signal } = deadline;
      const asked = fetch(url.href, { method: options.method ?? 'GET', headers, redirect: 'manual', signal });
      const response = await untilAborted(asked, signal);
      status = response.status;
      if (REDIRECTS.has(status)) {
        await discard(response);
        const to = readLocation(response, url);
        return to === undefined
          ? refuse('bad-redirect', `answered ${status} without an address that could be followed`)
          : { kind: 'redirect', to };
      }
      const clip = options.clipHtml === true && /html/i.test(response.headers.get('content-type') ?? '');
      const limit = { bytes: clip ? Math.min(CLIPPED_BYTES, settings.maxBytes) : settings.maxBytes, clip };
      const body = await readBody(response, limit, signal);
      if (body.kind === 'read')
        return { kind: 'answer', answer: { url, status, headers: response.headers, bytes: body.bytes } };
      const size = body.stated === undefined ? '' : ` of ${body.stated} bytes`;
      return refuse(
        'too-large',
        `answered ${status} with a body${size}, which is over the limit of ${settings.maxBytes} bytes`,
      );
    } catch (error) {
      settings.signal?.throwIfAborted();
      const begun = status === undefined ? '' : `answered ${status} and then `;
      if (total.hasPassed()) {
        return refuse(
          'timeout',
          `${begun}was not done when the ${settings.timeout} ms for the whole discovery were over`,
        );
      }
      if (deadline.hasPassed())
        return refuse('timeout', `${begun}was not done within ${settings.requestTimeout} ms`);
      const { reason, came } = toNetworkFault(error);
      // An answer that has begun and then lost its connection is one that was cut off.
      return refuse(
        reason === 'connection-lost' && status !== undefined ? 'truncated' : reason,
        begun + came,
      );
    }
  }

  return { ask, attempts, isOutOfTime: total.hasPassed, stop: total.stop };
}

/** RFC 9110 §10.2.2. Credentials in it are another's, and are not sent. */
function readLocation(response: Response, base: URL): URL | undefined {
  const location = response.headers.get('location');
  if (location === null || !URL.canParse(location, base)) return undefined;
  const url = stripped(new URL(location, base));
  return isHttp(url) ? url : undefined;
}

function whyNotFollow(hop: Hop, to: URL, most: number): Refusal | undefined {
  const { href: url } = hop.url;
  if (hop.seen.has(to.href))
    return { reason: 'redirect-loop', url, came: `redirects to ${to.href}, which was asked before` };
  if (hop.seen.size <= most) return undefined;
  return {
    reason: 'too-many-redirects',
    url,
    came: `is redirect number ${hop.seen.size}, of which at most ${most} are followed`,
  };
}
