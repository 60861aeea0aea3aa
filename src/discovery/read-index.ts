import type { Diagnostic } from '../diagnostics.ts';
import { isJsonObject, type Json, type JsonObject, ownMember } from '../json.ts';
import { runSteps, type Steps } from '../steps.ts';
import {
  childPosition,
  describeValue,
  isJsonArray,
  readObject,
  routePosition,
  statedValue,
} from './index-values.ts';
import { readIndexRoute } from './read-route.ts';
import { extractJson } from './response-text.ts';
import { createRouteSelector, type RouteSelection } from './route-selection.ts';
import type { IndexPosition, RuleReporter } from './rules.ts';
import { DiagnosticCollector } from './rules.ts';
import type { IndexRoute, RootIndex } from './site.ts';

/** Options of `readIndex`: the selected routes and their maximum number. */
export interface ReadIndexOptions extends RouteSelection {
  /**
   * Maximum number of routes after `include` and `exclude`. Further routes are dropped and reported.
   * @default 20000
   */
  readonly maxRoutes?: number | undefined;
}

/** A root index with the diagnostics of the defects that `readIndex` repaired. */
export interface ReadIndexResult {
  readonly index: RootIndex;
  readonly diagnostics: readonly Diagnostic[];
}

/** Default of `maxRoutes`. */
export const DEFAULT_MAX_ROUTES = 20_000;

/**
 * Validates and repairs a root index that was fetched before. Runs in linear time. Never throws: a value that is not an
 * index results in an empty index and the diagnostic `not-an-index`.
 *
 * @param raw The parsed JSON, or the text of the response.
 */
export function readIndex(raw: unknown, options: ReadIndexOptions = {}): ReadIndexResult {
  const collector = new DiagnosticCollector();
  const { report } = collector;
  const { value, fault: defect } =
    typeof raw === 'string' ? parseText(raw, report) : { value: raw, fault: describeIndexDefect(raw) };
  if (defect !== undefined || !isJsonObject(value)) {
    report('not-an-index', { pointer: '' }, defect);
    return { index: { ...EMPTY }, diagnostics: collector.list() };
  }
  const index = runSteps(readIndexObject(value, options, report));
  return { index, diagnostics: collector.list() };
}

/** Describes in a sentence why a value is not an index. Returns `undefined` for an index: an object with `routes`. */
export function describeIndexDefect(value: unknown): string | undefined {
  if (!isJsonObject(value)) return `It is ${describeValue(value)} instead of an object.`;
  if (!Object.hasOwn(value, 'routes')) return 'It has no "routes".';
  const routes = value['routes'];
  if (isJsonObject(routes) || isJsonArray(routes)) return undefined;
  return `Its "routes" are ${describeValue(routes)} instead of an object.`;
}

const EMPTY: RootIndex = {
  name: '',
  description: '',
  url: '',
  home: '',
  namespaces: [],
  authentication: {},
  routes: [],
};

/** The keys that WordPress 4.4 to 7.1 writes into its index. Other keys come from plugins. */
const KNOWN_KEYS: ReadonlySet<string> = new Set(
  (
    'name description url home gmt_offset timezone_string namespaces authentication routes site_logo site_icon ' +
    'site_icon_url page_for_posts page_on_front show_on_front image_sizes image_size_threshold image_output_formats ' +
    'jpeg_interlaced png_interlaced gif_interlaced _links _embedded'
  ).split(' '),
);

/** Reads a value for which `describeIndexDefect` returned `undefined`, in steps of one route. */
export function* readIndexObject(
  raw: JsonObject,
  options: ReadIndexOptions,
  report: RuleReporter,
): Steps<RootIndex> {
  for (const key of Object.keys(raw)) {
    if (!KNOWN_KEYS.has(key) && key !== 'namespace') {
      report('unknown-key', childPosition({ pointer: '' }, key));
    }
  }
  if (Object.hasOwn(raw, 'namespace') && !Object.hasOwn(raw, 'namespaces')) {
    report('namespace-index', { pointer: '/namespace' }, statedValue(raw['namespace']));
  }
  const statedNamespaces = readNamespaceList(raw, report);
  const { routes, namespaces } = yield* readRoutes(raw, statedNamespaces, options, report);
  return {
    name: readText(raw, 'name', report),
    description: readText(raw, 'description', report),
    url: readText(raw, 'url', report),
    home: readText(raw, 'home', report),
    namespaces,
    authentication: readAuthentication(ownMember(raw, 'authentication'), report),
    routes,
  };
}

function readText(raw: JsonObject, name: string, report: RuleReporter): string {
  const value = ownMember(raw, name);
  if (typeof value === 'string') return value;
  if (value === undefined) return '';
  report('text-not-a-string', childPosition({ pointer: '' }, name), statedValue(value));
  return typeof value === 'number' ? String(value) : '';
}

function readAuthentication(value: Json | undefined, report: RuleReporter): JsonObject {
  const position = { pointer: '/authentication' };
  if (value === undefined) return {};
  const authentication = readObject(value, position, report);
  if (authentication === undefined) {
    report('authentication-not-an-object', position, statedValue(value));
  }
  return authentication ?? {};
}

