/**
 * Types of any site's operations, so that this folder compiles. A generated client has its document's
 * instead.
 */

/** Types of an operation that its call depends on. */
export interface Operation {
  /** Options that only this operation has: `path`, `body`, `file`; `query` if it is required. @default none */
  readonly input?: object;
  /** Query parameters that don't change the type of the response. @default SharedQuery */
  readonly query?: object;
  /** Parameters that change the type: `context` on reads, `force` on deletions; `forced` if required. @default plain */
  readonly selects?: 'plain' | 'context' | 'force' | 'forced';
  /** Item of the response, for the default context and without `force`. */
  readonly item?: unknown;
  /** Item, list of items, list with totals, or map of items. @default one */
  readonly shape?: 'one' | 'list' | 'pages' | 'map';
  /** Item of the response by `context`. */
  readonly contexts?: object;
  /** Response with `force=true`. */
  readonly forced?: unknown;
  /** Members of `_embedded`. */
  readonly embedded?: object;
  /** Known error codes of the operation. */
  readonly codes?: string;
  readonly batch?: true;
}

interface AnyOperations {
  readonly [path: `/${string}`]: Operation;
}

export interface PagedOperations extends AnyOperations {}
export interface GetOperations extends PagedOperations {}
export interface PostOperations extends AnyOperations {}
export interface PutOperations extends AnyOperations {}
export interface PatchOperations extends AnyOperations {}
export interface DeleteOperations extends AnyOperations {}

/** Query parameters that several operations accept. */
export type SharedQuery = object;

export const SITE = 'site';

/** Resources of the site, by `resourceOf`. */
export type SiteResource = string;

export type ErrorCode = string;

export const ENVIRONMENT: { readonly slashes: readonly string[]; readonly commas: readonly string[] } = {
  slashes: [],
  commas: [],
};
