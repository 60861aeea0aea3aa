import { createNameMatcher, parseRouteGlob, type RouteGlob, splitNames } from '../../glob.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import TABLE from './known-writes.json' with { type: 'json' };

/** What a write of WordPress or of a plugin changes, according to the plugin's code. The table states the source of each row. */
export interface KnownWrite {
  /** Selects the reads that it may change, by template or namespace. Empty: none that others see. */
  readonly changes: readonly RouteGlob[];
  /** Whether it writes comments. */
  readonly changesComments: boolean;
}

function parseRow(changes: string, changesComments = false): KnownWrite {
  return { changes: splitNames(changes).map(parseRouteGlob), changesComments };
}

const pageRows = TABLE.pages.map(({ changes, fields, parameter, values }) => ({
  /** Selects the handler. With `values` it is one of the query, as the plugin reads `$_GET`. */
  parameter,
  values,
  isValue: values === undefined ? () => true : createNameMatcher(splitNames(values)),
  /** Whether this handler alone writes with a parameter. Others may be read by other plugins. */
  isField: createNameMatcher(splitNames(fields)),
  write: parseRow(changes),
}));

const routeRows = TABLE.routes.map(({ changes, changesComments, routes }) => ({
  globs: splitNames(routes).map(parseRouteGlob),
  write: parseRow(changes, changesComments),
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
  TABLE.routes.flatMap(({ routes }) => splitNames(routes).map((route) => route.split('/', 2)[1])),
);

const toMatchers = (texts: Readonly<Record<string, string | undefined>> = {}): readonly ValueMatcher[] =>
  Object.entries(texts).map(([name, values = '']) => [name, values === '' ? [''] : splitNames(values)]);

type ValueMatcher = readonly [name: string, values: readonly Json[]];

const unseenRows = TABLE.unseen.map(({ fields, methods, responds, routes, sends, status }) => ({
  globs: splitNames(routes).map(parseRouteGlob),
  methods: splitNames(methods),
  statuses: splitNames(status),
  isField: createNameMatcher(splitNames(fields)),
  /** Members that the response must have. */
  responds: toMatchers(responds),
  /** Parameters that no other value may have. */
  sends: toMatchers(sends),
}));

/**
 * Whether a write to a route of WordPress itself has changed nothing that visitors see: a draft, an autosave, the preferences of an editor.
 *
 * @param write `sentParameters` without those that control the request
 */
export function isUnseenWrite(write: {
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly sentParameters: readonly (readonly [name: string, value: Json])[];
  readonly responseBody: JsonObject;
}): boolean {
  const { method, path, responseBody, sentParameters, status } = write;
  const names = sentParameters.flatMap(([name, value]) =>
    name === 'meta' && isJsonObject(value) ? Object.keys(value).map((key) => `meta.${key}`) : [name],
  );
  return unseenRows.some(
    (row) =>
      row.methods.includes(method) &&
      row.statuses.includes(String(status)) &&
      row.globs.some(({ matches }) => matches(path)) &&
      (method === 'DELETE' || names.length > 0) &&
      names.every(row.isField) &&
      row.responds.every(([name, values]) => values.includes(responseBody[name] ?? null)) &&
      row.sends.every(([name, values]) =>
        sentParameters.every(([sent, value]) => sent !== name || values.includes(value)),
      ),
  );
}

/** @param path of the route, in lower case */
export function findKnownRouteWrite(path: string): KnownWrite | undefined {
  if (!ROUTE_PREFIXES.has(path.split('/', 2)[1])) return undefined;
  return routeRows.find(({ globs }) => globs.some(({ matches }) => matches(path)))?.write;
}

const delayedRows = TABLE.delayed.map(({ addresses, parameter, seconds, values }) => ({
  globs: splitNames(addresses).map(parseRouteGlob),
  parameter,
  isValue: values === undefined ? () => true : createNameMatcher(splitNames(values)),
  delays: seconds.map((each) => each * 1_000),
}));

/**
 * Returns the milliseconds after the response to a request at which the site may have done more of its work, e.g. the tasks of
 * `wp-cron.php`; empty for most requests. What ends later, or is not in the table, shows when a lifetime ends or `waygate.php` tells it.
 *
 * @param address path of the page, or route, in lower case
 * @param readParameters of query and form; `null` if they are unknown
 */
export function findLaterWork(
  address: string,
  readParameters: () => ReadonlyMap<string, Json> | null,
): readonly number[] {
  const row = delayedRows.find(({ globs, isValue, parameter }) => {
    if (!globs.some(({ matches }) => matches(address))) return false;
    if (parameter === undefined) return true;
    const parameters = readParameters();
    return parameters === null || (parameters.has(parameter) && isValue(String(parameters.get(parameter))));
  });
  return row?.delays ?? [];
}