/** Reads the routes, and completes the stated namespaces with those that only routes mention. */
function* readRoutes(
  raw: JsonObject,
  statedNamespaces: readonly string[] | undefined,
  options: ReadIndexOptions,
  report: RuleReporter,
): Steps<Pick<RootIndex, 'routes' | 'namespaces'>> {
  const listed = new Set(statedNamespaces ?? []);
  const selector = createRouteSelector(options, report);
  const maxRoutes = options.maxRoutes ?? DEFAULT_MAX_ROUTES;
  const entries = readRouteEntries(raw, report);
  const routes: IndexRoute[] = [];
  let dropped = 0;
  for (const [pattern, value] of entries) {
    yield;
    const position = routePosition(pattern);
    if (!isJsonObject(value)) {
      report('route-not-an-object', position, statedValue(value));
      continue;
    }
    const statedNamespace = ownMember(value, 'namespace');
    const namespace = resolveRouteNamespace(pattern, statedNamespace, listed, position, report);
    // WordPress selects the routes to try by namespace, so a derived namespace must not extend a stated list.
    if (
      namespace !== '' &&
      !listed.has(namespace) &&
      (statedNamespaces === undefined || typeof statedNamespace === 'string')
    ) {
      listed.add(namespace);
      if (statedNamespaces !== undefined) {
        report('namespace-unlisted', position, statedValue(namespace));
      }
    }
    if (!selector.matches(pattern, namespace)) continue;
    if (routes.length < maxRoutes) routes.push(readIndexRoute(pattern, namespace, value, position, report));
    else dropped += 1;
  }
  if (dropped > 0) {
    report(
      'routes-limit',
      { pointer: '/routes' },
      `${routes.length + dropped} routes; the limit is ${maxRoutes}.`,
    );
  }
  selector.reportUnusedGlobs();
  return { routes, namespaces: [...listed] };
}

function readRouteEntries(raw: JsonObject, report: RuleReporter): readonly (readonly [string, Json])[] {
  const value = ownMember(raw, 'routes');
  const position = { pointer: '/routes' };
  const routes = readObject(value, position, report);
  const entries = Object.entries(routes ?? {});
  if (routes === undefined) {
    report('routes-as-list', position, statedValue(value));
  } else if (entries.length === 0) report('no-routes', position);
  return entries;
}

function parseText(
  text: string,
  report: RuleReporter,
): { readonly value?: unknown; readonly fault: string | undefined } {
  const extracted = runSteps(extractJson(text));
  if (!extracted.ok) return { fault: extracted.detail };
  for (const { rule, detail } of extracted.repairs) report(rule, { pointer: '' }, detail);
  return { value: extracted.value, fault: describeIndexDefect(extracted.value) };
}

/** Reads the list of namespaces. Returns `undefined` if the index has no such list. */
function readNamespaceList(index: JsonObject, report: RuleReporter): readonly string[] | undefined {
  const value = ownMember(index, 'namespaces');
  const position = { pointer: '/namespaces' };
  if (!isJsonArray(value)) {
    report('namespaces-not-a-list', position, statedValue(value));
    return undefined;
  }
  const namespaces = new Set<string>();
  for (const [at, item] of value.entries()) {
    if (typeof item !== 'string' || item === '') {
      report('namespace-not-a-string', childPosition(position, at), statedValue(item));
    } else if (namespaces.has(item)) {
      report('namespace-duplicate', childPosition(position, at), statedValue(item));
    } else {
      namespaces.add(item);
    }
  }
  return [...namespaces];
}

/**
 * Determines the namespace of a route: the stated one, else the longest listed namespace that the pattern begins with,
 * else the first segments of the pattern. A stated empty string is kept: `/` and `/batch/v1` have no namespace.
 */
function resolveRouteNamespace(
  pattern: string,
  stated: Json | undefined,
  listed: ReadonlySet<string>,
  position: IndexPosition,
  report: RuleReporter,
): string {
  if (typeof stated === 'string') return stated;
  const namespace = longestListedPrefix(pattern, listed) ?? namespaceFromPattern(pattern);
  report('namespace-missing', childPosition(position, 'namespace'), `Derived: "${namespace}".`);
  return namespace;
}

/** Namespaces have two segments, rarely three. Without a limit a hostile pattern would cost quadratic time. */
const MAX_SEGMENTS = 8;

function longestListedPrefix(pattern: string, listed: ReadonlySet<string>): string | undefined {
  let longest: string | undefined;
  let end = 0;
  for (let segments = 0; segments < MAX_SEGMENTS && end !== -1; segments += 1) {
    end = pattern.indexOf('/', end + 1);
    const prefix = pattern.slice(1, end === -1 ? undefined : end);
    if (listed.has(prefix)) longest = prefix;
  }
  return longest;
}

/** `/shop/v3/orders/(?P<id>…)` → `shop/v3`. The second segment is included only if it is a version. */
function namespaceFromPattern(pattern: string): string {
  const [, vendor = '', version = ''] =
    /^\/([\w.-]{1,100})(?:\/([\w.-]{1,100}))?(?=\/|$)/.exec(pattern) ?? [];
  return /^v?\d/i.test(version) ? `${vendor}/${version}` : vendor;
}
