import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  ownMember,
  toJsonObject,
} from '../../base/json.ts';
import { systemClock } from '../../base/ports.ts';
import { runInSlices, type Steps } from '../../base/steps.ts';
import { routeUrl } from './address.ts';
import { decodeText, extractJson } from './classify-response.ts';
import type { DiscoveryClient, FetchedResponse } from './client.ts';
import { isTemporary, isTemporaryStatus } from './failures.ts';
import { collectDiagnostics, exceedsLimits, type RuleReporter, routePlace } from './index-values.ts';
import { readIndexRoute } from './read-index.ts';
import type {
  IndexArgument,
  IndexEndpoint,
  IndexRoute,
  RouteAddition,
  RouteAdditions,
  SiteAddress,
} from './site.ts';

interface Resource {
  readonly collection: IndexRoute;
  readonly routes: readonly IndexRoute[];
}

/** A full shop has a hundred. */
const MAX_REQUESTS = 200;
const CONCURRENCY = 4;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Milliseconds for one request and for all: while clients wait, in a running gateway, and in a command. */
const LIMITS = {
  awaited: [2_000, 10_000],
  unhurried: [15_000, 60_000],
  patient: [30_000, 2_147_483_647],
} as const;
/** Milliseconds after which an answer is slow, so that fewer are asked for at once. */
const SLOW = 3_000;
const MAX_FAILURES = 3;
const MAX_NAMED = 20;
const MAX_REFUSALS = 2;

export type DiscoveryPace = keyof typeof LIMITS;

export interface AskedRoutes {
  readonly additions: RouteAdditions;
  readonly settled: ReadonlySet<string>;
  /** Resources without an answer for now, such as `/wp/v2/books returned 503`. */
  readonly unread: readonly string[];
  /** Number of resources of the index that were to be asked. */
  readonly due: number;
}

export const NOTHING_ASKED: AskedRoutes = { additions: new Map(), settled: new Set(), unread: [], due: 0 };

export interface EarlierAnswers {
  readonly asked: Pick<AskedRoutes, 'additions' | 'settled'>;
  readonly isCurrent: boolean;
}

interface RouteRequests {
  readonly report: RuleReporter;
  readonly mentioned: (text: string) => void;
  readonly earlier: EarlierAnswers | undefined;
  readonly pace: DiscoveryPace;
}

/** Asks each resource, and with time to spare once more if it failed. Without an answer, a resource keeps its earlier one. */
export async function askRoutes(
  address: SiteAddress,
  routes: readonly IndexRoute[],
  client: DiscoveryClient,
  { earlier, mentioned, pace, report }: RouteRequests,
): Promise<AskedRoutes> {
  const all = listResources(routes);
  const collections = all.slice(0, MAX_REQUESTS).map(({ collection }) => collection);
  const settled = new Set(earlier?.isCurrent === true ? earlier.asked.settled : []);
  const isFirst = settled.size === 0;
  const due = collections.filter(({ pattern }) => !settled.has(pattern));
  const [requestTimeout, totalTimeout] = LIMITS[pace];
  const total = AbortSignal.timeout(totalTimeout);
  const answers = new Map<string, RouteAddition>();
  const refusals: string[] = [];
  const failures = new Map<string, string>();
  const begin = systemClock.now();
  let failuresInARow = 0;
  const isRefused = (): boolean =>
    isFirst && answers.size === 0 && settled.size >= Math.min(MAX_REFUSALS, due.length);
  const isStopped = (): boolean => isRefused() || failuresInARow >= MAX_FAILURES || total.aborted;
  /** @returns whether the site answers fast enough to be asked more at once */
  const ask = async (collection: IndexRoute): Promise<boolean> => {
    const { pattern } = collection;
    const start = systemClock.now();
    const left = ((start - begin) / Math.max(1, settled.size)) * (due.length - settled.size);
    client.showProgress({
      step: 'resources',
      resource: pattern,
      done: settled.size,
      total: due.length,
      left,
    });
    const url = new URL(routeUrl(address, pattern));
    const limit = AbortSignal.any([total, AbortSignal.timeout(requestTimeout)]);
    const outcome = await client.request(url, { method: 'OPTIONS', maxBytes: MAX_ANSWER_BYTES, limit });
    const answer =
      outcome.kind === 'failure'
        ? { defect: outcome.failure.description, isTemporary: isTemporary(outcome.failure) }
        : await runInSlices(readAnswer(outcome.response, collection, mentioned), systemClock, client.signal);
    if ('defect' in answer && answer.isTemporary) {
      failures.set(pattern, `${pattern} ${answer.defect}`);
      failuresInARow += 1;
      return false;
    }
    failuresInARow = 0;
    if ('defect' in answer) refusals.push(`${pattern} ${answer.defect}`);
    else answers.set(pattern, findAddition(collection, answer));
    settled.add(pattern);
    return systemClock.now() - start < SLOW;
  };
  const askAll = async (resources: readonly IndexRoute[]): Promise<void> => {
    const waiting = resources.values();
    // One at a time until one answers, so that a site that refuses `OPTIONS` gets few.
    for (const collection of waiting) {
      await ask(collection);
      if (answers.size > 0 || isStopped()) break;
    }
    let active = CONCURRENCY;
    const askInTurn = async (): Promise<void> => {
      for (const collection of waiting) {
        const isFast = await ask(collection);
        if (isStopped()) return;
        if (isFast || active === 1) continue;
        active -= 1;
        return;
      }
    };
    if (!isStopped()) await Promise.all(Array.from({ length: CONCURRENCY }, askInTurn));
  };
  await askAll(due);
  const isUnread = ({ pattern }: IndexRoute): boolean => !settled.has(pattern);
  if (pace === 'patient' && !isRefused() && due.some(isUnread)) {
    await client.waitToAskAgain();
    failuresInARow = 0;
    await askAll(due.filter(isUnread));
  }
  if (isRefused()) for (const { pattern } of due) settled.add(pattern);
  const unread = due
    .filter(isUnread)
    .map(({ pattern }) => failures.get(pattern) ?? `${pattern} was not asked`);
  const unasked = all.slice(MAX_REQUESTS).map(({ collection: { pattern } }) => `${pattern} was not asked`);
  const place = { pointer: '/routes' };
  if (refusals.length > 0) report('options-refused', place, nameSome(refusals));
  if (unread.length + unasked.length > 0)
    report('options-incomplete', place, nameSome([...unread, ...unasked]));
  // In the order of the index, because that of the responses differs between runs.
  const kept: string[] = [];
  const ordered = collections.flatMap(({ pattern }) => {
    const before = earlier?.asked.additions.get(pattern);
    const answer = answers.get(pattern) ?? before;
    if (answer === undefined || isEmpty(answer)) return [];
    if (!answers.has(pattern) && earlier?.isCurrent !== true) kept.push(pattern);
    return [[pattern, answer] as const];
  });
  if (kept.length > 0) report('options-kept', place, nameSome(kept));
  return { additions: new Map(ordered), settled, unread, due: due.length };
}

