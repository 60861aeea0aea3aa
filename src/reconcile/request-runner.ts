import { routeUrl } from '../discovery/address.ts';
import type { DiscoveryClient } from '../discovery/client.ts';
import type { SiteAddress } from '../discovery/site.ts';
import type { Json } from '../json.ts';
import type { SampledResponse } from '../validation/response/index.ts';
import type { SelectedOperation } from './select-operations.ts';

/** A successful response, with the route that it came from. */
export interface RouteSample extends SampledResponse {
  /** The site's route pattern. */
  readonly route: string;
  /** The content; `undefined` if it is not JSON. */
  readonly content: Json | undefined;
}

export interface PlannedSample {
  readonly selected: SelectedOperation;
  readonly path: string;
  /** Query without its question mark; empty for none. */
  readonly query: string;
  readonly context: string | null;
}

/** Why sampling ended early. */
export type StopReason = 'limit' | 'site-asked' | 'bytes' | 'time';

export interface RequestRunnerOptions {
  readonly address: SiteAddress;
  /** Maximum number of requests. */
  readonly maxRequests: number;
  /** Maximum number of concurrent requests. */
  readonly concurrency: number;
  /** Called before each request. */
  readonly onRequest: (done: number, total: number) => void;
  readonly onResponse: (sample: RouteSample, path: string) => void;
}

/** Maximum bytes of response bodies, which stay in memory until the overlay is created. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
/** Statuses by which a site asks for fewer requests (RFC 9110 §15.6.4, RFC 6585 §4). Sampling ends. */
const BACK_OFF_STATUSES: ReadonlySet<number> = new Set([429, 503]);

/** Sends sample requests within the limits, and counts what was refused. */
export class RequestRunner {
  /** Number of requests that were sent. */
  requests = 0;
  stopped: StopReason | undefined;
  /** The first status or failure of each operation without a successful response, by its id. */
  readonly failures: Map<string, string> = new Map();
  readonly refused: Map<string, number> = new Map();
  readonly #options: RequestRunnerOptions;
  readonly #sent: Set<string> = new Set();
  #bytes = 0;

  constructor(options: RequestRunnerOptions) {
    this.#options = options;
  }

  /** Runs tasks, a few at once, until a limit is reached. */
  async run(tasks: readonly (() => Promise<void>)[]): Promise<void> {
    const waiting = [...tasks];
    const work = async (): Promise<void> => {
      for (
        let next = waiting.shift();
        next !== undefined && this.stopped === undefined;
        next = waiting.shift()
      ) {
        await next();
      }
    };
    await Promise.all(Array.from({ length: this.#options.concurrency }, work));
  }

  /**
   * Sends a request, unless it was sent before or a limit is reached.
   *
   * @returns whether the response is successful
   */
  async send(request: PlannedSample, client: DiscoveryClient, identity: number): Promise<boolean> {
    const { context, path, query, selected } = request;
    const parts = [query, context === null ? '' : `context=${context}`].filter((part) => part !== '');
    const url = withQuery(routeUrl(this.#options.address, path === '' ? '/' : path), parts.join('&'));
    const key = `${identity} ${url}`;
    if (this.#sent.has(key) || !this.#canContinue(client)) return false;
    this.#sent.add(key);
    this.requests += 1;
    this.#options.onRequest(this.requests, this.#options.maxRequests);
    const outcome = await client.request(new URL(url));
    if (outcome.kind === 'failure') return this.#countFailure(selected, outcome.failure.reason);
    const { bodyBytes: body, headers, status } = outcome.response;
    this.#bytes += body.byteLength;
    if (BACK_OFF_STATUSES.has(status)) this.stopped ??= 'site-asked';
    if (status < 200 || status > 299) return this.#countFailure(selected, String(status));
    const { operation, route } = selected;
    const requested = { method: 'GET', context, hasFieldFilter: false, isEnveloped: false };
    const content = parseJson(body);
    this.#options.onResponse(
      { operation, route, status, headers: [...headers].flat(), body, requested, content },
      path,
    );
    return true;
  }

  #canContinue(client: DiscoveryClient): boolean {
    if (this.requests >= this.#options.maxRequests) this.stopped ??= 'limit';
    if (this.#bytes >= MAX_TOTAL_BYTES) this.stopped ??= 'bytes';
    if (client.isOutOfTime()) this.stopped ??= 'time';
    return this.stopped === undefined;
  }

  #countFailure({ operation }: SelectedOperation, reason: string): false {
    this.refused.set(reason, (this.refused.get(reason) ?? 0) + 1);
    if (!this.failures.has(operation.id)) this.failures.set(operation.id, reason);
    return false;
  }
}

function parseJson(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // The response validator reports bodies that are not JSON.
    return undefined;
  }
}

function withQuery(url: string, query: string): string {
  if (query === '') return url;
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}
