import type { ResourceKind } from '../../cache/dependencies/resource-map.ts';
import { createNameMatcher, parseRouteGlob, type RouteGlob, splitNames } from '../../glob.ts';
import type { Json } from '../../json.ts';
import TABLE from './known-writes.json' with { type: 'json' };

/** What a write of a plugin changes, according to the plugin's code. The table states the source of each row. */
export interface KnownWrite {
  /** Selects the reads that it may change, by template or namespace. Empty: none that others see. */
  readonly changes: readonly RouteGlob[];
  /** Kinds of WordPress's own resources that it writes. */
  readonly kinds: readonly ResourceKind[];
}

interface PageRow {
  /** The parameter that selects the handler. With `values` it is one of the query, as the plugin reads `$_GET`. */
  readonly parameter: string;
  readonly values?: string;
  /** The parameters with which this handler alone writes. Others may be read by other plugins. */
  readonly fields: string;
  readonly changes: string;
}

interface RouteRow {
  readonly routes: string;
  readonly changes: string;
  readonly kinds?: string;
}

const PAGES: readonly PageRow[] = TABLE.pages;
const ROUTES: readonly RouteRow[] = TABLE.routes;
const KINDS: ReadonlySet<string> = new Set<ResourceKind>(['posts', 'media', 'terms', 'users', 'comments']);

function parseRow({
  changes,
  kinds = '',
}: {
  readonly changes: string;
  readonly kinds?: string;
}): KnownWrite {
  const isKind = (name: string): name is ResourceKind => KINDS.has(name);
  return { changes: splitNames(changes).map(parseRouteGlob), kinds: splitNames(kinds).filter(isKind) };
}

const pageRows = PAGES.map((row) => ({
  ...row,
  isValue: row.values === undefined ? () => true : createNameMatcher(splitNames(row.values)),
  isField: createNameMatcher(splitNames(row.fields)),
  write: parseRow(row),
}));

const routeRows = ROUTES.map((row) => ({
  globs: splitNames(row.routes).map(parseRouteGlob),
  write: parseRow(row),
}));

/**
 * Finds what a request to a page writes, by a parameter that selects the handler of a plugin.
 *
 * @param sentParameters of query and form
 * @param inQuery those of the query; `null` if they are unknown
 */
export function findKnownPageWrite(
  sentParameters: ReadonlyMap<string, Json>,
  inQuery: ReadonlyMap<string, Json> | null,
): KnownWrite | undefined {
  return pageRows.find(({ isField, isValue, parameter, values }) => {
    const value = (values === undefined ? sentParameters : inQuery)?.get(parameter);
    return typeof value === 'string' && isValue(value) && Array.from(sentParameters.keys()).every(isField);
  })?.write;
}

/** The plugins of the table, by the first segment of their routes: most writes are of others. */
const ROUTE_PREFIXES: ReadonlySet<string | undefined> = new Set(
  ROUTES.flatMap(({ routes }) => splitNames(routes).map((route) => route.split('/', 2)[1])),
);

/** @param path of the route, in lower case */
export function findKnownRouteWrite(path: string): KnownWrite | undefined {
  if (!ROUTE_PREFIXES.has(path.split('/', 2)[1])) return undefined;
  return routeRows.find(({ globs }) => globs.some(({ matches }) => matches(path)))?.write;
}
