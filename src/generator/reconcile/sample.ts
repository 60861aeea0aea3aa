import { ConfigurationError } from '../../base/errors.ts';
import { sortByKey } from '../../base/group-by.ts';
import { isJsonObject, type Json, jsonItems, parseJson } from '../../base/json.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { compileRoute } from '../../base/pcre/index.ts';
import { routeUrl } from '../discovery/address.ts';
import type { DiscoveryClient } from '../discovery/client.ts';
import type { Operation, Parameter, ServedApi } from '../openapi/index.ts';
import { typesOf } from '../openapi/schema-view.ts';
import type { SampledResponse } from '../validation/response/validator.ts';
import { getDefaultContext } from './document-operations.ts';
import { PathExpander } from './path-expander.ts';

interface SampleOptions {
  readonly client: DiscoveryClient;
  readonly hasCredentials: boolean;
  readonly maxRequests: number;
  readonly concurrency: number;
  readonly onRequest: (done: number, total: number) => void;
  /** Requests that the user names. A write is sent only if it is one of them. */
  readonly samples: readonly string[];
}

export interface SampleResult extends SampleCounts {
  readonly responses: readonly RouteSample[];
}

export interface SampleCounts {
  readonly requests: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly skippedOperations: readonly SkippedOperation[];
  readonly unsentRequests: Readonly<Record<string, UnsentReason>>;
  readonly refusedOperations: Readonly<Record<string, string>>;
  readonly stopped?: StopReason;
}

export type UnsentReason = 'no-operation' | 'limit';

export type StopReason = 'limit' | 'site-asked' | 'bytes' | 'time';

export interface SkippedOperation {
  readonly operation: string;
  readonly path: string;
  readonly reason: 'required-parameter' | 'no-item-known' | 'refused' | 'costly' | 'limit';
}

export interface RouteSample extends SampledResponse {
  readonly route: string;
  readonly content: Json | undefined;
}

interface SelectedOperation {
  readonly operation: Operation;
  readonly route: string;
  readonly pathParameterCount: number;
  readonly isOfRoute: (path: string) => boolean;
}

interface PlannedSample {
  readonly selected: SelectedOperation;
  readonly path: string;
  readonly query: string;
  readonly context: string | null;
  readonly body?: Json;
}

type GivenRequest = Required<Pick<PlannedSample, 'path' | 'query' | 'body'>> & {
  readonly method: string;
  readonly text: string;
};

