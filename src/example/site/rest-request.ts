import type { Json } from '../../json.ts';
import type { SiteError, UploadedFile } from './declarations.ts';
import type { SiteUser } from './users.ts';

/** Parameters of one place, by name. */
export type RequestValues = ReadonlyMap<string, Json>;

export const NO_VALUES: RequestValues = new Map();

/** A request to the interface as it came, by HTTP, within a batch or for an embedded item: a `WP_REST_Request`. */
export interface RestRequest {
  /** Upper case, overrides done. */
  readonly method: string;
  /** A byte string. */
  readonly route: string;
  readonly query: RequestValues;
  readonly form: RequestValues;
  readonly json: RequestValues | SiteError;
  readonly headers: Headers;
  readonly body: Uint8Array | null;
  readonly files: readonly UploadedFile[];
  readonly user: SiteUser | null;
  /** The address of the site, without a slash at its end. */
  readonly base: string;
}

/** A request made by the site itself, for the same caller. */
export function createInternalRequest(
  outer: RestRequest,
  inner: Pick<RestRequest, 'method' | 'route' | 'query'> & Partial<Pick<RestRequest, 'form' | 'headers'>>,
): RestRequest {
  return {
    form: NO_VALUES,
    json: NO_VALUES,
    headers: new Headers(),
    body: null,
    files: [],
    user: outer.user,
    base: outer.base,
    ...inner,
  };
}
