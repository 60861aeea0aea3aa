import { readLimitedBody } from '../discovery/client.ts';
import { parseMediaType } from '../http/fields.ts';
import type { Json } from '../json.ts';
import type { Clock } from '../ports.ts';
import { type OriginVerdict, parseOriginVerdict } from '../validation/evidence/origin-verdict.ts';
import type { ProbeRequest } from './endpoints.ts';

/** Why a request gives no verdict of the site. */
export type ProbeFailure =
  | 'needs-credentials'
  | 'server-error'
  | 'rate-limited'
  | 'unreachable'
  | 'no-verdict'
  | 'interrupted';

/** The site's response to a probe. */
export type ProbeOutcome =
  | {
      readonly kind: 'verdict';
      readonly verdict: OriginVerdict;
      readonly status: number;
      readonly body: Json | undefined;
    }
  | { readonly kind: 'failure'; readonly reason: ProbeFailure };

/** Sends probes one after another at a limited rate. */
export interface ProbeClient {
  send(request: Pick<ProbeRequest, 'method' | 'path' | 'query' | 'body'>): Promise<ProbeOutcome>;
  /** Number of requests sent so far. */
  readonly sent: number;
  /** Number of requests in a row that got no response. */
  readonly unreachableStreak: number;
}

export interface ProbeClientOptions {
  /** Builds the URL of a route with a query. */
  readonly toUrl: (path: string, query: string) => string;
  readonly headers: readonly (readonly [string, string])[];
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** Requests per second. */
  readonly rate: number;
  readonly signal: AbortSignal;
  /** Called after each request. */
  readonly onSent: () => void;
}

/** Bytes of a response that are read. Lists of items may be longer, and are read to find an existing item. */
const MAX_BODY_BYTES = 1024 * 1024;
const REQUEST_TIMEOUT = 30_000;
/** Statuses by which a site asks for fewer requests (RFC 9110 §15.6.4, RFC 6585 §4). */
const BACK_OFF_STATUSES: ReadonlySet<number> = new Set([429, 503]);
const MAX_RETRIES = 3;
const DEFAULT_PAUSE = 10_000;
const MAX_PAUSE = 300_000;

export function createProbeClient(options: ProbeClientOptions): ProbeClient {
  const { clock, fetch, headers, onSent, signal, toUrl } = options;
  const pace = createPace(options);
  let sent = 0;
  let unreachableStreak = 0;

  async function sendOnce(
    request: Pick<ProbeRequest, 'method' | 'path' | 'query' | 'body'>,
  ): Promise<ProbeOutcome | { readonly kind: 'back-off'; readonly pause: number }> {
    await pace.wait();
    if (signal.aborted) return { kind: 'failure', reason: 'interrupted' };
    sent += 1;
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT)]);
    try {
      const response = await fetch(toUrl(request.path, request.query), {
        method: request.method,
        headers: [
          ...headers.map(([name, value]): [string, string] => [name, value]),
          ...bodyHeaders(request),
        ],
        body: request.body,
        redirect: 'manual',
        signal: timeout,
      });
      const read = await readLimitedBody(response, { maxBytes: MAX_BODY_BYTES, truncate: false }, timeout);
      unreachableStreak = 0;
      if (BACK_OFF_STATUSES.has(response.status)) {
        return { kind: 'back-off', pause: readRetryAfter(response.headers.get('retry-after'), clock.now()) };
      }
      return toOutcome(response, read.kind === 'read' ? parseJson(read.bytes) : undefined);
    } catch {
      if (signal.aborted) return { kind: 'failure', reason: 'interrupted' };
      unreachableStreak += 1;
      return { kind: 'failure', reason: 'unreachable' };
    } finally {
      onSent();
    }
  }

  return {
    async send(request) {
      for (let attempt = 0; attempt <= MAX_RETRIES; attempt += 1) {
        const outcome = await sendOnce(request);
        if (outcome.kind !== 'back-off') return outcome;
        pace.pause(outcome.pause);
      }
      return { kind: 'failure', reason: 'rate-limited' };
    },
    get sent() {
      return sent;
    },
    get unreachableStreak() {
      return unreachableStreak;
    },
  };
}

function bodyHeaders({ body }: Pick<ProbeRequest, 'body'>): [string, string][] {
  return body === null ? [] : [['content-type', 'application/json']];
}

function toOutcome({ headers, status }: Response, body: Json | undefined): ProbeOutcome {
  const { essence: mediaType } = parseMediaType(headers.get('content-type'));
  const hasAllow = (headers.get('allow') ?? '') !== '';
  const verdict = parseOriginVerdict({ status, mediaType, hasAllow, body });
  if (verdict.kind !== 'undecided') return { kind: 'verdict', verdict, status, body };
  if (status >= 500) return { kind: 'failure', reason: 'server-error' };
  return { kind: 'failure', reason: status === 401 || status === 403 ? 'needs-credentials' : 'no-verdict' };
}

function parseJson(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** Reads `Retry-After` (RFC 9110 §10.2.3): seconds or a date. @returns milliseconds */
function readRetryAfter(field: string | null, now: number): number {
  const seconds = /^\d{1,9}$/.test(field ?? '') ? Number(field) * 1000 : Date.parse(field ?? '') - now;
  return Number.isFinite(seconds) ? Math.min(MAX_PAUSE, Math.max(0, seconds)) : DEFAULT_PAUSE;
}

interface Pace {
  /** Resolves when the next request may be sent, or when the calibration is interrupted. */
  wait(): Promise<void>;
  /** Delays all further requests. @param delay in milliseconds */
  pause(delay: number): void;
}

/** Spaces the requests evenly. */
function createPace({ clock, rate, signal }: Pick<ProbeClientOptions, 'clock' | 'rate' | 'signal'>): Pace {
  const interval = 1000 / rate;
  let next = clock.now();
  let pausedUntil = next;

  function sleep(delay: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        cancel();
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const cancel = clock.after(delay, finish);
      signal.addEventListener('abort', finish);
    });
  }

  return {
    async wait() {
      let at = Math.max(next, clock.now());
      next = at + interval;
      for (;;) {
        // A pause that begins during the wait delays this request as well.
        at = Math.max(at, pausedUntil);
        if (at <= clock.now() || signal.aborted) return;
        await sleep(at - clock.now());
      }
    },
    pause(delay) {
      pausedUntil = Math.max(pausedUntil, clock.now() + delay);
      next = Math.max(next, pausedUntil);
    },
  };
}
