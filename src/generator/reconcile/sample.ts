import { ConfigurationError } from '../../base/errors.ts';
import { sortByKey } from '../../base/group-by.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, memberAt, parseJson } from '../../base/json.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { compileRoute } from '../../base/pcre/index.ts';
import { routeUrl } from '../discovery/address.ts';
import type { DiscoveryClient } from '../discovery/client.ts';
import { toSingular } from '../model/naming/words.ts';
import { typesOf } from '../model/schema/keywords.ts';
import type { Operation, Parameter, ServedApi } from '../openapi/index.ts';
import type { SampledResponse } from '../validation/response/validator.ts';

interface SampleOptions {
  readonly client: DiscoveryClient;
  readonly hasCredentials: boolean;
  readonly maxRequests: number;
  readonly concurrency: number;
  readonly onRequest: (done: number, total: number) => void;
  /** Paths that the user names, e.g. `/x/v1/things/12`. */
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
}

interface GivenRequest extends Pick<PlannedSample, 'path' | 'query'> {
  readonly text: string;
}

export function parseGivenRequest(text: string): GivenRequest {
  const [match, path = '', query = ''] = /^(\/[^\s?{]*)(?:\?(\S*))?$/.exec(text) ?? [];
  if (match !== undefined) return { path, query, text };
  const advice = /^(?!GET |HEAD )[A-Z]+ /.test(text)
    ? 'reconcile only reads. State what a write takes and returns with "extend" in waygate.config.ts'
    : 'give only the path, such as /x/v1/things/12';
  throw new ConfigurationError(`--sample ${text}: ${advice}`);
}

const ITEMS_PER_ROUTE = { usual: 3, most: 100 } as const;
export const DEFAULT_MAX_REQUESTS: number = 200;
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
const BACK_OFF_STATUSES: ReadonlySet<number> = new Set([429, 503]);

/** In the order that serves most operations within the limit: the user's requests, each read once, other contexts, more items. */
export async function sampleSite(api: ServedApi, options: SampleOptions): Promise<SampleResult> {
  const { reads, selected, skipped } = selectOperations(api);
  const sampler = new Sampler(api, options);
  const { maxRequests } = options;
  const share = Math.floor(maxRequests / Math.max(1, selected.length));
  const maxItems =
    maxRequests > DEFAULT_MAX_REQUESTS
      ? Math.min(ITEMS_PER_ROUTE.most, Math.max(ITEMS_PER_ROUTE.usual, 2 * share))
      : ITEMS_PER_ROUTE.usual;
  await sampler.sampleGiven(reads);
  for (const depth of new Set(selected.map(({ pathParameterCount }) => pathParameterCount))) {
    await sampler.sampleFirst(selected.filter(({ pathParameterCount }) => pathParameterCount === depth));
  }
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
    unsentRequests: Object.fromEntries(sampler.unsent),
    refusedOperations: Object.fromEntries(
      sortByKey(sampler.failures).filter(([operation]) => !sampler.sampled.has(operation)),
    ),
    stopped: sampler.stopped,
  });
}

function isDenied(status: string | undefined): boolean {
  return status === '401' || status === '403';
}

