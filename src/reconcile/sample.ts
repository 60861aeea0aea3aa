import type { DiscoveryClient } from '../discovery/client.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { ServedApi } from '../openapi/served-api.ts';
import { createPathExpander, type PathExpander } from './path-expander.ts';
import { type PlannedSample, RequestRunner, type RouteSample, type StopReason } from './request-runner.ts';
import {
  createSampleQuery,
  listOtherContexts,
  type SelectedOperation,
  type SkippedOperation,
  selectOperations,
} from './select-operations.ts';

/** Sends requests with the credentials of one user, or with none. */
export interface SampleIdentity {
  readonly client: DiscoveryClient;
  /** Whether requests carry credentials. */
  readonly hasCredentials: boolean;
}

export interface SampleOptions {
  readonly identities: readonly SampleIdentity[];
  /** Maximum number of requests of all identities. */
  readonly maxRequests: number;
  /** Maximum number of concurrent requests. */
  readonly concurrency: number;
  /** Called before each request. */
  readonly onRequest: (done: number, total: number) => void;
}

/** The responses of a site to sample requests. */
export interface SampleResult extends SampleCounts {
  readonly responses: readonly RouteSample[];
}

/** Counts of the sample requests, and the operations that were not sampled. */
export interface SampleCounts {
  readonly requests: number;
  /** Number of requests without a 2xx response, by status or by the reason of the failure. */
  readonly refused: Readonly<Record<string, number>>;
  /** Operations that were not sampled. */
  readonly skippedOperations: readonly SkippedOperation[];
  /** Operations without a successful response, each with the first status or the reason of the first failure. */
  readonly refusedOperations: Readonly<Record<string, string>>;
  /** The reason why sampling ended early; absent if it was complete. */
  readonly stopped?: StopReason;
}

/** Number of items that are requested of one route, and the most if more requests are allowed than by default. */
const ITEMS_PER_ROUTE = { usual: 3, most: 100 } as const;
/** Further pages of one collection that are requested if more requests are allowed than by default. */
const FURTHER_PAGES = 4;
/** Default of the maximum number of requests. */
export const DEFAULT_MAX_REQUESTS: number = 200;

/**
 * Requests samples of every operation that reads, with all identities: each operation once, collections before the items
 * that they contain; then other contexts; then more items; then more items in other contexts, and more pages. A limit so leaves out as few operations as possible. It sends
 * `GET` requests only.
 */
export async function sampleSite(api: ServedApi, options: SampleOptions): Promise<SampleResult> {
  const { selected, skipped } = selectOperations(api);
  const paths = createPathExpander();
  const responses: RouteSample[] = [];
  const sampled = new Set<string>();
  const runner = new RequestRunner({
    ...options,
    address: api.address,
    onResponse(sample, path) {
      responses.push(sample);
      sampled.add(sample.operation.id);
      if (sample.requested.context === null && sample.content !== undefined)
        paths.addResponse(path, sample.content);
    },
  });
  const share = Math.floor(options.maxRequests / Math.max(1, selected.length * options.identities.length));
  const maxItems =
    options.maxRequests <= DEFAULT_MAX_REQUESTS
      ? ITEMS_PER_ROUTE.usual
      : Math.min(ITEMS_PER_ROUTE.most, Math.max(ITEMS_PER_ROUTE.usual, 2 * share));
  const rounds = options.identities.map(
    (identity, index) => new SampleRounds({ runner, identity, index, paths, maxItems }),
  );
  const skippedOperations = new Map(skipped.map((each) => [each.operation, each]));
  const depths = [...new Set(selected.map(({ pathParameterCount }) => pathParameterCount))];
  for (const round of rounds) {
    for (const depth of depths)
      await round.sampleFirst(selected.filter((each) => each.pathParameterCount === depth));
  }
  // What was found in later responses may fill the parameters of earlier operations.
  for (const round of rounds)
    await round.sampleFirst(selected.filter(({ operation }) => !sampled.has(operation.id)));
  for (const round of rounds) await round.sampleContexts(selected);
  for (const round of rounds) await round.sampleMore(selected);
  if (options.maxRequests > DEFAULT_MAX_REQUESTS) {
    for (const round of rounds) await round.sampleMoreContexts(selected);
    for (const round of rounds) await round.samplePages(selected);
  }
  for (const { operation } of selected) {
    if (sampled.has(operation.id) || runner.failures.has(operation.id)) continue;
    const reason = runner.stopped === 'limit' ? 'limit' : reasonWithoutRequest(operation, paths);
    skippedOperations.set(operation.id, { operation: operation.id, reason });
  }
  return omitUndefined({
    responses,
    requests: runner.requests,
    refused: sortByName(runner.refused),
    skippedOperations: [...skippedOperations.values()],
    refusedOperations: sortByName([...runner.failures].filter(([operation]) => !sampled.has(operation))),
    stopped: runner.stopped,
  });
}

