import type { ServedApi, ServedOperation, ServedParameter } from '../openapi/served-api.ts';

/** An operation to request samples of. */
export interface SampledOperation {
  readonly operation: ServedOperation;
  /** Number of parameters in its path. */
  readonly parameters: number;
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
  readonly selected: readonly SampledOperation[];
  readonly skipped: readonly SkippedOperation[];
} {
  const selected: SampledOperation[] = [];
  const skipped: SkippedOperation[] = [];
  const operations = routes.flatMap((route) => [...route.operations.values()]);
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    const { id, parameters, path, response } = operation;
    if (response === undefined) {
      skipped.push({ operation: id, reason: 'no-schema' });
    } else if (EXPENSIVE_PATHS.test(path)) {
      skipped.push({ operation: id, reason: 'costly' });
    } else if (parameters.some(isRequiredInQuery)) {
      skipped.push({ operation: id, reason: 'required-parameter' });
    } else {
      selected.push({ operation, parameters: path.split('{').length - 1 });
    }
  }
  selected.sort((one, other) => one.parameters - other.parameters);
  return { selected, skipped };
}

function isRequiredInQuery({ in: location, required, schema }: ServedParameter): boolean {
  return location === 'query' && required && !('default' in schema);
}

/** The contexts besides `view`, each of which has its own component. `edit` needs credentials. */
export function otherContexts({ contexts }: ServedOperation, hasCredentials: boolean): readonly string[] {
  return [...(contexts?.keys() ?? [])].filter(
    (context) => context !== 'view' && (hasCredentials || context !== 'edit') && /^[\w-]+$/.test(context),
  );
}

/** Items of a collection that one request asks for. */
const MAX_PER_PAGE = 50;

/** The query of the first request to a collection: one large page. */
export function firstPageQuery({ parameters }: ServedOperation): string {
  const size = parameters.find(({ in: place, name }) => place === 'query' && name === 'per_page');
  if (size === undefined) return '';
  const { maximum } = size.schema;
  return `per_page=${typeof maximum === 'number' ? Math.min(MAX_PER_PAGE, maximum) : 10}`;
}