function nameSome(texts: readonly string[]): string {
  const others = texts.length > MAX_NAMED ? ` and ${texts.length - MAX_NAMED} others` : '';
  return `${texts.toSorted().slice(0, MAX_NAMED).join(', ')}${others}.`;
}

/** @param stored what an earlier document has of them: `options` of its `x-waygate` */
export function readRouteAdditions(stored: Json | undefined): RouteAdditions {
  const listArguments = (list: Json | undefined): readonly IndexArgument[] =>
    jsonItems(list).flatMap((each) => {
      const { declaration, name } = toJsonObject(each);
      return typeof name === 'string' ? [{ name, declaration: toJsonObject(declaration) }] : [];
    });
  const read = ([pattern, addition]: readonly [string, Json]): readonly [string, RouteAddition] => {
    const { properties, reading, writing } = toJsonObject(addition);
    const lists = { reading: listArguments(reading), writing: listArguments(writing) };
    return [pattern, { properties: toJsonObject(properties), ...lists }];
  };
  return new Map(jsonMembers(stored).map(read));
}

function isEmpty({ properties, reading, writing }: RouteAddition): boolean {
  return Object.keys(properties).length + reading.length + writing.length === 0;
}

/** Objects with a page of the site (posts, terms, users, comments) come first: those have fields of plugins. */
function listResources(routes: readonly IndexRoute[]): readonly Resource[] {
  const collections = new Map<string, { collection: IndexRoute; routes: IndexRoute[] }>();
  for (const route of routes) {
    const key = resourceKey(route);
    if (key === '' || /[^\w/.~-]/.test(route.pattern) || !route.pattern.startsWith('/')) continue;
    if (route.endpoints.some(({ methods }) => methods.includes('GET')) && !collections.has(key))
      collections.set(key, { collection: route, routes: [] });
  }
  for (const route of routes) {
    const found = collections.get(resourceKey(route));
    if (found !== undefined && isBelow(route, found.collection)) found.routes.push(route);
  }
  const resources = [...collections.values()].filter((each) => each.routes.length > 1);
  const rank = ({ collection }: Resource): number => (hasPage(collection) ? 0 : 1);
  return resources.toSorted((one, other) => rank(one) - rank(other));
}

function hasPage(collection: IndexRoute): boolean {
  return Object.hasOwn(propertiesOf(collection), 'link');
}

