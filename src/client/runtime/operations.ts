/**
 * The types of a site's operations, by path template. In a generated client these interfaces are created from the document;
 * here they stand for any site, so that the other files of this folder compile.
 */

import type { ClientEnvironment } from './options-and-results.ts';

/** Types of an operation that its call depends on. */
export interface Operation {
  /** The options that only this operation has: `path`, `body`, `file`; `query` if the query is required. */
  readonly input: object;
  /** The query without the parameters that the types of a call are derived from. */
  readonly query: object;
  /** Which of these parameters the operation has: `context` on reads, `force` on deletions; `forced` if it is required. */
  readonly selects: 'plain' | 'context' | 'force' | 'forced';
  /** The item of the response, for the default context and without `force`. */
  readonly item: unknown;
  /** Whether the response is an item, a list of items, a list with totals, or a map of items. */
  readonly shape: 'one' | 'list' | 'pages' | 'map';
  /** The item of the response by `context`. */
  readonly contexts?: object;
  /** The response with `force=true`. */
  readonly forced?: unknown;
  /** Names that `_fields` takes. */
  readonly fields?: string;
  /** The members of `_embedded`. */
  readonly embedded?: object;
  /** Error codes that the site is known to send. */
  readonly codes: string;
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

/** The name of the generated files. Keys of queries begin with it, so that those of several sites differ. */
export const SITE = 'site';

/** The resources of the site, by `resourceOf`. */
export type SiteResource = string;

/** The error codes of all operations. */
export type ErrorCode = AnyOperations[`/${string}`]['codes'];

/** Facts about operations that the client needs at run time. */
export const ENVIRONMENT: ClientEnvironment = { slashes: [], commas: [] };