class Sampler {
  readonly responses: RouteSample[] = [];
  readonly sampled: Set<string> = new Set();
  readonly paths: PathExpander = new PathExpander();
  /** Why requests that the user names weren't sent. */
  readonly unsent: Map<string, UnsentReason>;
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
    this.unsent = new Map(options.samples.map((text) => [text, 'no-operation']));
  }

  async sampleGiven(reads: readonly SelectedOperation[]): Promise<void> {
    for (const selected of reads) {
      for (const { text, ...request } of this.#given) {
        if (!selected.isOfRoute(request.path)) continue;
        if (this.unsent.has(text)) this.unsent.set(text, 'limit');
        const { requests } = this;
        const isSuccess = await this.#send({ ...request, selected, context: null });
        if (this.requests > requests) this.unsent.delete(text);
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

  async #send(request: PlannedSample): Promise<boolean> {
    const { context, path, query, selected } = request;
    const { operation, route } = selected;
    const parts = [query, context === null ? '' : `context=${context}`].filter((part) => part !== '');
    const url = routeUrl(this.#api.address, path, parts.join('&'));
    if (this.#sent.has(url) || !this.#canContinue()) return false;
    this.#sent.add(url);
    this.requests += 1;
    this.#options.onRequest(this.requests, this.#options.maxRequests);
    const outcome = await this.#options.client.request(new URL(url));
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
    if (content !== undefined && context === null) this.paths.addResponse(path, content, operation.path);
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
  readonly reads: readonly SelectedOperation[];
  readonly selected: readonly SelectedOperation[];
  readonly skipped: SkippedOperation[];
} {
  const reads = api.routes.flatMap(({ operations, pattern: route }): SelectedOperation[] => {
    const operation = operations.get('GET');
    if (operation === undefined) return [];
    const { match } = compileRoute(route);
    const isOfRoute = (candidate: string): boolean => match(candidate) !== null;
    return [{ operation, route, pathParameterCount: operation.path.split('{').length - 1, isOfRoute }];
  });
  const isCostly = ({ operation }: SelectedOperation): boolean => EXPENSIVE_PATHS.test(operation.path);
  return {
    reads,
    selected: reads
      .filter((each) => !isCostly(each))
      .sort((one, other) => one.pathParameterCount - other.pathParameterCount),
    skipped: reads
      .filter(isCostly)
      .map(({ operation: { id, path } }) => ({ operation: id, path, reason: 'costly' })),
  };
}

function listOtherContexts(operation: Operation, hasCredentials: boolean): readonly string[] {
  const usual = getDefaultContext(operation);
  return [...(operation.contextReferences?.keys() ?? [])].filter(
    (context) => context !== usual && (hasCredentials || context !== 'edit') && /^[\w-]{1,32}$/.test(context),
  );
}

export function getDefaultContext(operation: Operation): string {
  const parameter = operation.parameters.find(
    ({ in: place, name }) => place === 'query' && name === 'context',
  );
  const declared = parameter?.schema['default'];
  return typeof declared === 'string' ? declared : 'view';
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

function createSampleQuery({ parameters, path }: Operation, paths: PathExpander): string | null {
  const parts: string[] = [];
  for (const parameter of parameters) {
    const { in: location, name, required, schema } = parameter;
    if (location !== 'query') continue;
    const { maximum } = schema;
    if (name === 'per_page')
      parts.push(`per_page=${typeof maximum === 'number' ? Math.min(MAX_PER_PAGE, maximum) : 10}`);
    else if (required && (schema['default'] ?? null) === null) {
      const value = findValue(parameter, path, paths);
      if (value === undefined) return null;
      parts.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    }
  }
  return parts.join('&');
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

const MAX_COLLECTION_ITEMS = 200;
const LIMITS = { objects: 300, values: 60, parameters: 3_000, depth: 6 };

const GENERIC_NAMES: ReadonlySet<string> = new Set('id slug name key parent type title status'.split(' '));

interface CollectionItem {
  readonly key: string | null;
  readonly fields: ReadonlyMap<string, string>;
}

class PathExpander {
  readonly #collections: Map<string, readonly CollectionItem[]> = new Map();
  readonly #values: Map<string, Set<string>> = new Map();

  addResponse(path: string, body: Json, template: string): void {
    const vendor = vendorOf(path);
    const items = readItems(body);
    if (items.length > 0) this.#collections.set(path, items);
    let objects = 0;
    const visit = (value: Json, container: string, depth: number): void => {
      if (depth > LIMITS.depth || objects >= LIMITS.objects) return;
      if (Array.isArray(value)) {
        for (const item of value) visit(item, container, depth + 1);
      } else if (isJsonObject(value)) {
        objects += 1;
        this.#addObject(value, container, vendor);
        for (const [name, member] of Object.entries(value)) {
          const isContainer = name === 'data' || name === 'items';
          if (name !== '_links') visit(member, isContainer ? container : name, depth + 1);
        }
      }
    };
    visit(body, template.split('/').findLast((segment) => !segment.includes('{')) ?? '', 0);
  }

  #addObject(object: JsonObject, container: string, vendor: string): void {
    for (const [parameter, value] of readParameters(object, container)) {
      const name = `${vendor} ${parameter}`;
      const known = this.#values.get(name) ?? new Set();
      const isFull = known.size === 0 && this.#values.size >= LIMITS.parameters;
      if (!isFull && known.size < LIMITS.values) this.#values.set(name, known.add(value));
    }
  }

  expand(template: string, limit: number): readonly string[] {
    let paths: readonly string[] = [''];
    for (const segment of template.split('/').slice(1)) {
      const placeholder = /^\{([^{}]+)\}$/.exec(segment)?.[1];
      // A parameter that is only a part of a segment isn't filled.
      if (placeholder === undefined && segment.includes('{')) return [];
      const fill = (values: (path: string) => readonly string[]): readonly string[] =>
        paths.flatMap((path) => sampleEvenly(values(path), limit).map((value) => `${path}/${value}`));
      if (placeholder === undefined) {
        paths = fill(() => [segment]);
        continue;
      }
      const own = fill((path) => placeholderValues(this.#collections.get(path) ?? [], placeholder));
      if (own.length === 0) {
        paths = fill((path) => this.valuesOf(parameterName(path, placeholder), path));
      } else paths = own;
      paths = sampleEvenly(paths, limit);
    }
    return paths;
  }

  /** In the order seen, from routes of the same vendor or of WordPress. `pinned-board_id` is a `board_id`. */
  valuesOf(parameter: string, path: string): readonly string[] {
    const known = this.#values.get(`${vendorOf(path)} ${parameter}`) ?? this.#values.get(`wp ${parameter}`);
    const shorter = parameter.replace(/^.*-/, '');
    return known === undefined && shorter !== parameter ? this.valuesOf(shorter, path) : [...(known ?? [])];
  }

  fieldsOf(collection: string, name: string): readonly string[] {
    const items = this.#collections.get(collection) ?? [];
    return items.flatMap(({ fields }) => fields.get(name) ?? []).filter(isSafePathSegment);
  }
}

function vendorOf(path: string): string {
  return path.split('/', 2)[1] ?? '';
}

/** Fields of an object by parameter name: `id` of a board is `board` and `board_id`. */
function readParameters(object: JsonObject, container: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const item = toSingular(container);
  for (const [name, value] of Object.entries(object).slice(0, 200)) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const text = String(value);
    if (!isSafePathSegment(text)) continue;
    if (!GENERIC_NAMES.has(name)) values.set(name, text);
    // WordPress's PHP objects have `ID`.
    const isId = name === 'id' || name === 'ID';
    if (isId) values.set(item, text);
    if (isId || name === 'slug' || name === 'name') values.set(`${item}_${name.toLowerCase()}`, text);
  }
  return values;
}

function isSafePathSegment(value: string | undefined): value is string {
  return value !== undefined && /^[\w.~-]{1,200}$/.test(value) && !/^\.+$/.test(value);
}

function parameterName(path: string, placeholder: string): string {
  if (placeholder !== 'id' && placeholder !== 'slug') return placeholder;
  return `${toSingular(lastSegment(path))}_${placeholder}`;
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function readItems(body: Json): readonly CollectionItem[] {
  const list = findItemList(body, 0);
  const entries: readonly (readonly [string | null, Json])[] =
    list === null ? Object.entries(isJsonObject(body) ? body : {}) : list.map((item) => [null, item]);
  return entries.slice(0, MAX_COLLECTION_ITEMS).flatMap(([key, item]): CollectionItem[] => {
    if (!isJsonObject(item)) return [];
    const fields = Object.entries(item).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    );
    return fields.length === 0 ? [] : [{ key, fields: new Map(fields) }];
  });
}

function findItemList(body: Json, depth: number): readonly Json[] | null {
  if (Array.isArray(body)) return body;
  if (!isJsonObject(body) || depth > 2) return null;
  const members = Object.values(body).filter((member) => typeof member === 'object' && member !== null);
  const list = members.find((member) => Array.isArray(member) && member.some(isJsonObject));
  if (Array.isArray(list)) return list;
  const inner = members.flatMap((member) => {
    const found = isJsonObject(member) ? findItemList(member, depth + 1) : null;
    return found === null ? [] : [found];
  });
  if (depth > 0 || members.length === 1) return inner[0] ?? null;
  // `{ boards: { data: [...] }, folders: [] }`, but not a map of posts with lists of links.
  const [only, ...others] = inner.filter((items) => items.some((item) => memberAt(item, 'id') !== undefined));
  return others.length === 0 ? (only ?? null) : null;
}

function placeholderValues(items: readonly CollectionItem[], placeholder: string): readonly string[] {
  const names = [...(placeholder === 'parent' ? [] : [placeholder]), 'id', 'ID', 'slug', 'name'];
  const values = items.map(
    ({ fields, key }) => names.map((name) => fields.get(name)).find(isSafePathSegment) ?? key ?? undefined,
  );
  return [...new Set(values.filter(isSafePathSegment))];
}

/** Distant items differ more than neighbours. */
function sampleEvenly(values: readonly string[], limit: number): readonly string[] {
  if (values.length <= limit) return values;
  const step = (values.length - 1) / Math.max(1, limit - 1);
  return Array.from({ length: limit }, (_, index) => values[Math.round(index * step)] ?? '');
}
