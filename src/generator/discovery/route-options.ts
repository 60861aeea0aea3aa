import { EXTENSION_NAMES } from '../../base/document-extensions.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  memberAt,
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
  UnreadResource,
} from './site.ts';

interface Resource {
  readonly collection: IndexRoute;
  readonly routes: readonly IndexRoute[];
}

/** A full shop has a hundred. Time is the usual limit. */
const MAX_REQUESTS = 200;
const CONCURRENCY = 4;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const LIMITS = { awaited: [2_000, 10_000], unhurried: [15_000, 60_000] } as const;
const MAX_FAILURES = 3;
const MAX_NAMED = 5;
const MAX_REFUSALS = 2;

export interface AskedRoutes {
  readonly additions: RouteAdditions;
  readonly settled: ReadonlySet<string>;
  readonly isIncomplete: boolean;
  /** Of the last reading. */
  readonly unread: readonly UnreadResource[];
}

export const NOTHING_ASKED: AskedRoutes = {
  ...{ additions: new Map(), settled: new Set(), isIncomplete: false, unread: [] },
};

export interface EarlierAnswers {
  readonly asked: AskedRoutes;
  readonly isCurrent: boolean;
}

interface RouteRequests {
  readonly report: RuleReporter;
  readonly mentioned: (text: string) => void;
  readonly earlier: EarlierAnswers | undefined;
  readonly isAwaited: boolean;
}

export async function askRoutes(
  address: SiteAddress,
  routes: readonly IndexRoute[],
  client: DiscoveryClient,
  { earlier, isAwaited, mentioned, report }: RouteRequests,
): Promise<AskedRoutes> {
  const all = listResources(routes);
  const collections = all.slice(0, MAX_REQUESTS).map(({ collection }) => collection);
  const settled = new Set(earlier?.isCurrent === true ? earlier.asked.settled : []);
  const isFirst = settled.size === 0;
  const due = collections.filter(({ pattern }) => !settled.has(pattern));
  if (due.length === 0) return earlier?.asked ?? NOTHING_ASKED;
  const [requestTimeout, totalTimeout] = isAwaited ? LIMITS.awaited : LIMITS.unhurried;
  const total = AbortSignal.timeout(totalTimeout);
  const answers = new Map<string, RouteAddition>();
  const failures = new Map<string, Unanswered>();
  let failuresInARow = 0;
  const isRefused = (): boolean =>
    isFirst && answers.size === 0 && settled.size >= Math.min(MAX_REFUSALS, due.length);
  const isStopped = (): boolean =>
    isRefused() || failuresInARow >= MAX_FAILURES || total.aborted || client.isOutOfTime();
  const ask = async (collection: IndexRoute): Promise<void> => {
    const url = new URL(routeUrl(address, collection.pattern));
    const limit = AbortSignal.any([total, AbortSignal.timeout(requestTimeout)]);
    const outcome = await client.request(url, { method: 'OPTIONS', maxBytes: MAX_ANSWER_BYTES, limit });
    const answer =
      outcome.kind === 'failure'
        ? { defect: outcome.failure.description, isTemporary: isTemporary(outcome.failure) }
        : await runInSlices(readAnswer(outcome.response, collection, mentioned), systemClock, client.signal);
    const isDefect = 'defect' in answer;
    if (isDefect) failures.set(collection.pattern, { ...answer, defect: `${url.href} ${answer.defect}` });
    else answers.set(collection.pattern, findAddition(collection, answer));
    if (isDefect && answer.isTemporary) {
      failuresInARow += 1;
      return;
    }
    failuresInARow = 0;
    settled.add(collection.pattern);
  };
  const waiting = due.values();
  // One at a time until one answers, so that a site that refuses `OPTIONS` gets few.
  for (const collection of waiting) {
    await ask(collection);
    if (answers.size > 0 || isStopped()) break;
  }
  const askInTurn = async (): Promise<void> => {
    for (const collection of waiting) {
      if (isStopped()) return;
      await ask(collection);
    }
  };
  if (!isStopped()) await Promise.all(Array.from({ length: CONCURRENCY }, askInTurn));
  if (isRefused()) {
    report('options-refused', { pointer: '/routes' }, listDefects(failures)[0]);
    for (const { pattern } of due) settled.add(pattern);
  } else if (answers.size < due.length || all.length > MAX_REQUESTS) {
    const unasked = [...waiting, ...all.slice(MAX_REQUESTS).map(({ collection }) => collection)];
    const named = unasked.slice(0, MAX_NAMED).map(({ pattern }) => pattern);
    const others = unasked.length > MAX_NAMED ? ` and ${unasked.length - MAX_NAMED} others` : '';
    const sentences = [
      `${answers.size} of ${due.length} answered.`,
      ...listDefects(failures).toSorted().slice(0, 1),
      ...(unasked.length === 0 ? [] : [`Not asked: ${named.join(', ')}${others}.`]),
    ];
    report('options-incomplete', { pointer: '/routes' }, sentences.join(' '));
  }
  // In the order of the index, because that of the responses differs between runs.
  const ordered = collections.flatMap(({ pattern }) => {
    const answer = answers.get(pattern) ?? earlier?.asked.additions.get(pattern);
    return answer === undefined || isEmpty(answer) ? [] : [[pattern, answer] as const];
  });
  const isIncomplete = due.some(({ pattern }) => !settled.has(pattern));
  const unread = due.flatMap(({ pattern }): readonly UnreadResource[] =>
    answers.has(pattern) ? [] : [{ pattern, ...NOT_ASKED, ...failures.get(pattern) }],
  );
  return { additions: new Map(ordered), settled, isIncomplete, unread };
}

const NOT_ASKED: Unanswered = { defect: 'was not asked, because others failed', isTemporary: true };

const listDefects = (failures: ReadonlyMap<string, Unanswered>): readonly string[] =>
  Array.from(failures.values(), ({ defect }) => `${defect}.`);

/** Reads what an earlier document has of the routes (`options` of its `x-waygate`), each of which is to be asked again. */
export function readAdditions(document: JsonObject): EarlierAnswers {
  const stored = jsonMembers(memberAt(document, EXTENSION_NAMES.site, 'options'));
  const readArguments = (value: Json | undefined): readonly IndexArgument[] =>
    jsonItems(value).flatMap((each) => {
      const { declaration = null, name = null } = toJsonObject(each);
      return typeof name === 'string' && isJsonObject(declaration) ? [{ name, declaration }] : [];
    });
  const additions = stored.map(([pattern, each]): [string, RouteAddition] => [
    pattern,
    {
      properties: toJsonObject(memberAt(each, 'properties')),
      reading: readArguments(memberAt(each, 'reading')),
      writing: readArguments(memberAt(each, 'writing')),
    },
  ]);
  return { asked: { ...NOTHING_ASKED, additions: new Map(additions) }, isCurrent: false };
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
  if (!json.ok)
    return { defect: `returned no readable JSON. ${json.detail}`, isTemporary: isTemporary(json) };
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
