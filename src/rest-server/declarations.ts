import type { Json, JsonObject } from '../json.ts';
import type { InvalidRequest } from '../validation/request/result.ts';
import type { SchemaViolation } from '../validation/wordpress/keywords.ts';
import type { RequestParams } from './params.ts';

export type UserRole = 'subscriber' | 'editor' | 'administrator';

export interface SiteUser {
  readonly id: number;
  readonly login: string;
  /** The display name: `Ada Lindqvist`. */
  readonly name: string;
  readonly email: string;
  readonly role: UserRole;
}

/** The routes of one namespace, in the order of the index. */
export interface NamespaceDeclaration<State> {
  /** Without leading or trailing slash: `core/v2`. */
  readonly namespace: string;
  readonly routes: readonly RouteDeclaration<State>[];
}

/** A route with its endpoints and the schema of its resource. */
export interface RouteDeclaration<State> {
  /** The PCRE pattern below the namespace, as WordPress registers it: `/posts/(?P<id>[\d]+)`. */
  readonly route: string;
  readonly endpoints: readonly EndpointDeclaration<State>[];
  /** The response schema in WordPress's form (draft 4). `context=help` and `OPTIONS` show it. */
  readonly schema?: JsonObject;
}

export type EndpointMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Schemas by argument name in WordPress's dialect of JSON Schema: `{ id: { type: 'integer', required: true } }`. */
export type ArgumentSchemas = Readonly<Record<string, JsonObject>>;

export interface EndpointDeclaration<State> {
  readonly methods: readonly EndpointMethod[];
  readonly args?: ArgumentSchemas;
  /** Whether `/batch/v1` accepts the endpoint. */
  readonly allowBatch?: boolean;
  /** `validate_callback` by argument, which replaces the schema. */
  readonly validate?: Readonly<Record<string, ArgumentValidator<State>>>;
  /**
   * `sanitize_callback` by argument. As in WordPress, an argument with this callback and without `validate` is not
   * validated by its schema.
   */
  readonly sanitize?: Readonly<Record<string, (value: Json) => Json>>;
  /** `permission_callback`, which runs after validation. Without it, every request is permitted. */
  readonly permission?: (request: SiteRequest<State>) => void;
  /**
   * Handles the request, or refuses it as a permission callback does, with a `RefusedError`. It changes the state
   * synchronously, so concurrent requests see complete changes only.
   */
  readonly handle: (request: SiteRequest<State>) => SiteResponse | Promise<SiteResponse>;
}

/** Returns a violation, or the message of one with the code `rest_invalid_param`. */
export type ArgumentValidator<State> = (
  value: Json,
  request: SiteRequest<State>,
) => SchemaViolation | string | undefined;

/** A request with its route, user and validated parameters. Callbacks and handlers receive it. */
export interface SiteRequest<State> extends Omit<RestRequest, 'form' | 'json' | 'base'> {
  readonly state: State;
  /** The requested route path: `/core/v2/posts/7`. */
  readonly route: string;
  readonly params: RequestParams;
  /** Names of the parameters that the client sent, without those that only have a default. */
  readonly suppliedNames: ReadonlySet<string>;
  /** The time of the site's clock. */
  readonly now: Date;
  /** The URL of a REST route: `link('/core/v2/posts', { page: 2 })`. */
  link(route: string, query?: Readonly<Record<string, string | number>>): string;
  /** The URL of a path of the site: `address('/hello-world/')`. */
  address(path: string): string;
}

export interface UploadedFile {
  /** The name of the form field: `file`. */
  readonly field: string;
  readonly name: string;
  /** The media type that the client declared, or `application/octet-stream`. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** The response of a REST request before it is written as HTTP (`WP_REST_Response`). */
export interface RestResponse {
  readonly status: number;
  /** Values by header name, in the case that the site sends. */
  readonly headers: ReadonlyMap<string, string>;
  /**
   * Items contain their own `_links` (see `ItemLinks`), which `_embed` follows. `null` with status 204 sends no body.
   */
  readonly body: Json;
  /** Bytes to send in place of JSON. */
  readonly raw?: { readonly type: string; readonly bytes: Uint8Array };
}

export interface SiteResponse extends RestResponse {
  /** The page of a list, which becomes `X-WP-Total`, `X-WP-TotalPages` and a `Link` header with next and prev. */
  readonly page?: Pagination;
}

export interface Pagination {
  readonly total: number;
  readonly page: number;
  /** The number of items on a page, at least 1. */
  readonly perPage: number;
}

/** The `_links` of an item: `{ self: [{ href }], author: [{ href, embeddable: true }] }`. */
export type ItemLinks = Readonly<Record<string, readonly ItemLink[]>>;

export interface ItemLink {
  readonly href: string;
  /** Whether `_embed` can fetch it. */
  readonly embeddable?: boolean;
  readonly [attribute: string]: Json | undefined;
}

/** A `WP_Error`, sent as `{ code, message, data: { status, …data } }`. */
export interface SiteError extends Pick<InvalidRequest, 'status' | 'code' | 'message' | 'data'> {
  readonly kind: 'error';
}

/** Parameter values from one source (query, form or JSON), by name. */
export type RequestValues = ReadonlyMap<string, Json>;

export const NO_VALUES: RequestValues = new Map();

/** A REST request before routing (`WP_REST_Request`): an HTTP request, an item of a batch, or a fetch for `_embed`. */
export interface RestRequest {
  /** In upper case, after method overrides. A `GET` endpoint also receives `HEAD`. */
  readonly method: string;
  /** The route path as a byte string. */
  readonly route: string;
  /** The query as PHP parses it, before validation. */
  readonly query: RequestValues;
  readonly form: RequestValues;
  readonly json: RequestValues | SiteError;
  readonly headers: Headers;
  /** The raw body; `null` if it is empty or a form. The files of a form are in `files`. */
  readonly body: Uint8Array | null;
  readonly files: readonly UploadedFile[];
  /** The user of the application password; `null` for an anonymous request. */
  readonly user: SiteUser | null;
  /** The URL of the site, without a trailing slash. */
  readonly base: string;
}

/** A read of the root by an anonymous client. Other requests are made from it. */
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
