import { readLimitedBody } from '../discovery/client.ts';
import { parseMediaType } from '../http/fields.ts';
import { type Json, parseJson } from '../json.ts';
import type { Clock } from '../ports.ts';
import { type OriginVerdict, parseOriginVerdict } from '../validation/evidence/origin-verdict.ts';

/** Why a request gives no verdict of the site. */
export type ProbeFailure =
  | 'needs-credentials'
  | 'server-error'
  | 'rate-limited'
  | 'unreachable'
  | 'no-verdict'
  | 'interrupted';

export type ProbeOutcome = { readonly verdict: OriginVerdict; readonly status: number } | ProbeFailure;

/** Bytes of a response that are read. Errors are small. */
const MAX_BODY_BYTES = 64 * 1024;
const REQUEST_TIMEOUT = 30_000;
/** Statuses by which a site asks for fewer requests (RFC 9110 §15.6.4, RFC 6585 §4). */
const BACK_OFF_STATUSES: ReadonlySet<number> = new Set([429, 503]);
const MAX_RETRIES = 3;
const DEFAULT_PAUSE = 10_000;
const MAX_PAUSE = 300_000;

export interface SentRequest {
  readonly method: string;
  /** Path of the route, with values in place of its parameters. */
  readonly path: string;
  /** Without question mark. */
  readonly query: string;
  /** A JSON body; `null` for none. */
  readonly body: string | null;
}

interface ProbeClientOptions {
  /** Builds the URL of a route with a query. */
  readonly toUrl: (path: string, query: string) => string;
  readonly headers: readonly (readonly [string, string])[];
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** Requests per second. */
  readonly rate: number;
  readonly signal: AbortSignal;
}

/** Sends probes one after another at a limited rate. */
export class ProbeClient {
  sent = 0;
  /** Number of requests in a row that got no response. */
  unreachableStreak = 0;
  readonly #options: ProbeClientOptions;
  /** Time of the next request, if no pause delays it. */
  #next: number;
  #pausedUntil: number;

  constructor(options: ProbeClientOptions) {
    this.#options = options;
    this.#next = options.clock.now();
    this.#pausedUntil = this.#next;
  }

  async send(request: SentRequest): Promise<ProbeOutcome> {
    const { clock, signal } = this.#options;
    for (let attempt = 0; attempt <= MAX_RETRIES; attempt += 1) {
      await this.#waitForTurn();
      if (signal.aborted) return 'interrupted';
      this.sent += 1;
      const received = await this.#fetch(request).catch(() => null);
      if (received === null) {
        if (signal.aborted) return 'interrupted';
        this.unreachableStreak += 1;
        return 'unreachable';
      }
      this.unreachableStreak = 0;
      const { body, response } = received;
      if (!BACK_OFF_STATUSES.has(response.status)) return toOutcome(response, body);
      // All further requests are delayed.
      const pause = readRetryAfter(response.headers.get('retry-after'), clock.now());
      this.#pausedUntil = Math.max(this.#pausedUntil, clock.now() + pause);
      this.#next = Math.max(this.#next, this.#pausedUntil);
    }
    return 'rate-limited';
  }

  async #fetch({ body, method, path, query }: SentRequest): Promise<{
    readonly response: Response;
    readonly body: Json | undefined;
  }> {
    const { fetch, headers, signal, toUrl } = this.#options;
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT)]);
    const type = body === null ? [] : [['content-type', 'application/json'] as const];
    const init = {
      method,
      headers: new Headers([...headers, ...type].map(([name, value]) => [name, value])),
      body,
    };
    const response = await fetch(toUrl(path, query), { ...init, redirect: 'manual', signal: timeout });
    const read = await readLimitedBody(response, { maxBytes: MAX_BODY_BYTES, truncate: false }, timeout);
    return { response, body: read.kind === 'read' ? parseJson(read.body.bytes()) : undefined };
  }

  /** Spaces the requests evenly. Resolves when the next one may be sent, or when the calibration is interrupted. */
  async #waitForTurn(): Promise<void> {
    const { clock, rate, signal } = this.#options;
    const at = Math.max(this.#next, clock.now());
    this.#next = at + 1000 / rate;
    // A pause that begins during the wait delays this request as well.
    for (let due = at; due > clock.now() && !signal.aborted; due = Math.max(at, this.#pausedUntil)) {
      await sleep(due - clock.now(), clock, signal);
    }
  }
}

function sleep(delay: number, clock: Clock, signal: AbortSignal): Promise<void> {
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

function toOutcome({ headers, status }: Response, body: Json | undefined): ProbeOutcome {
  const { essence: mediaType } = parseMediaType(headers.get('content-type'));
  const hasAllow = (headers.get('allow') ?? '') !== '';
  const verdict = parseOriginVerdict({ status, mediaType, hasAllow, body });
  if (verdict.kind !== 'undecided') return { verdict, status };
  if (status >= 500) return 'server-error';
  return status === 401 || status === 403 ? 'needs-credentials' : 'no-verdict';
}

/** Reads `Retry-After` (RFC 9110 §10.2.3): seconds or a date. @returns milliseconds */
function readRetryAfter(field: string | null, now: number): number {
  const seconds = /^\d{1,9}$/.test(field ?? '') ? Number(field) * 1000 : Date.parse(field ?? '') - now;
  return Number.isFinite(seconds) ? Math.min(MAX_PAUSE, Math.max(0, seconds)) : DEFAULT_PAUSE;
}
