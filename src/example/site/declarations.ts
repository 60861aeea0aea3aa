import type { Json, JsonObject } from '../../json.ts';
import type { RequestParams } from './request-params.ts';
import type { SiteUser } from './users.ts';

/** The routes of one namespace, in the order in which the index shows them. */
export interface NamespaceDeclaration<State> {
  /** `core/v2`: without slashes at its ends. */
  readonly namespace: string;
  readonly routes: readonly RouteDeclaration<State>[];
}

/** A resource's route with what it answers. */
export interface RouteDeclaration<State> {
  /** Below the namespace, as WordPress registers it (PCRE): `/posts/(?P<id>[\d]+)`. */
  readonly route: string;
  readonly endpoints: readonly EndpointDeclaration<State>[];
  /** The resource's response schema in WordPress's form (draft 4, `context` lists, `readonly`): shown with `context=help` and by `OPTIONS`. */
  readonly schema?: JsonObject;
}

export type EndpointMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** JSON Schema keywords in WordPress's dialect, as the index shows them: `{ type: 'integer', required: true }`. */
export type ArgumentSchemas = Readonly<Record<string, JsonObject>>;

export interface EndpointDeclaration<State> {
  readonly methods: readonly EndpointMethod[];
  readonly args?: ArgumentSchemas;
  /** Whether the endpoint may be called within `/batch/v1`. */
  readonly allowBatch?: boolean;
  /** WordPress's own `validate_callback` by argument: instead of judging by the schema. Gives the message of a refusal. */
  readonly validate?: Readonly<
    Record<string, (value: Json, request: SiteRequest<State>) => string | undefined>
  >;
  /**
   * WordPress's own `sanitize_callback` by argument. Where one stands and no validator does, the value is not judged by
   * its schema, as at WordPress.
   */
  readonly sanitize?: Readonly<Record<string, (value: Json) => Json>>;
  /** Runs after validation, as at WordPress. Absent: anybody may. */
  readonly permission?: (request: SiteRequest<State>) => SiteError | undefined;
  /** Touches the state synchronously, so that writers never see each other's half of a change. */
  readonly handle: (
    request: SiteRequest<State>,
  ) => SiteResponse | SiteError | Promise<SiteResponse | SiteError>;
}

/** A request that has been read, matched and judged. */
export interface SiteRequest<State> {
  readonly state: State;
  /** As it runs, after overrides: `HEAD` where the caller asked so and `GET` answers. */
  readonly method: string;
  /** The route that was asked, with its values: `/core/v2/posts/7`. */
  readonly route: string;
  readonly params: RequestParams;
  /** Names that the caller gave, in whatever place: not those with a default alone. */
  readonly suppliedNames: ReadonlySet<string>;
  /** The query as PHP read it, before anything was judged. */
  readonly query: ReadonlyMap<string, Json>;
  /** Who asks, by application password; null for anybody. */
  readonly user: SiteUser | null;
  readonly headers: Headers;
  /** The body as it came, for raw uploads; null where there is none. A form's files are in `files`. */
  readonly body: Uint8Array | null;
  readonly files: readonly UploadedFile[];
  /** The site's clock. */
  readonly now: Date;
  /** The address of a route of this site's interface, in its own spelling: `link('/core/v2/posts', { page: 2 })`. */
  link(route: string, query?: Readonly<Record<string, string | number>>): string;
  /** The address of anything else of the site: `address('/hello-world/')`. */
  address(path: string): string;
}

/** A file of a multipart form. */
export interface UploadedFile {
  /** The field's name: `file`. */
  readonly field: string;
  readonly name: string;
  /** The media type that the caller named; `application/octet-stream` where none. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

export interface SiteResponse {
  readonly kind: 'answer';
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /**
   * Items hold their own `_links` (see `Links`), which `_embed` follows. Null with status 204 for an answer without a body.
   */
  readonly body: Json;
  /** Of a collection: becomes `X-WP-Total`, `X-WP-TotalPages` and a `Link` header with next and prev. */
  readonly page?: Pagination;
  /** Instead of JSON: what is sent as it stands. */
  readonly raw?: { readonly type: string; readonly bytes: Uint8Array };
}

export interface Pagination {
  readonly total: number;
  readonly page: number;
  /** Items on a page, 1 or more. */
  readonly perPage: number;
}

/** The `_links` of an item: `{ self: [{ href }], author: [{ href, embeddable: true }] }`. */
export type ItemLinks = Readonly<Record<string, readonly ItemLink[]>>;

export interface ItemLink {
  readonly href: string;
  /** Whether `_embed` may fetch it. */
  readonly embeddable?: boolean;
  readonly [attribute: string]: Json | undefined;
}

/** A refusal, in WordPress's shape: `{ code, message, data: { status, params?, details?, …data } }`. */
export interface SiteError {
  readonly kind: 'error';
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Text by name of the parameter; a list of names for missing ones. */
  readonly params?: Readonly<Record<string, string>> | readonly string[];
  readonly details?: Readonly<Record<string, JsonObject>>;
  /** More members of `data`. */
  readonly data?: JsonObject;
}
