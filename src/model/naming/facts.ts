/**
 * What an operation's name is made of: facts of its own route alone, so that no other route of the site, and none that
 * is added later, can change it.
 */
export interface OperationFacts {
  /** The route's namespace, `wp/v2`; empty for `/` and `/batch/v1`. */
  readonly namespace: string;
  /** The path template, namespace included: `/wp/v2/posts/{parent}/revisions`. */
  readonly template: string;
  /** Upper case. */
  readonly method: string;
  /** All methods of the route, upper case. */
  readonly methods: readonly string[];
  /** The methods that the operation's endpoint answers, upper case; those that do the same as this one. */
  readonly endpointMethods: readonly string[];
  /** Names of the route's arguments for GET, by which a list is known (`page`, `per_page`). */
  readonly readArguments: readonly string[];
}