function reasonWithoutRequest(
  operation: SelectedOperation['operation'],
  paths: PathExpander,
): SkippedOperation['reason'] {
  return createSampleQuery(operation, paths) === null ? 'required-parameter' : 'no-item-known';
}

function sortByName<Value>(entries: Iterable<readonly [string, Value]>): Readonly<Record<string, Value>> {
  return Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));
}

interface RoundOptions {
  readonly runner: RequestRunner;
  readonly identity: SampleIdentity;
  readonly index: number;
  readonly paths: PathExpander;
  /** Maximum number of items that are requested of one route. */
  readonly maxItems: number;
}

/** The rounds of requests of one identity. */
class SampleRounds {
  readonly #runner: RequestRunner;
  readonly #identity: SampleIdentity;
  readonly #index: number;
  readonly #paths: PathExpander;
  readonly #maxItems: number;
  /** The path of the first successful response of each operation. */
  readonly #firstPaths: Map<SelectedOperation, string> = new Map();

  constructor({ identity, index, maxItems, paths, runner }: RoundOptions) {
    this.#runner = runner;
    this.#maxItems = maxItems;
    this.#identity = identity;
    this.#index = index;
    this.#paths = paths;
  }

  /** Requests each operation until it responds successfully, with a few items at most. */
  async sampleFirst(selected: readonly SelectedOperation[]): Promise<void> {
    await this.#runner.run(
      selected.map((each) => async () => {
        for (const request of this.#createRequests(each, ITEMS_PER_ROUTE.usual)) {
          if (!(await this.#send(request))) continue;
          this.#firstPaths.set(each, request.path);
          return;
        }
      }),
    );
  }

  async sampleContexts(selected: readonly SelectedOperation[]): Promise<void> {
    await this.#sendAll(
      selected.flatMap((each) => {
        const path = this.#firstPaths.get(each);
        return path === undefined ? [] : this.#inOtherContexts(each, [path]);
      }),
    );
  }

  /** Requests more items in other contexts. */
  async sampleMoreContexts(selected: readonly SelectedOperation[]): Promise<void> {
    const lists = selected
      .filter((each) => this.#firstPaths.has(each))
      .map((each) =>
        this.#inOtherContexts(
          each,
          this.#createRequests(each, this.#maxItems).map(({ path }) => path),
        ),
      );
    await this.#sendAll(inTurns(lists));
  }

  /** Requests short pages of collections, so that they have several. */
  async samplePages(selected: readonly SelectedOperation[]): Promise<void> {
    const lists = selected.map((each): readonly PlannedSample[] => {
      const path = this.#firstPaths.get(each);
      const query = createSampleQuery(each.operation, this.#paths);
      const isPaged = ['page', 'per_page'].every((name) =>
        each.operation.parameters.some((parameter) => parameter.in === 'query' && parameter.name === name),
      );
      if (path === undefined || query === null || !isPaged) return [];
      const others = query.split('&').filter((part) => !part.startsWith('per_page='));
      return Array.from({ length: FURTHER_PAGES }, (_, index) => ({
        selected: each,
        path,
        query: [...others, 'per_page=2', `page=${index + 1}`].join('&'),
        context: null,
      }));
    });
    await this.#sendAll(inTurns(lists));
  }

  #inOtherContexts(selected: SelectedOperation, paths: readonly string[]): readonly PlannedSample[] {
    const query = createSampleQuery(selected.operation, this.#paths);
    if (query === null) return [];
    const contexts = listOtherContexts(selected.operation, this.#identity.hasCredentials);
    return paths.flatMap((path) => contexts.map((context) => ({ selected, path, query, context })));
  }

  /** Requests more items of each operation, the second of all operations before the third of any. */
  async sampleMore(selected: readonly SelectedOperation[]): Promise<void> {
    const lists = selected
      .filter((each) => this.#firstPaths.has(each))
      .map((each) =>
        this.#createRequests(each, this.#maxItems).filter(({ path }) => path !== this.#firstPaths.get(each)),
      );
    await this.#sendAll(inTurns(lists));
  }

  #createRequests(selected: SelectedOperation, maxItems: number): readonly PlannedSample[] {
    const { isOfRoute, operation, pathParameterCount } = selected;
    const query = createSampleQuery(operation, this.#paths);
    if (query === null) return [];
    const paths =
      pathParameterCount === 0 ? [operation.path] : this.#paths.expand(operation.path, maxItems, isOfRoute);
    return paths.map((path) => ({ selected, path, query, context: null }));
  }

  async #sendAll(requests: readonly PlannedSample[]): Promise<void> {
    await this.#runner.run(
      requests.map((request) => async () => {
        await this.#send(request);
      }),
    );
  }

  async #send(request: PlannedSample): Promise<boolean> {
    return this.#runner.send(request, this.#identity.client, this.#index);
  }
}

/** The first of each list, then the second of each, and so on. */
function inTurns<Item>(lists: readonly (readonly Item[])[]): readonly Item[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}
