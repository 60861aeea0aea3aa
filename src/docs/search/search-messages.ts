/** What the page sends to the worker that searches: the URL of the index once, then queries. */
export type SearchMessage =
  | { readonly kind: 'load'; readonly url: string }
  | { readonly kind: 'query'; readonly query: string };

/** What the worker sends to the page: that it is ready or has failed, and the results of each query in turn. */
export type SearchReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed' }
  | {
      readonly kind: 'results';
      readonly query: string;
      /** Number of all results, of which the first are sent. */
      readonly total: number;
      readonly results: readonly SearchHit[];
    };

/** A result as the page shows it. */
export interface SearchHit {
  readonly title: string;
  /** `GET`; empty for a page. */
  readonly method: string;
  /** `/wp/v2/posts · wp/v2 › Posts` */
  readonly detail: string;
  /** URL below `docs/`. */
  readonly url: string;
  /** The words of the index that the query found, in lower case. */
  readonly terms: readonly string[];
}
