import type { IndexEndpoint } from '../../discovery/site.ts';

/** A route without a schema that returns the resource of another route. */
interface BorrowedResponseConvention {
  readonly source: string;
  /** The last segment of the path. */
  readonly segment: string;
  /** The arguments that only WordPress' own route declares. */
  readonly args: readonly string[];
  /** The path of the route with the schema, relative to the path without its last segment. */
  readonly lender: string;
  /** Whether the response is an object without members if there is no resource. */
  readonly isMaybeEmpty: boolean;
}

export const BORROWED_RESPONSES: readonly BorrowedResponseConvention[] = [
  {
    source:
      'WP_REST_Templates_Controller::get_template_fallback(); since WordPress 6.3 `{}` without a template',
    segment: 'lookup',
    args: ['slug', 'is_custom', 'template_prefix'],
    lender: '',
    isMaybeEmpty: true,
  },
  {
    source: 'WP_REST_Site_Health_Controller::test_page_cache() returns WP_Site_Health::get_test_page_cache()',
    segment: 'page-cache',
    args: [],
    lender: '/loopback-requests',
    isMaybeEmpty: false,
  },
];

/** Where the schema of a route without one is found. */
export interface LendingRoute {
  /** The anonymous template of the route with the schema. */
  readonly template: string;
  readonly isMaybeEmpty: boolean;
}

/** Finds the route whose resource a route without a schema returns. */
export function findLendingRoute(
  anonymousTemplate: string,
  endpoints: readonly IndexEndpoint[],
): LendingRoute | undefined {
  const slash = anonymousTemplate.lastIndexOf('/');
  const segment = anonymousTemplate.slice(slash + 1);
  const found = BORROWED_RESPONSES.find(
    (each) =>
      each.segment === segment &&
      endpoints.every(({ args }) =>
        each.args.every((name) => args.some((argument) => argument.name === name)),
      ),
  );
  if (found === undefined) return undefined;
  const { isMaybeEmpty, lender } = found;
  return { template: anonymousTemplate.slice(0, slash) + lender, isMaybeEmpty };
}
