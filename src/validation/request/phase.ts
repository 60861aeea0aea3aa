import type { DeclaredArgument } from './core-arguments.ts';

/**
 * WordPress judges in two passes, and names the faults of the first alone where it found any: first the arguments that
 * have a `validate_callback` (`has_valid_params()`), then those that a sanitiser judges (`sanitize_params()`). The index
 * shows neither; these are the ways in which WordPress's own controllers, and those derived from them, declare theirs.
 */
export function isValidatedFirst({ path, method, name, isGroup }: Omit<DeclaredArgument, 'schema'>): boolean {
  const other = PASS_EXCEPTIONS.find((row) => row.path.test(path) && row.names.includes(name));
  if (other !== undefined) return other.first;
  // rest_get_endpoint_args_for_schema() gives a validator to every field; groups are declared by hand, beside them.
  if (method === 'POST' || method === 'PUT' || method === 'PATCH') return !isGroup;
  return VALIDATED_QUERY_ARGUMENTS.has(name);
}

/** WP_REST_Controller::get_collection_params() and get_context_param() */
const VALIDATED_QUERY_ARGUMENTS: ReadonlySet<string> = new Set(['context', 'page', 'per_page', 'search']);

/** WordPress's own that are declared otherwise, where both kinds stand in one endpoint. */
const PASS_EXCEPTIONS: readonly {
  readonly path: RegExp;
  readonly names: readonly string[];
  readonly first: boolean;
}[] = [
  // Those of pages and menu items have a field of that name.
  { path: /(?<!\/(?:pages|menu-items)\/[^/]+)\/autosaves$/, names: ['parent'], first: false },
  { path: /^\/[\w-]+\/v2\/comments$/, names: ['status', 'type'], first: true },
  { path: /^\/[\w-]+\/v2\/comments(?:\/|$)/, names: ['author_email'], first: false },
  { path: /^\/[\w-]+\/v2\/block-renderer\//, names: ['post_id'], first: false },
];
