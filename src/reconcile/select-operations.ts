import type { ServedApi, ServedOperation, ServedParameter } from '../openapi/served-api.ts';

/** An operation whose responses are sampled. */
export interface SelectedOperation {
  readonly operation: ServedOperation;
  /** Number of parameters in its path. */
  readonly pathParameterCount: number;
}

/** An operation that is not sampled, and the reason. */
export interface SkippedOperation {
  readonly operation: string;
  readonly reason: 'no-schema' | 'required-parameter' | 'no-item-known' | 'costly' | 'limit';
}

/**
 * Reads that are expensive or request other sites. Observed on WordPress 6.1: site health requests the site itself over
 * HTTP and sums up folder sizes, and the directories are those of wordpress.org.
 */
const EXPENSIVE_PATHS = /^\/(?:wp-site-health|wp\/v2\/(?:block|pattern)-directory)(?:\/|$)/;

/** Selects the `GET` operations whose response the document describes, those with the fewest path parameters first. */
export function selectOperations({ routes }: ServedApi): {
  readonly selected: readonly SelectedOperation[];
  readonly skipped: readonly SkippedOperation[];
} {
  const selected: SelectedOperation[] = [];
  const skipped: SkippedOperation[] = [];
  const operations = routes.flatMap((route) => [...route.operations.values()]);
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    const { id, parameters, path, responseSchema } = operation;
    if (responseSchema === undefined) {
      skipped.push({ operation: id, reason: 'no-schema' });
    } else if (EXPENSIVE_PATHS.test(path)) {
      skipped.push({ operation: id, reason: 'costly' });
    } else if (parameters.some(isRequiredInQuery)) {
      skipped.push({ operation: id, reason: 'required-parameter' });
    } else {
      selected.push({ operation, pathParameterCount: path.split('{').length - 1 });
    }
  }
  selected.sort((one, other) => one.pathParameterCount - other.pathParameterCount);
  return { selected, skipped };
}

function isRequiredInQuery({ in: location, required, schema }: ServedParameter): boolean {
  return location === 'query' && required && !('default' in schema);
}

/** Returns the contexts of an operation without `view`, and without `edit` if there are no credentials. */
export function listNonViewContexts(
  { contextReferences }: ServedOperation,
  hasCredentials: boolean,
): readonly string[] {
  return [...(contextReferences?.keys() ?? [])].filter(
    (context) => context !== 'view' && (hasCredentials || context !== 'edit') && /^[\w-]+$/.test(context),
  );
}

/** Maximum value of `per_page`. */
const MAX_PER_PAGE = 50;

/** Creates the query for the first page of a collection; empty if the operation has no `per_page`. */
export function createFirstPageQuery({ parameters }: ServedOperation): string {
  const size = parameters.find(({ in: place, name }) => place === 'query' && name === 'per_page');
  if (size === undefined) return '';
  const { maximum } = size.schema;
  return `per_page=${typeof maximum === 'number' ? Math.min(MAX_PER_PAGE, maximum) : 10}`;
}