function parseGivenRequest(text: string): GivenRequest {
  const parts = /^(?:([A-Z]+) )?(\/[^\s?{]*)(?:\?(\S*))?(?: (.*))?$/s.exec(text);
  const [, method = 'GET', path = '', query = '', json = 'null'] = parts ?? [];
  const body = parseJson(json);
  if (parts !== null && body !== undefined) return { method, path, query, body, text };
  throw new ConfigurationError(
    `--sample ${text}: give a path, or a method, a path and a body, such as 'POST /x/v1/things {"title":"A"}'`,
  );
}

const ITEMS_PER_ROUTE = { usual: 3, most: 100 } as const;
export const DEFAULT_MAX_REQUESTS: number = 200;
/** Maximum bytes of response bodies, which stay in memory until the overlay is created. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
/** Statuses that ask for fewer requests (RFC 9110 §15.6.4, RFC 6585 §4). */
const BACK_OFF_STATUSES: ReadonlySet<number> = new Set([429, 503]);

/** In an order that leaves out few operations at the limit: the user's requests, each read once, other contexts, more items. */
export async function sampleSite(api: ServedApi, options: SampleOptions): Promise<SampleResult> {
  const { all, selected, skipped } = selectOperations(api);
  const sampler = new Sampler(api, options);
  const { maxRequests } = options;
  const share = Math.floor(maxRequests / Math.max(1, selected.length));
  const maxItems =
    maxRequests > DEFAULT_MAX_REQUESTS
      ? Math.min(ITEMS_PER_ROUTE.most, Math.max(ITEMS_PER_ROUTE.usual, 2 * share))
      : ITEMS_PER_ROUTE.usual;
  await sampler.sampleGiven(all);
  for (const depth of new Set(selected.map(({ pathParameterCount }) => pathParameterCount))) {
    await sampler.sampleFirst(selected.filter(({ pathParameterCount }) => pathParameterCount === depth));
  }
  // Later responses can fill the parameters of earlier operations.
  await sampler.sampleFirst(selected.filter(({ operation }) => !sampler.sampled.has(operation.id)));
  await sampler.sampleContexts(selected);
  for (const { operation } of selected) {
    const { id, path } = operation;
    if (sampler.sampled.has(id) || sampler.failures.has(id)) continue;
    const isUnknown = createSampleQuery(operation, sampler.paths) === null;
    const isBelowRefused = selected.some(
      ({ operation: above }) =>
        path.startsWith(`${above.path}/{`) &&
        isDenied(sampler.failures.get(above.id)) &&
        !sampler.sampled.has(above.id),
    );
    const reason = isUnknown ? 'required-parameter' : isBelowRefused ? 'refused' : 'no-item-known';
    skipped.push({ operation: id, path, reason: sampler.stopped === undefined ? reason : 'limit' });
  }
  await sampler.sampleMore(selected, maxItems);
  return omitUndefined({
    responses: sampler.responses,
    requests: sampler.requests,
    refused: Object.fromEntries(sortByKey(sampler.refused)),
    skippedOperations: [...new Map(skipped.map((each) => [each.operation, each])).values()],
    unsentRequests: Object.fromEntries(
      options.samples
        .filter((text) => !sampler.sentGiven.has(text))
        .map((text): [string, UnsentReason] => {
          const { method, path } = parseGivenRequest(text);
          const isKnown = all.some(
            ({ isOfRoute, operation }) => operation.method === method && isOfRoute(path),
          );
          return [text, isKnown ? 'limit' : 'no-operation'];
        }),
    ),
    refusedOperations: Object.fromEntries(
      sortByKey(sampler.failures).filter(([operation]) => !sampler.sampled.has(operation)),
    ),
    stopped: sampler.stopped,
  });
}

export function isDenied(status: string | undefined): boolean {
  return status === '401' || status === '403';
}

class Sampler {
  readonly responses: RouteSample[] = [];
  readonly sampled: Set<string> = new Set();
  readonly paths: PathExpander = new PathExpander();
  readonly sentGiven: Set<string> = new Set();
  readonly #given: readonly GivenRequest[];
  requests = 0;
  stopped: StopReason | undefined;
  readonly failures: Map<string, string> = new Map();
  readonly refused: Map<string, number> = new Map();
  readonly #api: ServedApi;
  readonly #options: SampleOptions;
  readonly #sent: Set<string> = new Set();
  readonly #firstPaths: Map<SelectedOperation, string> = new Map();
  #bytes = 0;

  constructor(api: ServedApi, options: SampleOptions) {
    this.#api = api;
    this.#options = options;
    this.#given = options.samples.map(parseGivenRequest);
  }

  async sampleGiven(all: readonly SelectedOperation[]): Promise<void> {
    for (const selected of all) {
      const { isOfRoute, operation } = selected;
      for (const { method, text, ...request } of this.#given) {
        if (method !== operation.method || !isOfRoute(request.path)) continue;
        const { requests } = this;
        const isSuccess = await this.#send({ ...request, selected, context: null });
        if (this.requests > requests) this.sentGiven.add(text);
        if (isSuccess && !this.#firstPaths.has(selected)) this.#firstPaths.set(selected, request.path);
      }
    }
  }

  async sampleFirst(selected: readonly SelectedOperation[]): Promise<void> {
    const missing = selected.filter((each) => !this.#firstPaths.has(each));
    await this.#run(
      missing.map((each) => async () => {
        for (const request of this.#createRequests(each, ITEMS_PER_ROUTE.usual)) {
          if (!(await this.#send(request))) continue;
          this.#firstPaths.set(each, request.path);
          return;
        }
      }),
    );
  }

  async sampleContexts(selected: readonly SelectedOperation[]): Promise<void> {
    const requests = this.#listSampled(selected).flatMap(([each, path]) => {
      const query = createSampleQuery(each.operation, this.paths);
      if (query === null) return [];
      const contexts = listOtherContexts(each.operation, this.#options.hasCredentials);
      return contexts.map((context) => ({ selected: each, path, query, context }));
    });
    await this.#sendAll(requests);
  }

  /** Requests more items, the second of all operations before the third of any. */
  async sampleMore(selected: readonly SelectedOperation[], maxItems: number): Promise<void> {
    const lists = this.#listSampled(selected).map(([each, first]) =>
      this.#createRequests(each, maxItems).filter(({ path }) => path !== first),
    );
    const longest = Math.max(0, ...lists.map(({ length }) => length));
    await this.#sendAll(
      Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat(),
    );
  }

  #listSampled(selected: readonly SelectedOperation[]): readonly (readonly [SelectedOperation, string])[] {
    return selected.flatMap((each) => {
      const path = this.#firstPaths.get(each);
      return path === undefined ? [] : [[each, path] as const];
    });
  }

  #createRequests(selected: SelectedOperation, maxItems: number): readonly PlannedSample[] {
    const { isOfRoute, operation } = selected;
    const query = createSampleQuery(operation, this.paths);
    if (query === null) return [];
    const paths = fillDeclared(selected).flatMap((template) =>
      template.includes('{') ? this.paths.expand(template, maxItems).filter(isOfRoute) : [template],
    );
    return [...new Set(paths)].slice(0, maxItems).map((path) => ({ selected, path, query, context: null }));
  }

  async #sendAll(requests: readonly PlannedSample[]): Promise<void> {
    await this.#run(requests.map((request) => () => this.#send(request)));
  }

  async #run(tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
    const waiting = tasks.values();
    const work = async (): Promise<void> => {
      for (const next of waiting) await next();
    };
    await Promise.all(Array.from({ length: this.#options.concurrency }, work));
  }

  /** Sends a request, unless it was sent before or a limit is reached. Returns whether it succeeded. */
  async #send(request: PlannedSample): Promise<boolean> {
    const { body: sentBody = null, context, path, query, selected } = request;
    const { operation, route } = selected;
    const { method } = operation;
    const { client } = this.#options;
    const parts = [query, context === null ? '' : `context=${context}`].filter((part) => part !== '');
    const url = routeUrl(this.#api.address, path, parts.join('&'));
    const text = sentBody === null ? undefined : JSON.stringify(sentBody);
    const key = [method, url, text].join(' ');
    if (this.#sent.has(key) || !this.#canContinue()) return false;
    this.#sent.add(key);
    this.requests += 1;
    this.#options.onRequest(this.requests, this.#options.maxRequests);
    const outcome = await client.request(new URL(url), {
      method,
      ...(text === undefined ? {} : { body: text }),
    });
    if (outcome.kind === 'failure') return this.#countFailure(selected, outcome.failure.reason);
    const { headers, status } = outcome.response;
    const body = outcome.response.body.bytes();
    this.#bytes += body.byteLength;
    if (BACK_OFF_STATUSES.has(status)) this.stopped ??= 'site-asked';
    if (status < 200 || status > 299) return this.#countFailure(selected, String(status));
    // The response validator reports bodies that are not JSON.
    const content = parseJson(body);
    const received = { status, headers: [...headers].flat(), body, context, content };
    this.responses.push({ operation, route, ...received });
    this.sampled.add(operation.id);
    if (method === 'GET' && content !== undefined && context === null)
      this.paths.addResponse(path, content, operation.path);
    return true;
  }

  #canContinue(): boolean {
    if (this.requests >= this.#options.maxRequests) this.stopped ??= 'limit';
    if (this.#bytes >= MAX_TOTAL_BYTES) this.stopped ??= 'bytes';
    if (this.#options.client.isOutOfTime()) this.stopped ??= 'time';
    return this.stopped === undefined;
  }

  #countFailure({ operation }: SelectedOperation, reason: string): false {
    this.refused.set(reason, (this.refused.get(reason) ?? 0) + 1);
    if (!this.failures.has(operation.id)) this.failures.set(operation.id, reason);
    return false;
  }
}

/** Site health requests the site itself and sums up folders; the directories are wordpress.org's. */
const EXPENSIVE_PATHS = /^\/(?:wp-site-health|wp\/v2\/(?:block|pattern)-directory)(?:\/|$)/;

function selectOperations(api: ServedApi): {
  readonly all: readonly SelectedOperation[];
  readonly selected: readonly SelectedOperation[];
  readonly skipped: SkippedOperation[];
} {
  const all = api.routes.flatMap(({ operations, pattern: route }) => {
    const { match } = compileRoute(route);
    const isOfRoute = (candidate: string): boolean => match(candidate) !== null;
    return Array.from(operations.values(), (operation): SelectedOperation => {
      return { operation, route, pathParameterCount: operation.path.split('{').length - 1, isOfRoute };
    });
  });
  const reads = all.filter(({ operation }) => operation.method === 'GET');
  const isCostly = ({ operation }: SelectedOperation): boolean => EXPENSIVE_PATHS.test(operation.path);
  return {
    all,
    selected: reads
      .filter((each) => !isCostly(each))
      .sort((one, other) => one.pathParameterCount - other.pathParameterCount),
    skipped: reads
      .filter(isCostly)
      .map(({ operation: { id, path } }) => ({ operation: id, path, reason: 'costly' })),
  };
}

/** Other contexts than the default, without `edit` if there are no credentials. */
function listOtherContexts(operation: Operation, hasCredentials: boolean): readonly string[] {
  const usual = getDefaultContext(operation);
  return [...(operation.contextReferences?.keys() ?? [])].filter(
    (context) => context !== usual && (hasCredentials || context !== 'edit') && /^[\w-]{1,32}$/.test(context),
  );
}

/** Paths with the route's own words: `/bulk/delete` and `/bulk/reset` of `/bulk/(?P<bulk>delete|reset)`. */
function fillDeclared({ operation, route }: SelectedOperation): readonly string[] {
  return Array.from(route.matchAll(/\(\?P?<(\w+)>([\w-]+(?:\|[\w-]+)*)\)/g)).reduce(
    (paths, [, name, words = '']) =>
      paths.flatMap((path) => words.split('|').map((word) => path.replace(`{${name}}`, word))),
    [operation.path],
  );
}

const MAX_PER_PAGE = 50;

/** Creates a query: the first page, and each required parameter. Returns `null` if a value is unknown. */
function createSampleQuery({ parameters, path }: Operation, paths: PathExpander): string | null {
  const parts: string[] = [];
  for (const parameter of parameters) {
    const { in: location, name, required, schema } = parameter;
    if (location !== 'query') continue;
    if (name === 'per_page') parts.push(`per_page=${firstPageSize(schema['maximum'])}`);
    else if (required && (schema['default'] ?? null) === null) {
      const value = findValue(parameter, path, paths);
      if (value === undefined) return null;
      parts.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    }
  }
  return parts.join('&');
}

function firstPageSize(maximum: unknown): number {
  return typeof maximum === 'number' ? Math.min(MAX_PER_PAGE, maximum) : 10;
}

/** Search parameters. Nearly every text has an `a`. */
const SEARCH_NAME = /^(?:s|q|query|search|search_term|keyword|term|text)$/;

const SINCE_NAME = /^(?:since|after|from|start|start_date|modified_after)$/;

function findValue({ name, schema }: Parameter, path: string, paths: PathExpander): string | undefined {
  const { enum: values, example, items, minimum, minLength, type } = schema;
  const allowed = values ?? (isJsonObject(items) ? items['enum'] : undefined);
  const [first] = jsonItems(allowed);
  if (typeof first === 'string' || typeof first === 'number') return String(first);
  if (typeof example === 'string' || typeof example === 'number') return String(example);
  // `/templates/lookup?slug=` takes the slug of an item of `/templates`.
  const [seen] = [
    ...paths.valuesOf(name, path),
    ...paths.fieldsOf(path, name),
    ...paths.fieldsOf(path.slice(0, path.lastIndexOf('/')), name),
  ];
  if (seen !== undefined) return seen;
  const types = type === undefined ? ['string'] : typesOf(schema);
  if (types.includes('integer') || types.includes('number')) {
    return String(typeof minimum === 'number' ? Math.ceil(minimum) : 1);
  }
  if (types.includes('boolean')) return 'true';
  if (SEARCH_NAME.test(name)) return 'a'.padEnd(typeof minLength === 'number' ? minLength : 1, 'n');
  return SINCE_NAME.test(name) ? '2020-01-01T00:00:00' : undefined;
}
