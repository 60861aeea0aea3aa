import type { Json } from '../../json.ts';
import type { SiteError, UploadedFile } from './declarations.ts';
import type { SiteUser } from './users.ts';

/** Parameter values from one source (query, form or JSON), by name. */
export type RequestValues = ReadonlyMap<string, Json>;

export const NO_VALUES: RequestValues = new Map();

/** A REST request before routing (`WP_REST_Request`): an HTTP request, an item of a batch, or a fetch for `_embed`. */
export interface RestRequest {
  /** In upper case, after method overrides. */
  readonly method: string;
  /** The route path as a byte string. */
  readonly route: string;
  readonly query: RequestValues;
  readonly form: RequestValues;
  readonly json: RequestValues | SiteError;
  readonly headers: Headers;
  readonly body: Uint8Array | null;
  readonly files: readonly UploadedFile[];
  readonly user: SiteUser | null;
  /** The URL of the site, without a trailing slash. */
  readonly base: string;
}

/** Creates a request that the site makes to itself, with the user of the outer request. */
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