function resourceKey(route: IndexRoute): string {
  const title = route.schema?.['title'];
  const isItem = Object.hasOwn(propertiesOf(route), 'id');
  return typeof title === 'string' && isItem ? `${route.namespace} ${title}` : '';
}

function isBelow({ pattern }: IndexRoute, collection: IndexRoute): boolean {
  return pattern === collection.pattern || pattern.startsWith(`${collection.pattern}/`);
}

function propertiesOf({ schema }: IndexRoute): JsonObject {
  return toJsonObject(schema?.['properties']);
}

interface Unanswered {
  readonly defect: string;
  readonly isTemporary: boolean;
}

function* readAnswer(
  { body, status }: FetchedResponse,
  { namespace, pattern }: IndexRoute,
  mentioned: (text: string) => void,
): Steps<IndexRoute | Unanswered> {
  if (status !== 200) return { defect: `returned ${status}`, isTemporary: isTemporaryStatus(status) };
  const text = yield* decodeText(body);
  const json = yield* extractJson(text, isDescription);
  if (!json.ok) return { defect: `returned no readable JSON (${json.detail})`, isTemporary: true };
  const { value } = json;
  if (!isDescription(value) || exceedsLimits(value))
    return { defect: 'returned JSON that describes no route', isTemporary: false };
  mentioned(text);
  return readIndexRoute(pattern, namespace, value, routePlace(pattern, collectDiagnostics().report));
}

function isDescription(value: unknown): value is JsonObject {
  return isJsonObject(value) && Array.isArray(ownMember(value, 'endpoints'));
}

function findAddition(indexed: IndexRoute, asked: IndexRoute): RouteAddition {
  const known = propertiesOf(indexed);
  const properties = Object.fromEntries(
    Object.entries(propertiesOf(asked)).filter(([name]) => !Object.hasOwn(known, name)),
  );
  const argsOf = ({ endpoints }: IndexRoute, isOf: (endpoint: IndexEndpoint) => boolean) =>
    endpoints.filter(isOf).flatMap(({ args }) => args);
  const listNew = (isOf: (endpoint: IndexEndpoint) => boolean): readonly IndexArgument[] => {
    const there = new Set(argsOf(indexed, isOf).map(({ name }) => name));
    return argsOf(asked, isOf).filter(({ name }) => !there.has(name));
  };
  const stated = new Set(argsOf(asked, isWriting).map(({ name }) => name));
  // Posts, terms, users and comments take each field. One that is registered after their endpoints isn't an argument.
  const registered = hasPage(indexed) ? propertiesOf(asked) : properties;
  const fields = Object.entries(registered).flatMap(([name, schema]): readonly IndexArgument[] => {
    if (!isJsonObject(schema) || schema['readonly'] === true || stated.has(name)) return [];
    const { context: _, ...declaration } = schema;
    return [{ name, declaration }];
  });
  return { properties, reading: listNew(isReading), writing: [...listNew(isWriting), ...fields] };
}

function isReading({ methods }: IndexEndpoint): boolean {
  return methods.includes('GET');
}

function isWriting({ methods }: IndexEndpoint): boolean {
  return methods.some((method) => method === 'POST' || method === 'PUT' || method === 'PATCH');
}

export function withRouteAdditions(
  routes: readonly IndexRoute[],
  additions: RouteAdditions,
): readonly IndexRoute[] {
  if (additions.size === 0) return routes;
  const changed = new Map<IndexRoute, IndexRoute>();
  for (const { collection, routes: related } of listResources(routes)) {
    const addition = additions.get(collection.pattern);
    if (addition === undefined) continue;
    for (const route of related) changed.set(route, withAddition(route, addition, route === collection));
  }
  return routes.map((route) => changed.get(route) ?? route);
}

function withAddition(route: IndexRoute, added: RouteAddition, isCollection: boolean): IndexRoute {
  const { properties, reading, writing } = added;
  // An update needs no argument and has no defaults (`get_endpoint_args_for_item_schema()`).
  const updating = writing.map(
    ({ declaration: { required: _, default: _default, ...declaration }, name }) => ({ name, declaration }),
  );
  const endpoints = route.endpoints.map((endpoint) => {
    const offered = isWriting(endpoint)
      ? isCollection
        ? writing
        : updating
      : isCollection && isReading(endpoint)
        ? reading
        : [];
    const lacking = offered.filter(({ name }) => endpoint.args.every((each) => each.name !== name));
    return lacking.length === 0 ? endpoint : { ...endpoint, args: [...endpoint.args, ...lacking] };
  });
  const known = propertiesOf(route);
  const lacking = Object.entries(properties).filter(([name]) => !Object.hasOwn(known, name));
  const schema = { ...route.schema, properties: { ...known, ...Object.fromEntries(lacking) } };
  return { ...route, endpoints, schema };
}
