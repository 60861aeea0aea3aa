import type { Json } from '../../json.ts';
import type { SiteError, UploadedFile } from './declare.ts';
import type { User } from './users.ts';

/** Parameters of one place, by name. */
export type Source = ReadonlyMap<string, Json>;

export const NO_SOURCE: Source = new Map();

/** A request to the interface as it came, by HTTP, within a batch or for an embedded item: a `WP_REST_Request`. */
export interface Incoming {
  /** Upper case, overrides done. */
  readonly method: string;
  /** A byte string. */
  readonly route: string;
  readonly query: Source;
  readonly form: Source;
  readonly json: Source | SiteError;
  readonly headers: Headers;
  readonly body: Uint8Array | null;
  readonly files: readonly UploadedFile[];
  readonly user: User | null;
  /** The address of the site, without a slash at its end. */
  readonly base: string;
}

/** A request made by the site itself, for the same caller. */
export function withinSite(
  outer: Incoming,
  inner: Pick<Incoming, 'method' | 'route' | 'query'> & Partial<Pick<Incoming, 'form' | 'headers'>>,
): Incoming {
  return {
    form: NO_SOURCE,
    json: NO_SOURCE,
    headers: new Headers(),
    body: null,
    files: [],
    user: outer.user,
    base: outer.base,
    ...inner,
  };
}
