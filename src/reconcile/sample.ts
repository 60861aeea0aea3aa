import { routeUrl } from '../discovery/address.ts';
import type { DiscoveryClient } from '../discovery/client.ts';
import type { SiteAddress } from '../discovery/site.ts';
import type { Json } from '../json.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { ServedApi, ServedOperation } from '../openapi/served-api.ts';
import type { SampledResponse } from '../validation/response/index.ts';
import { createPathExpander, type PathExpander } from './path-expander.ts';
import {
  createFirstPageQuery,
  listNonViewContexts,
  type SelectedOperation,
  type SkippedOperation,
  selectOperations,
} from './select-operations.ts';

export interface SampleOptions {
  readonly client: DiscoveryClient;
  /** Maximum number of requests. */
  readonly maxRequests: number;
  /** Maximum number of concurrent requests. */
  readonly concurrency: number;
  /** Whether requests carry credentials. */
  readonly hasCredentials: boolean;
  /** Called before each request. */
  readonly onRequest: (done: number, total: number) => void;
}

/** The responses of a site to sample requests. */
export interface SampleResult extends SampleCounts {
  readonly responses: readonly SampledResponse[];
}

/** Counts of the sample requests, and the operations that were not sampled. */
export interface SampleCounts {
  readonly requests: number;
  /** Number of requests without a 2xx response, by status or by the reason of the failure. */
  readonly refused: Readonly<Record<string, number>>;
  /** Operations that were not sampled. */
  readonly skippedOperations: readonly SkippedOperation[];
  /** The reason why sampling ended early; absent if it was complete. */
  readonly stopped?: 'limit' | 'site-asked' | 'bytes' | 'time';
}

/** Maximum bytes of response bodies, which stay in memory until the overlay is created. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
/** Maximum number of items that are requested of one route. */
const ITEMS_PER_ROUTE = 3;
/** Statuses by which a site asks for fewer requests (RFC 9110 §15.6.4, RFC 6585 §4). Sampling ends. */
const BACK_OFF_STATUSES: ReadonlySet<number> = new Set([429, 503]);

interface SampleRequest {
  readonly operation: ServedOperation;
  readonly path: string;
  readonly context: string | null;
}

/**
 * Requests samples of every operation that reads: collections, then items that the collections contain, then both in
 * other contexts. It sends `GET` requests only.
 */
export async function sampleSite(api: ServedApi, options: SampleOptions): Promise<SampleResult> {
  const { selected, skipped } = selectOperations(api);
  const paths = createPathExpander();
  const runner = new RequestRunner(api.address, options, paths);
  const planned: SampleRequest[] = [];
  const skippedOperations: SkippedOperation[] = [...skipped];
  const depths = [...new Set(selected.map(({ pathParameterCount }) => pathParameterCount))];
  for (const depth of depths) {
    const samples = selected
      .filter(({ pathParameterCount }) => pathParameterCount === depth)
      .map((sampled) => ({ sampled, requests: requestsFor(sampled, paths) }));
    for (const { sampled, requests } of samples) {
      if (requests.length === 0) {
        skippedOperations.push({ operation: sampled.operation.id, reason: 'no-item-known' });
      }
    }
    const level = interleave(samples.map(({ requests }) => requests));
    planned.push(...level);
    await runner.run(level);
  }
  const firsts = planned.filter(
    ({ operation }, index) => planned.findIndex((other) => other.operation === operation) === index,
  );
  await runner.run(
    firsts.flatMap(({ operation, path }) =>
      listNonViewContexts(operation, options.hasCredentials).map((context) => ({ operation, path, context })),
    ),
  );
  const requested = new Set(runner.requested);
  for (const { operation } of firsts) {
    if (!requested.has(operation.id)) skippedOperations.push({ operation: operation.id, reason: 'limit' });
  }
  return runner.result(skippedOperations);
}

function requestsFor(
  { operation, pathParameterCount }: SelectedOperation,
  expander: PathExpander,
): readonly SampleRequest[] {
  const paths =
    pathParameterCount === 0 ? [operation.path] : expander.expand(operation.path, ITEMS_PER_ROUTE);
  return paths.map((path) => ({ operation, path, context: null }));
}

/** Puts the first requests of all lists before the second ones, so that a limit skips as few operations as possible. */
function interleave(lists: readonly (readonly SampleRequest[])[]): readonly SampleRequest[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
}

/** Sends sample requests within the limits, and collects their responses. */
class RequestRunner {
  /** Operation ids, one for each request. */
  readonly requested: string[] = [];
  readonly #address: SiteAddress;
  readonly #options: SampleOptions;
  readonly #paths: PathExpander;
  readonly #responses: SampledResponse[] = [];
  readonly #refused: Map<string, number> = new Map();
  #bytes = 0;
  #stopped: SampleResult['stopped'];

  constructor(address: SiteAddress, options: SampleOptions, paths: PathExpander) {
    this.#address = address;
    this.#options = options;
    this.#paths = paths;
  }

  async run(requests: readonly SampleRequest[]): Promise<void> {
    const waiting = [...requests];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined && this.#canContinue(); next = waiting.shift()) {
        await this.#send(next);
      }
    };
    await Promise.all(Array.from({ length: this.#options.concurrency }, work));
  }

  result(skippedOperations: readonly SkippedOperation[]): SampleResult {
    return omitUndefined({
      responses: this.#responses,
      requests: this.requested.length,
      refused: Object.fromEntries([...this.#refused].sort(([one], [other]) => (one < other ? -1 : 1))),
      skippedOperations,
      stopped: this.#stopped,
    });
  }

  #canContinue(): boolean {
    if (this.requested.length >= this.#options.maxRequests) this.#stopped ??= 'limit';
    if (this.#bytes >= MAX_TOTAL_BYTES) this.#stopped ??= 'bytes';
    if (this.#options.client.isOutOfTime()) this.#stopped ??= 'time';
    return this.#stopped === undefined;
  }

  async #send({ context, operation, path }: SampleRequest): Promise<void> {
    const { client, maxRequests, onRequest } = this.#options;
    this.requested.push(operation.id);
    onRequest(this.requested.length, maxRequests);
    const query = [createFirstPageQuery(operation), context === null ? '' : `context=${context}`].filter(
      (part) => part !== '',
    );
    const url = routeUrl(this.#address, path === '' ? '/' : path);
    const outcome = await client.request(new URL(withQuery(url, query.join('&'))));
    if (outcome.kind === 'failure') return this.#countFailure(outcome.failure.reason);
    const { bodyBytes, headers, status } = outcome.response;
    this.#bytes += bodyBytes.byteLength;
    if (BACK_OFF_STATUSES.has(status)) this.#stopped ??= 'site-asked';
    if (status < 200 || status > 299) return this.#countFailure(String(status));
    if (context === null) this.#readItems(path, bodyBytes);
    const requested = { method: 'GET', context, hasFieldFilter: false, isEnveloped: false };
    const flat = [...headers].flat();
    this.#responses.push({ operation, status, headers: flat, body: bodyBytes, requested });
  }

  #countFailure(reason: string): void {
    this.#refused.set(reason, (this.#refused.get(reason) ?? 0) + 1);
  }

  #readItems(path: string, bytes: Uint8Array): void {
    try {
      const body: Json = JSON.parse(new TextDecoder().decode(bytes));
      this.#paths.addResponse(path, body);
    } catch {
      // The response validator reports bodies that are not JSON.
    }
  }
}

function withQuery(url: string, query: string): string {
  if (query === '') return url;
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}
