import type { Json } from '../json.ts';
import type { MockOperation } from './operations.ts';

/** A collection of items at a route. */
export interface Collection {
  /** The route of the collection: `/wp/v2/posts/5/revisions`. */
  readonly route: string;
  /** The operation that lists it; `undefined` if the document has none. */
  readonly list: MockOperation | undefined;
  /** Values of the path parameters, by name. Items have them as properties. */
  readonly params: Readonly<Record<string, string>>;
  /** The example that the document states for the response, if the collection is a single resource. */
  readonly example?: Json | undefined;
}
