import type { Json, JsonObject } from '../../base/json.ts';
import type { InvalidRequest } from '../../generator/validation/request/result.ts';
import type { SchemaViolation } from '../../generator/validation/wordpress/keywords.ts';
import type { RequestParams } from './params.ts';

export type UserRole = 'subscriber' | 'editor' | 'administrator';

export interface SiteUser {
  readonly id: number;
  readonly login: string;
  readonly name: string;
  readonly email: string;
  readonly role: UserRole;
}

export interface NamespaceDeclaration<State> {
  readonly namespace: string;
  readonly routes: readonly RouteDeclaration<State>[];
}

export interface RouteDeclaration<State> {
  /** PCRE below the namespace: `/posts/(?P<id>[\d]+)`. */
  readonly route: string;
  readonly endpoints: readonly EndpointDeclaration<State>[];
  /** The response schema in WordPress's form (draft 4), for `context=help` and `OPTIONS`. */
  readonly schema?: JsonObject;
}

type EndpointMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** WordPress's dialect of JSON Schema: `{ id: { type: 'integer', required: true } }`. */
export type ArgumentSchemas = Readonly<Record<string, JsonObject>>;

export interface EndpointDeclaration<State> {
  readonly methods: readonly EndpointMethod[];
  readonly args?: ArgumentSchemas;
  readonly allowBatch?: boolean;
  /** `validate_callback` in place of the schema. */
  readonly validate?: Readonly<Record<string, ArgumentValidator<State>>>;
  /** `sanitize_callback`. As in WordPress, it also replaces the schema. */
  readonly sanitize?: Readonly<Record<string, (value: Json) => Json>>;
  readonly permission?: (request: SiteRequest<State>) => void;
  readonly handle: (request: SiteRequest<State>) => SiteResponse | Promise<SiteResponse>;
}

type ArgumentValidator<State> = (
  value: Json,
  request: SiteRequest<State>,
) => SchemaViolation | string | undefined;

export interface SiteRequest<State> extends Omit<RestRequest, 'form' | 'json' | 'base'> {
  readonly state: State;
  /** The route path: `/core/v2/posts/7`. */
  readonly route: string;
  readonly params: RequestParams;
  readonly suppliedNames: ReadonlySet<string>;
  readonly now: Date;
  /** The URL of a REST route: `link('/core/v2/posts', { page: 2 })`. */
  link(route: string, query?: Readonly<Record<string, string | number>>): string;
  /** The URL of a path: `address('/hello-world/')`. */
  address(path: string): string;
}

export interface UploadedFile {
  readonly field: string;
  readonly name: string;
  /** As the client declares it, or `application/octet-stream`. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

export interface RestResponse {
  readonly status: number;
  /** Names in the case that the site sends. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Json;
}

export interface SiteResponse extends RestResponse {
  /** Becomes `X-WP-Total`, `X-WP-TotalPages` and `Link`. */
  readonly page?: Pagination;
}

export interface Pagination {
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
}

/** `{ self: [{ href }], author: [{ href, embeddable: true }] }`. */
export type ItemLinks = Readonly<Record<string, readonly ItemLink[]>>;

export interface ItemLink {
  readonly href: string;
  readonly embeddable?: boolean;
  readonly [attribute: string]: Json | undefined;
}

/** `WP_Error`, sent as `{ code, message, data: { status, …data } }`. */
export interface SiteError extends Pick<InvalidRequest, 'status' | 'code' | 'message' | 'data'> {
  readonly kind: 'error';
}

/** Values of query, form or JSON by name. */
export type RequestValues = ReadonlyMap<string, Json>;

export const NO_VALUES: RequestValues = new Map();

/** `WP_REST_Request`: an HTTP request, an item of a batch, or a fetch for `_embed`. */
export interface RestRequest {
  /** Upper case, after overrides. */
  readonly method: string;
  readonly route: string;
  readonly query: RequestValues;
  readonly form: RequestValues;
  readonly json: RequestValues | SiteError;
  readonly headers: Headers;
  /** Raw; `null` if empty or a form. */
  readonly body: Uint8Array | null;
  readonly files: readonly UploadedFile[];
  readonly user: SiteUser | null;
  readonly base: string;
}

export const EMPTY_REQUEST: RestRequest = {
  method: 'GET',
  route: '/',
  query: NO_VALUES,
  form: NO_VALUES,
  json: NO_VALUES,
  headers: new Headers(),
  body: null,
  files: [],
  user: null,
  base: '',
};
