import type { ServedApi, ServedOperation } from '../openapi/served-api.ts';

/** An operation that can be asked without changing anything. */
export interface SampledOperation {
  readonly operation: ServedOperation;
  /** How many parameters its path has. */
  readonly parameters: number;
}

/** Why an operation is not asked. */
export interface SkippedOperation {
  readonly operation: string;
  readonly reason: 'no-schema' | 'required-parameter' | 'no-item-known' | 'costly' | 'limit';
}

/**
 * Reads that make the site work or ask others: seen on WordPress 6.1, whose site health calls itself over HTTP and sums
 * up its folders, and whose directories are those of wordpress.org.
 */
const EXPENSIVE_PATHS = /^\/(?:wp-site-health|wp\/v2\/(?:block|pattern)-directory)(?:\/|$)/;

/** The operations that read, and of which the document says what they answer, those with the shortest paths first. */
export function selectOperations({ routes }: ServedApi): {
  readonly readable: readonly SampledOperation[];
  readonly skipped: readonly SkippedOperation[];
} {
  const readable: SampledOperation[] = [];
  const skipped: SkippedOperation[] = [];
  const operations = routes.flatMap((route) => [...route.operations.values()]);
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    const { id, parameters, path, response } = operation;
    if (response === undefined) skipped.push({ operation: id, reason: 'no-schema' });
    else if (EXPENSIVE_PATHS.test(path)) skipped.push({ operation: id, reason: 'costly' });
    else if (parameters.some((each) => each.in === 'query' && each.required && !hasDefault(each.schema))) {
      skipped.push({ operation: id, reason: 'required-parameter' });
    } else readable.push({ operation, parameters: path.split('{').length - 1 });
  }
  readable.sort((one, other) => one.parameters - other.parameters);
  return { readable, skipped };
}

function hasDefault(schema: object): boolean {
  return 'default' in schema;
}

/** Answers of other contexts are other components. `edit` is for those who may. */
export function otherContexts({ contexts }: ServedOperation, mayEdit: boolean): readonly string[] {
  return [...(contexts?.keys() ?? [])].filter(
    (context) => context !== 'view' && (mayEdit || context !== 'edit') && /^[\w-]+$/.test(context),
  );
}

/** More items in one answer show more, for one request. */
const MAX_PER_PAGE = 50;

/** The query of a first request: as many as the site gives at once, within reason. */
export function firstPageQuery({ parameters }: ServedOperation): string {
  const size = parameters.find(({ in: place, name }) => place === 'query' && name === 'per_page');
  if (size === undefined) return '';
  const { maximum } = size.schema;
  return `per_page=${typeof maximum === 'number' ? Math.min(MAX_PER_PAGE, maximum) : 10}`;
}
