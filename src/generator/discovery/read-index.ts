import {
  isJsonObject,
  type Json,
  type JsonObject,
  memberAt,
  ownMember,
  toJsonObject,
} from '../../base/json.ts';
import { runSteps, type Steps } from '../../base/steps.ts';
import {
  collectDiagnostics,
  describeValue,
  exceedsLimits,
  IndexPlace,
  isJsonArray,
  MAX_DEPTH,
  MAX_VALUES,
  type RuleReporter,
  readObject,
  routePlace,
} from './index-values.ts';
import { type RouteSelection, RouteSelector } from './options.ts';
import {
  type DiscoveredSite,
  findNamespace,
  type IndexArgument,
  type IndexEndpoint,
  type IndexRoute,
  type RootIndex,
} from './site.ts';

/** Routes after `include` and `exclude`, and namespaces. Each costs more memory later than bytes here. */
const MAX_ENTRIES = 20_000;

/** Never throws, and runs in linear time. */
export function readIndex(
  raw: unknown,
  options: RouteSelection = {},
): Pick<DiscoveredSite, 'index' | 'diagnostics'> {
  const { diagnostics, report } = collectDiagnostics();
  const index = runSteps(readIndexObject(toJsonObject(raw), options, report));
  return { index, diagnostics };
}

export function describeIndexDefect(value: unknown): string | undefined {
  if (!isJsonObject(value)) return `It is ${describeValue(value)} instead of an object.`;
  if (!Object.hasOwn(value, 'routes')) return 'It has no "routes".';
  const routes = value['routes'];
  if (isJsonObject(routes) || isJsonArray(routes)) return undefined;
  return `Its "routes" are ${describeValue(routes)} instead of an object.`;
}

