import type { Diagnostic } from '../diagnostics.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { collectFindings, type Note } from './findings.ts';
import { extractJson } from './json-text.ts';
import { namespaceOf, readNamespaces } from './namespaces.ts';
import { readRoute } from './read-route.ts';
import { createSelector, type Selection } from './selection.ts';
import type { IndexRoute, RootIndex } from './site.ts';
import { below, isList, member, objectOrEmptyList, type Position, shown } from './values.ts';

export interface ReadIndexOptions extends Selection {
  /**
   * How many routes are read, after `include` and `exclude`; the rest is dropped with a diagnostic.
   * @default 20000
   */
  readonly maxRoutes?: number | undefined;
}

export interface ReadIndex {
  readonly index: RootIndex;
  readonly diagnostics: readonly Diagnostic[];
}

export const DEFAULT_MAX_ROUTES = 20_000;

/**
 * Reads a root index that is already there: the value that `JSON.parse` gave, or the text of an answer. Pure, linear,
 * and never throws: what is no index gives an empty one and the diagnostic `not-an-index`.
 */
export function readIndex(raw: unknown, options: ReadIndexOptions = {}): ReadIndex {
  const { note, list } = collectFindings();
  const { value, fault } =
    typeof raw === 'string' ? parseText(raw, note) : { value: raw, fault: whyNotAnIndex(raw) };
  if (fault !== undefined || !isJsonObject(value)) {
    note('not-an-index', { pointer: '', ...(fault === undefined ? {} : { detail: fault }) });
    return { index: { ...EMPTY }, diagnostics: list() };
  }
  const index = readIndexObject(value, options, note);
  return { index, diagnostics: list() };
}

/** Why a value is no index, as a sentence; `undefined` where it is one: an object that has `routes`. */
export function whyNotAnIndex(value: unknown): string | undefined {
  if (!isJsonObject(value)) return `It is ${shown(value)} instead of an object.`;
  if (!Object.hasOwn(value, 'routes')) return 'It has no "routes".';
  const routes = value['routes'];
  if (isJsonObject(routes) || isList(routes)) return undefined;
  return `Its "routes" are ${shown(routes)} instead of an object.`;
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

/** What WordPress 4.4 to 7.1 puts into its index; other keys are a plugin's. */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  ...['name', 'description', 'url', 'home', 'gmt_offset', 'timezone_string', 'namespaces', 'authentication'],
  ...[
    'routes',
    'site_logo',
    'site_icon',
    'site_icon_url',
    'page_for_posts',
    'page_on_front',
    'show_on_front',
  ],
  ...['image_sizes', 'image_size_threshold', 'image_output_formats', 'jpeg_interlaced', 'png_interlaced'],
  ...['gif_interlaced', '_links', '_embedded'],
]);

/** Reads an index that is known to be one (`whyNotAnIndex`). */
export function readIndexObject(raw: JsonObject, options: ReadIndexOptions, note: Note): RootIndex {
  for (const key of Object.keys(raw)) {
    if (!KNOWN_KEYS.has(key) && key !== 'namespace') note('unknown-key', below({ pointer: '' }, key));
  }
  if (Object.hasOwn(raw, 'namespace') && !Object.hasOwn(raw, 'namespaces')) {
    note('namespace-index', { pointer: '/namespace', detail: `It is ${shown(raw['namespace'])}.` });
  }
  const stated = readNamespaces(raw, note);
  const { routes, namespaces } = readRoutes(raw, stated, options, note);
  return {
    name: readText(raw, 'name', note),
    description: readText(raw, 'description', note),
    url: readText(raw, 'url', note),
    home: readText(raw, 'home', note),
    namespaces,
    authentication: readAuthentication(member(raw, 'authentication'), note),
    routes,
  };
}

function readText(raw: JsonObject, name: string, note: Note): string {
  const value = member(raw, name);
  if (typeof value === 'string') return value;
  if (value === undefined) return '';
  note('text-not-a-string', { ...below({ pointer: '' }, name), detail: `It is ${shown(value)}.` });
  return typeof value === 'number' ? String(value) : '';
}

function readAuthentication(value: Json | undefined, note: Note): JsonObject {
  const position = { pointer: '/authentication' };
  if (value === undefined) return {};
  const authentication = objectOrEmptyList(value, position, note);
  if (authentication === undefined)
    note('authentication-not-an-object', { ...position, detail: `It is ${shown(value)}.` });
  return authentication ?? {};
}

/** The routes, and the namespaces: those stated, with those that only the routes tell of. */
function readRoutes(
  raw: JsonObject,
  stated: readonly string[] | undefined,
  options: ReadIndexOptions,
  note: Note,
): Pick<RootIndex, 'routes' | 'namespaces'> {
  const listed = new Set(stated ?? []);
  const selector = createSelector(options, note);
  const most = options.maxRoutes ?? DEFAULT_MAX_ROUTES;
  const entries = routeEntries(raw, note);
  const routes: IndexRoute[] = [];
  let dropped = 0;
  for (const [pattern, value] of entries) {
    const position: Position = { route: pattern, pointer: below({ pointer: '' }, 'routes', pattern).pointer };
    if (!isJsonObject(value)) {
      note('route-not-an-object', { ...position, detail: `It is ${shown(value)}.` });
      continue;
    }
    const said = member(value, 'namespace');
    const namespace = namespaceOf(pattern, said, listed, position, note);
    // A namespace decides which routes the site tries for a path, so that a guess must not join a list that stands.
    if (namespace !== '' && !listed.has(namespace) && (stated === undefined || typeof said === 'string')) {
      listed.add(namespace);
      if (stated !== undefined)
        note('namespace-unlisted', { ...position, detail: `It is ${shown(namespace)}.` });
    }
    if (!selector.has(pattern, namespace)) continue;
    if (routes.length < most) routes.push(readRoute(pattern, namespace, value, position, note));
    else dropped += 1;
  }
  if (dropped > 0) {
    note('routes-limit', { pointer: '/routes', detail: `${routes.length + dropped} are more than ${most}.` });
  }
  selector.noteUnused();
  return { routes, namespaces: [...listed] };
}

function routeEntries(raw: JsonObject, note: Note): readonly (readonly [string, Json])[] {
  const value = member(raw, 'routes');
  const position = { pointer: '/routes' };
  const routes = objectOrEmptyList(value, position, note);
  const entries = Object.entries(routes ?? {});
  if (routes === undefined) note('routes-as-list', { ...position, detail: `It is ${shown(value)}.` });
  else if (entries.length === 0) note('no-routes', position);
  return entries;
}

function parseText(
  text: string,
  note: Note,
): { readonly value?: unknown; readonly fault: string | undefined } {
  const extracted = extractJson(text);
  if (!extracted.ok) return { fault: extracted.detail };
  for (const { rule, detail } of extracted.tolerated) note(rule, { pointer: '', detail });
  return { value: extracted.value, fault: whyNotAnIndex(extracted.value) };
}
