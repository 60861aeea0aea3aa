import { routeUrl } from '../discovery/address.ts';
import type { DiscoveryClient } from '../discovery/client.ts';
import type { SiteAddress } from '../discovery/site.ts';
import type { Json } from '../json.ts';
import type { ServedApi, ServedOperation } from '../openapi/served-api.ts';
import type { SiteAnswer } from '../validation/response/index.ts';
import { createPathExpander, type PathExpander } from './path-expander.ts';
import { otherContexts, firstPageQuery, type SampledOperation, selectOperations, type SkippedOperation } from './select-operations.ts';

export interface SampleOptions {
  readonly client: DiscoveryClient;
  /** How many requests are sent. */
  readonly maxRequests: number;
  /** How many at a time. */
  readonly concurrency: number;
  /** Whether the caller has said who it is. */
  readonly hasCredentials: boolean;
  /** Is told of each request. */
  readonly onRequest: (done: number, most: number) => void;
}

/** What a site answered to those who only read. */
export interface SampleResult {
  readonly answers: readonly SiteAnswer[];
  readonly requests: number;
  /** By status, or by why there was none: how many requests were not answered with success. */
  readonly refused: Readonly<Record<string, number>>;
  readonly skipped: readonly SkippedOperation[];
  /** Why it ended before everything was asked; absent where nothing was left. */
  readonly stopped?: 'limit' | 'site-asked' | 'bytes' | 'time';
}

/** Answers are kept until the overlay is made. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
/** Items of one route. */
const ITEMS_PER_ROUTE = 3;
/** What a site answers that wants to be left alone (RFC 9110 §15.6.4, RFC 6585 §4). */
const BACK_OFF_STATUSES: ReadonlySet<number> = new Set([429, 503]);

interface SampleRequest {
  readonly operation: ServedOperation;
  readonly path: string;
  readonly context: string | null;
}

/**
 * Asks a site for one of everything that the document says it reads: collections, then items that were seen in them,
 * then both in other contexts. `GET` alone, and a few at a time.
 */
export async function sampleSite(api: ServedApi, options: SampleOptions): Promise<SampleResult> {
  const { readable, skipped } = selectOperations(api);
  const harvest = createPathExpander();
  const asking = new RequestRunner(api.address, options, harvest);
  const known: SampleRequest[] = [];
  const unasked: SkippedOperation[] = [...skipped];
  const depths = [...new Set(readable.map(({ parameters }) => parameters))];
  for (const depth of depths) {
    const requests = readable
      .filter(({ parameters }) => parameters === depth)
      .map((each) => ({ each, requests: requestsFor(each, harvest) }));
    for (const { each, requests: its } of requests) {
      if (its.length === 0) unasked.push({ operation: each.operation.id, reason: 'no-item-known' });
    }
    const level = interleave(requests.map(({ requests: its }) => its));
    known.push(...level);
    await asking.all(level);
  }
  const firsts = known.filter(
    ({ operation }, at) => known.findIndex((other) => other.operation === operation) === at,
  );
  await asking.all(
    firsts.flatMap(({ operation, path }) =>
      otherContexts(operation, options.hasCredentials).map((context) => ({ operation, path, context })),
    ),
  );
  const asked = new Set(asking.asked);
  for (const { operation } of firsts) {
    if (!asked.has(operation.id)) unasked.push({ operation: operation.id, reason: 'limit' });
  }
  return asking.result(unasked);
}

function requestsFor({ operation, parameters }: SampledOperation, harvest: PathExpander): readonly SampleRequest[] {
  const paths = parameters === 0 ? [operation.path] : harvest.expand(operation.path, ITEMS_PER_ROUTE);
  return paths.map((path) => ({ operation, path, context: null }));
}

/** The first of each before the second of any: where requests run out, every operation has had its turn. */
function interleave(lists: readonly (readonly SampleRequest[])[]): readonly SampleRequest[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
}

class RequestRunner {
  readonly asked: string[] = [];
  readonly #address: SiteAddress;
  readonly #options: SampleOptions;
  readonly #harvest: PathExpander;
  readonly #answers: SiteAnswer[] = [];
  readonly #refused: Map<string, number> = new Map();
  #bytes = 0;
  #stopped: SampleResult['stopped'];

  constructor(address: SiteAddress, options: SampleOptions, harvest: PathExpander) {
    this.#address = address;
    this.#options = options;
    this.#harvest = harvest;
  }

  async all(requests: readonly SampleRequest[]): Promise<void> {
    const waiting = [...requests];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined && this.#mayGoOn(); next = waiting.shift()) {
        await this.#ask(next);
      }
    };
    await Promise.all(Array.from({ length: this.#options.concurrency }, work));
  }

  result(skipped: readonly SkippedOperation[]): SampleResult {
    return {
      answers: this.#answers,
      requests: this.asked.length,
      refused: Object.fromEntries([...this.#refused].sort(([one], [other]) => (one < other ? -1 : 1))),
      skipped,
      ...(this.#stopped === undefined ? {} : { stopped: this.#stopped }),
    };
  }

  #mayGoOn(): boolean {
    if (this.asked.length >= this.#options.maxRequests) this.#stopped ??= 'limit';
    if (this.#bytes >= MAX_TOTAL_BYTES) this.#stopped ??= 'bytes';
    if (this.#options.client.isOutOfTime()) this.#stopped ??= 'time';
    return this.#stopped === undefined;
  }

  async #ask({ context, operation, path }: SampleRequest): Promise<void> {
    const { client, maxRequests, onRequest } = this.#options;
    this.asked.push(operation.id);
    onRequest(this.asked.length, maxRequests);
    const query = [firstPageQuery(operation), context === null ? '' : `context=${context}`].filter(
      (each) => each !== '',
    );
    const url = routeUrl(this.#address, path === '' ? '/' : path);
    const outcome = await client.request(new URL(withQuery(url, query.join('&'))));
    if (outcome.kind === 'refusal') return this.#refuse(outcome.failure.reason);
    const { bytes, headers, status } = outcome.response;
    this.#bytes += bytes.byteLength;
    if (BACK_OFF_STATUSES.has(status)) this.#stopped ??= 'site-asked';
    if (status < 200 || status > 299) return this.#refuse(String(status));
    if (context === null) this.#note(path, bytes);
    const asked = { method: 'GET', context, fields: false, envelope: false };
    const flat = [...headers].flat();
    this.#answers.push({ operation, status, headers: flat, body: bytes, asked });
  }

  #refuse(reason: string): void {
    this.#refused.set(reason, (this.#refused.get(reason) ?? 0) + 1);
  }

  #note(path: string, bytes: Uint8Array): void {
    try {
      const body: Json = JSON.parse(new TextDecoder().decode(bytes));
      this.#harvest.addResponse(path, body);
    } catch {
      // The judge says so.
    }
  }
}

function withQuery(url: string, query: string): string {
  if (query === '') return url;
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}