export function* readIndexObject(
  raw: JsonObject,
  options: RouteSelection,
  report: RuleReporter,
): Steps<RootIndex> {
  const root = new IndexPlace(report);
  if (Object.hasOwn(raw, 'namespace') && !Object.hasOwn(raw, 'namespaces'))
    root.below('namespace').report('namespace-index', `Namespace: ${describeValue(raw['namespace'])}.`);
  const declaredNamespaces = readNamespaceList(ownMember(raw, 'namespaces'), root.below('namespaces'));
  const { routes, namespaces } = yield* readRoutes(raw, declaredNamespaces, options, report);
  const readText = (name: string): string => {
    const value = ownMember(raw, name);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  return {
    name: readText('name'),
    description: readText('description'),
    icon: readText('site_icon_url'),
    url: readText('url'),
    home: readText('home'),
    namespaces,
    authentication: readObject(ownMember(raw, 'authentication'), root.below('authentication')),
    routes,
  };
}

/** PCRE's limit: its links have two bytes. */
const MAX_PATTERN_LENGTH = 65_535;

/** Characters of all patterns, whose analyses take quadratic time. Those of a real site have 40 each. */
const MAX_PATTERN_TEXT = 4_000_000;

function* readRoutes(
  raw: JsonObject,
  declaredNamespaces: readonly string[] | undefined,
  options: RouteSelection,
  report: RuleReporter,
): Steps<Pick<RootIndex, 'routes' | 'namespaces'>> {
  const listed = new Set(declaredNamespaces ?? []);
  const selector = new RouteSelector(options);
  const all = new IndexPlace(report, '/routes');
  const entries = Object.entries(readObject(ownMember(raw, 'routes'), all));
  if (entries.length === 0) all.report('no-routes');
  const routes: IndexRoute[] = [];
  let patternText = 0;
  let dropped = 0;
  for (const [pattern, value] of entries) {
    yield;
    const place = routePlace(pattern, report);
    if (!isJsonObject(value)) {
      place.drop(value, 'an object');
      continue;
    }
    if (pattern.length > MAX_PATTERN_LENGTH || exceedsLimits(value)) {
      const detail = `At most ${MAX_DEPTH} levels, ${MAX_VALUES} values, all finite, and patterns of ${MAX_PATTERN_LENGTH} characters.`;
      place.report('limit', detail);
      continue;
    }
    const declaredNamespace = ownMember(value, 'namespace');
    const namespace = resolveRouteNamespace(pattern, declaredNamespace, listed);
    // WordPress selects the routes to try by namespace, so a derived one must not extend a stated list.
    const mayExtend = declaredNamespaces === undefined || typeof declaredNamespace === 'string';
    if (namespace !== '' && mayExtend) listed.add(namespace);
    if (!selector.matches(pattern, namespace)) continue;
    patternText += pattern.length;
    if (routes.length < MAX_ENTRIES && patternText <= MAX_PATTERN_TEXT)
      routes.push(readIndexRoute(pattern, namespace, value, place));
    else dropped += 1;
  }
  if (dropped > 0) {
    const detail = `${routes.length + dropped} routes; at most ${MAX_ENTRIES}, or ${MAX_PATTERN_TEXT} characters of patterns.`;
    all.report('limit', detail);
  }
  selector.reportUnusedGlobs(report);
  return { routes, namespaces: [...listed] };
}

/** A list. PHP writes an object after a plugin has removed an item. */
function readNamespaceList(value: Json | undefined, place: IndexPlace): readonly string[] | undefined {
  if (!isJsonArray(value) && !isJsonObject(value)) {
    place.drop(value, 'a list');
    return undefined;
  }
  const namespaces = new Set<string>();
  const entries = Object.entries<Json>(value);
  if (entries.length > MAX_ENTRIES) place.report('limit', `At most ${MAX_ENTRIES} namespaces.`);
  for (const [at, item] of entries.slice(0, MAX_ENTRIES)) {
    if (typeof item === 'string' && item !== '') namespaces.add(item);
    else place.below(at).drop(item, 'a text');
  }
  return [...namespaces];
}

/** As stated, else the longest listed one that contains the pattern, else its first segments. */
function resolveRouteNamespace(
  pattern: string,
  declared: Json | undefined,
  listed: ReadonlySet<string>,
): string {
  if (typeof declared === 'string') return declared;
  return findNamespace(pattern, listed) || namespaceFromPattern(pattern);
}

/** `/shop/v3/orders/(?P<id>…)` → `shop/v3`. A second segment must be a version. */
function namespaceFromPattern(pattern: string): string {
  const [, vendor = '', version = ''] =
    /^\/([\w.-]{1,100})(?:\/([\w.-]{1,100}))?(?=\/|$)/.exec(pattern) ?? [];
  return /^v?\d/i.test(version) ? `${vendor}/${version}` : vendor;
}

export function readIndexRoute(
  pattern: string,
  namespace: string,
  route: JsonObject,
  place: IndexPlace,
): IndexRoute {
  const schema = readObject(ownMember(route, 'schema'), place.below('schema'));
  const endpoints = readEndpoints(ownMember(route, 'endpoints'), place.below('endpoints'));
  return { pattern, namespace, endpoints, ...(Object.keys(schema).length === 0 ? {} : { schema }) };
}

/** A list, or an object whose names are positions. */
function readEndpoints(value: Json | undefined, place: IndexPlace): readonly IndexEndpoint[] {
  const entries = isJsonArray(value) || isJsonObject(value) ? Object.entries<Json>(value) : [];
  if (entries.length === 0) place.drop(value, 'a list of endpoints');
  return entries.flatMap(([key, endpoint], ordinal) => {
    const number = /^\d{1,9}$/.test(key) ? Number(key) : ordinal;
    return readIndexEndpoint(endpoint, number, place.below(key)) ?? [];
  });
}

function readIndexEndpoint(value: Json, listIndex: number, place: IndexPlace): IndexEndpoint | undefined {
  if (!isJsonObject(value)) {
    place.drop(value, 'an object');
    return undefined;
  }
  return {
    listIndex,
    methods: readMethods(ownMember(value, 'methods'), place.below('methods')),
    args: readArguments(ownMember(value, 'args'), place.below('args')),
    allowBatch: Boolean(memberAt(value, 'allow_batch', 'v1')),
  };
}

/** Each method repeats all arguments in the document. */
const MAX_METHODS = 32;

/** Reads a list, which PHP can write as an object, or a text (`POST, PUT`). */
function readMethods(value: Json | undefined, place: IndexPlace): readonly string[] {
  const texts = typeof value === 'string' ? value.split(',') : [];
  const declared = isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : texts;
  if (declared.length === 0) place.drop(value, 'methods');
  const methods = new Set<string>();
  for (const each of declared) {
    const method = typeof each === 'string' ? each.trim().toUpperCase() : '';
    // RFC 9110 §9.1: a method is a token.
    if (/^[!#$%&'*+.^_`|~0-9A-Z-]{1,64}$/.test(method)) methods.add(method);
    else place.drop(each, 'the name of a method');
  }
  if (methods.size > MAX_METHODS) place.report('limit', `At most ${MAX_METHODS} methods.`);
  return [...methods].slice(0, MAX_METHODS);
}

function readArguments(value: Json | undefined, place: IndexPlace): readonly IndexArgument[] {
  const isList = isJsonArray(value) && value.length > 0;
  const args = isList ? Object.fromEntries(value.entries()) : readObject(value, place);
  return Object.entries(args).flatMap(([name, item]) => {
    const at = place.below(name);
    if (!isBareName(name, item)) return [{ name, declaration: readObject(item, at) }];
    at.drop(item, 'an argument below its name, not its position');
    return [];
  });
}

/** Whether a name is a position: for `'args' => ['id', 'context']` WordPress states arguments `0` and `1`. */
function isBareName(name: string, value: Json): boolean {
  if (!/^\d+$/.test(name)) return false;
  if (!isJsonObject(value)) return true;
  return Object.entries(value).every(([keyword, declared]) => keyword === 'required' && declared !== true);
}
