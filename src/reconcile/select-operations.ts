import { isJsonObject, jsonItems } from '../json.ts';
import { typesOf } from '../openapi/schema-view.ts';
import type { ServedApi, ServedOperation, ServedParameter } from '../openapi/served-api.ts';
import { compileRoute } from '../pcre/index.ts';
import type { PathExpander } from './path-expander.ts';

/** An operation whose responses are sampled. */
export interface SelectedOperation {
  readonly operation: ServedOperation;
  /** The site's route pattern. */
  readonly route: string;
  /** Number of parameters in its path. */
  readonly pathParameterCount: number;
  /** Whether the route's pattern matches a path. */
  readonly isOfRoute: (path: string) => boolean;
}

/** An operation that is not sampled, and the reason. */
export interface SkippedOperation {
  readonly operation: string;
  readonly reason: 'required-parameter' | 'no-item-known' | 'costly' | 'limit';
}

/**
 * Reads that are expensive or request other sites. Observed on WordPress 6.1: site health requests the site itself over
 * HTTP and sums up folder sizes, and the directories are those of wordpress.org.
 */
const EXPENSIVE_PATHS = /^\/(?:wp-site-health|wp\/v2\/(?:block|pattern)-directory)(?:\/|$)/;

/** Selects the `GET` operations that can be requested, those with the fewest path parameters first. */
export function selectOperations({ routes }: ServedApi): {
  readonly selected: readonly SelectedOperation[];
  readonly skipped: readonly SkippedOperation[];
} {
  const selected: SelectedOperation[] = [];
  const skipped: SkippedOperation[] = [];
  for (const { operations, pattern: route } of routes) {
    const operation = operations.get('GET');
    if (operation === undefined) continue;
    const { id, path } = operation;
    if (EXPENSIVE_PATHS.test(path)) skipped.push({ operation: id, reason: 'costly' });
    else {
      const { match } = compileRoute(route);
      const isOfRoute = (candidate: string): boolean => match(candidate) !== null;
      selected.push({ operation, route, pathParameterCount: path.split('{').length - 1, isOfRoute });
    }
  }
  selected.sort((one, other) => one.pathParameterCount - other.pathParameterCount);
  return { selected, skipped };
}

/** Returns the contexts of an operation without its default, and without `edit` if there are no credentials. */
export function listOtherContexts(operation: ServedOperation, hasCredentials: boolean): readonly string[] {
  const { contextReferences, parameters, responseSchema } = operation;
  const schema = parameters.find(({ in: place, name }) => place === 'query' && name === 'context')?.schema;
  // The document names the components of contexts. Without a schema, the parameter names the contexts.
  const stated =
    responseSchema === undefined ? jsonItems(schema?.['enum']) : [...(contextReferences?.keys() ?? [])];
  const usual = getDefaultContext(operation);
  return stated.filter(
    (context): context is string =>
      typeof context === 'string' &&
      context !== usual &&
      (hasCredentials || context !== 'edit') &&
      /^[\w-]{1,32}$/.test(context),
  );
}

/** The context of a response without the parameter: `view`, unless the site states another. */
export function getDefaultContext({ parameters }: Pick<ServedOperation, 'parameters'>): string {
  const parameter = parameters.find(({ in: place, name }) => place === 'query' && name === 'context');
  const stated = parameter?.schema['default'];
  return typeof stated === 'string' ? stated : 'view';
}

/** Maximum value of `per_page`. */
const MAX_PER_PAGE = 50;

/**
 * Creates the query of a sample request: the first page of a collection, and a value for each required parameter.
 *
 * @returns `null` if the value of a required parameter is unknown
 */
export function createSampleQuery({ parameters, path }: ServedOperation, paths: PathExpander): string | null {
  const parts: string[] = [];
  for (const parameter of parameters) {
    const { in: location, name, required, schema } = parameter;
    if (location !== 'query') continue;
    if (name === 'per_page') parts.push(`per_page=${firstPageSize(schema['maximum'])}`);
    else if (required && !('default' in schema)) {
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

/** Parameters that search for a text. Nearly every text has an `a`. */
const SEARCH_NAME = /^(?:s|q|query|search|search_term|keyword|term)$/;
/** Parameters that are a point in time in the past. */
const SINCE_NAME = /^(?:since|after|from|start|start_date|modified_after)$/;

/** Returns a value that the site is likely to accept; `undefined` if there is none. */
function findValue({ name, schema }: ServedParameter, path: string, paths: PathExpander): string | undefined {
  const { enum: values, example, items, minimum, type } = schema;
  const allowed = values ?? (isJsonObject(items) ? items['enum'] : undefined);
  const [first] = jsonItems(allowed);
  if (typeof first === 'string' || typeof first === 'number') return String(first);
  if (typeof example === 'string' || typeof example === 'number') return String(example);
  // `/templates/lookup?slug=` takes the slug of an item of `/templates`.
  const [seen] = [
    ...paths.valuesOf(name),
    ...paths.fieldsOf(path, name),
    ...paths.fieldsOf(path.slice(0, path.lastIndexOf('/')), name),
  ];
  if (seen !== undefined) return seen;
  const types = type === undefined ? ['string'] : typesOf(schema);
  if (types.includes('integer') || types.includes('number')) {
    return String(typeof minimum === 'number' ? Math.ceil(minimum) : 1);
  }
  if (types.includes('boolean')) return 'true';
  if (SEARCH_NAME.test(name)) return 'a';
  if (SINCE_NAME.test(name)) return '2020-01-01T00:00:00';
  return name === 'url' ? paths.link() : undefined;
}
