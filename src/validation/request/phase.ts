import type { DeclaredArgument } from './own-callbacks.ts';

/**
 * WordPress judges in two passes, and names the faults of the first alone where it found any: first the arguments that
 * have a `validate_callback` (`has_valid_params()`), then those that a sanitiser judges (`sanitize_params()`). The index
 * shows neither; these are the ways in which WordPress's own controllers, and those derived from them, declare theirs.
 *
 */
export function isValidatedFirst({ route, method, name }: Omit<DeclaredArgument, 'schema'>): boolean {
  const other = OTHERWISE.find((row) => row.route.test(route) && row.names.includes(name));
  if (other !== undefined) return other.first;
  // rest_get_endpoint_args_for_schema() gives a validator to every field; groups are declared by hand, beside them.
  if (method === 'POST' || method === 'PUT' || method === 'PATCH') return !route.includes(`(?P<${name}>`);
  return VALIDATED.has(name);
}

/** WP_REST_Controller::get_collection_params() and get_context_param() */
const VALIDATED: ReadonlySet<string> = new Set(['context', 'page', 'per_page', 'search']);

/** WordPress's own that are declared otherwise, where both kinds stand in one endpoint. */
const OTHERWISE: readonly {
  readonly route: RegExp;
  readonly names: readonly string[];
  readonly first: boolean;
}[] = [
  { route: /\/autosaves$/, names: ['parent'], first: false },
  { route: /^\/[\w-]+\/v2\/comments$/, names: ['status', 'type'], first: true },
  { route: /^\/[\w-]+\/v2\/block-renderer\//, names: ['post_id'], first: false },
];
