/* eslint-disable */
/*
 * The REST interface of Harbour Notes.
 *
 * Made by waygate from what the site says of itself. Do not edit: generate it anew.
 *
 *     import createClient from "openapi-fetch";
 *     import type { paths } from "./this-file";
 *
 *     const site = createClient<paths>({ baseUrl: "https://example.com/wp-json" });
 */

// ── Paths ────────────────────────────────────────────────────────────────────────────────────────

export interface paths {
  "/": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get the index */
    get: operations["getIndex"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/batch/v1": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Run a batch */
    post: operations["runBatch"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/oembed/1.0": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get the index of oembed/1.0 */
    get: operations["getOembed10Index"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/oembed/1.0/embed": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get the embed */
    get: operations["getOembed10Embed"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/oembed/1.0/proxy": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get the proxy */
    get: operations["getOembed10Proxy"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/ext-a/v1": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get the index of ext-a/v1 */
    get: operations["getExtAV1Index"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/ext-a/v1/upload": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Update the upload (PUT) */
    put: operations["putExtAV1Upload"];
    /** Upload */
    post: operations["uploadExtAV1"];
    get?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/ext-a/v1/admin-access": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Create admin access */
    post: operations["createExtAV1AdminAccess"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/ext-a/v1/admin-access/{nonce}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get admin access */
    get: operations["getExtAV1AdminAccess"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/ext-a/v1/abilities/{namespace}/{ability}/run": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Run an ability */
    post: operations["runExtAV1Ability"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/ext-a/v1/visual-safe-backend-tools/discover": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Discover visual safe backend tools */
    post: operations["discoverExtAV1VisualSafeBackendTools"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/ext-a/v1/visual-safe-backend-tools/call": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Call visual safe backend tools */
    post: operations["callExtAV1VisualSafeBackendTools"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/ext-a/v1/chat/status": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get chat status */
    get: operations["getExtAV1ChatStatus"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/ext-a/v1/chat/sessions": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List chat sessions */
    get: operations["listExtAV1ChatSessions"];
    /** Create a chat session */
    post: operations["createExtAV1ChatSession"];
    put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/ext-a/v1/chat/sessions/{id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get a chat session */
    get: operations["getExtAV1ChatSession"];
    /** Update a chat session (PUT) */
    put: operations["putExtAV1ChatSession"];
    /** Update a chat session */
    post: operations["updateExtAV1ChatSession"];
    /** Delete a chat session */
    delete: operations["deleteExtAV1ChatSession"];
    /** Update a chat session (PATCH) */
    patch: operations["patchExtAV1ChatSession"];
    options?: never; head?: never; trace?: never;
  };
  "/ext-a/v1/chat/model-step": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Create a chat model step */
    post: operations["createExtAV1ChatModelStep"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/ext-a/v1/chat/tools": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List chat tools */
    get: operations["listExtAV1ChatTools"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/ext-a/v1/chat/models": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List chat models */
    get: operations["listExtAV1ChatModels"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/ext-a/v1/chat/consent": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Create chat consent */
    post: operations["createExtAV1ChatConsent"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/ext-a/v1/chat/tools/execute": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Execute chat tools */
    post: operations["executeExtAV1ChatTools"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/ext-a/v1/chat/approvals": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Create a chat approval */
    post: operations["createExtAV1ChatApproval"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/v1": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get the index of v1 */
    get: operations["getV1Index"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/v1/fm/cancel": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Cancel the fm */
    post: operations["cancelV1Fm"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/ai/v1": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get the index of ai/v1 */
    get: operations["getAiV1Index"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/ai/v1/providers": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List providers */
    get: operations["listAiV1Providers"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/core/v2": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get the index of core/v2 */
    get: operations["getCoreV2Index"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/core/v2/posts": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List posts */
    get: operations["listPosts"];
    /** Create a post */
    post: operations["createPost"];
    put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/core/v2/posts/{id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get a post */
    get: operations["getPost"];
    /** Update a post (PUT) */
    put: operations["putPost"];
    /** Update a post */
    post: operations["updatePost"];
    /** Delete a post */
    delete: operations["deletePost"];
    /** Update a post (PATCH) */
    patch: operations["patchPost"];
    options?: never; head?: never; trace?: never;
  };
  "/core/v2/posts/{parent}/revisions": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List post revisions */
    get: operations["listPostRevisions"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/core/v2/posts/{parent}/revisions/{id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get a post revision */
    get: operations["getPostRevision"];
    /** Delete a post revision */
    delete: operations["deletePostRevision"];
    put?: never; post?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/core/v2/posts/{id}/autosaves": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List post autosaves */
    get: operations["listPostAutosaves"];
    /** Create a post autosave */
    post: operations["createPostAutosave"];
    put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/core/v2/posts/{parent}/autosaves/{id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get a post autosave */
    get: operations["getPostAutosave"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/core/v2/pages": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List pages */
    get: operations["listPages"];
    /** Create a page */
    post: operations["createPage"];
    put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/core/v2/pages/{id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get a page */
    get: operations["getPage"];
    /** Update a page (PUT) */
    put: operations["putPage"];
    /** Update a page */
    post: operations["updatePage"];
    /** Delete a page */
    delete: operations["deletePage"];
    /** Update a page (PATCH) */
    patch: operations["patchPage"];
    options?: never; head?: never; trace?: never;
  };
  "/core/v2/pages/{parent}/revisions": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List page revisions */
    get: operations["listPageRevisions"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/core/v2/pages/{parent}/revisions/{id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get a page revision */
    get: operations["getPageRevision"];
    /** Delete a page revision */
    delete: operations["deletePageRevision"];
    put?: never; post?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/core/v2/pages/{id}/autosaves": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List page autosaves */
    get: operations["listPageAutosaves"];
    /** Create a page autosave */
    post: operations["createPageAutosave"];
    put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/core/v2/pages/{parent}/autosaves/{id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get a page autosave */
    get: operations["getPageAutosave"];
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/core/v2/media": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** List media */
    get: operations["listMedia"];
    /** Create media */
    post: operations["createMedia"];
    put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/core/v2/media/{id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Get media */
    get: operations["getMedia"];
    /** Update media (PUT) */
    put: operations["putMedia"];
    /** Update media */
    post: operations["updateMedia"];
    /** Delete media */
    delete: operations["deleteMedia"];
    /** Update media (PATCH) */
    patch: operations["patchMedia"];
    options?: never; head?: never; trace?: never;
  };
  "/core/v2/media/{id}/post-process": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Post process media */
    post: operations["postProcessMedia"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  "/core/v2/media/{id}/edit": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    /** Edit media */
    post: operations["editMedia"];
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
}

// ── Shared by operations ─────────────────────────────────────────────────────────────────────────

/** Query parameters that operations have in common. */
export interface SharedQuery {
  /** Only these fields of the answer; nested ones with dots: `id,title.rendered`. */
  _fields?: string[];
  /** Embed linked resources under `_embedded`: `1` for all, or the relations to embed. */
  _embed?: string[];
  /** Answer 200 with `{ body, status, headers }`, for callers that cannot read headers. */
  _envelope?: string;
  /** `user` answers in the language of the caller's profile. */
  _locale?: string;
}

/** A file: a `Blob`, a `File` or its bytes. */
export type Bytes =
  | ArrayBuffer
  | Uint8Array
  | { readonly size: number; readonly type: string; arrayBuffer(): Promise<ArrayBuffer> };

// ── site ─────────────────────────────────────────────────────────────────────────────────────────

/** Query of `GET /`. */
export interface GetIndexQuery extends SharedQuery {
  /** @default "view" */
  context?: unknown;
}

/** Query of `POST /batch/v1`. */
export type RunBatchQuery = SharedQuery;

/** Answer of `POST /batch/v1`. */
export type RunBatchResponse = BatchResult;

// ── oembed/1.0 ───────────────────────────────────────────────────────────────────────────────────

/** Query of `GET /oembed/1.0`. */
export interface GetOembed10IndexQuery extends SharedQuery {
  /** @default "oembed/1.0" */
  namespace?: unknown;
  /** @default "view" */
  context?: unknown;
}

/** Query of `GET /oembed/1.0/embed`. */
export interface GetOembed10EmbedQuery extends SharedQuery {
  /** The URL of the resource for which to fetch oEmbed data. Format: uri. */
  url: string;
  /** @default "json" */
  format?: unknown;
  /** @default 600 */
  maxwidth?: unknown;
}

/** Query of `GET /oembed/1.0/proxy`. */
export interface GetOembed10ProxyQuery extends SharedQuery {
  /** The URL of the resource for which to fetch oEmbed data. Format: uri. */
  url: string;
  /**
   * The oEmbed format to use.
   * @default "json"
   */
  format?: "json" | "xml";
  /**
   * The maximum width of the embed frame in pixels.
   * @default 600
   */
  maxwidth?: number;
  /** The maximum height of the embed frame in pixels. */
  maxheight?: number;
  /**
   * Whether to perform an oEmbed discovery request for unsanctioned providers.
   * @default true
   */
  discover?: boolean;
}

// ── ext-a/v1 ─────────────────────────────────────────────────────────────────────────────────────

/** Query of `GET /ext-a/v1`. */
export interface GetExtAV1IndexQuery extends SharedQuery {
  /** @default "ext-a/v1" */
  namespace?: unknown;
  /** @default "view" */
  context?: unknown;
}

/** Query of `PUT /ext-a/v1/upload`. */
export type PutExtAV1UploadQuery = SharedQuery;

/** Body of `PUT /ext-a/v1/upload`. */
export type PutExtAV1UploadBody = AnyFields;

/** Answer of `PUT /ext-a/v1/upload`. */
export type PutExtAV1UploadResponse = ExtAV1Upload;

/** Query of `POST /ext-a/v1/upload`. */
export type UploadExtAV1Query = SharedQuery;

/** Body of `POST /ext-a/v1/upload`. */
export type UploadExtAV1Body = AnyFields;

/** Answer of `POST /ext-a/v1/upload`. */
export type UploadExtAV1Response = ExtAV1Upload;

/** Query of `POST /ext-a/v1/admin-access`. */
export type CreateExtAV1AdminAccessQuery = SharedQuery;

/** Body of `POST /ext-a/v1/admin-access`. */
export type CreateExtAV1AdminAccessBody = AnyFields;

/** Answer of `POST /ext-a/v1/admin-access`. */
export type CreateExtAV1AdminAccessResponse = ExtAV1AdminAccess;

/** Query of `GET /ext-a/v1/admin-access/{nonce}`. */
export type GetExtAV1AdminAccessQuery = SharedQuery;

/** Path parameters of `GET /ext-a/v1/admin-access/{nonce}`. */
export interface GetExtAV1AdminAccessPath {
  /** Pattern: `^[\w\-]+$`. */
  nonce: string;
}

/** Answer of `GET /ext-a/v1/admin-access/{nonce}`. */
export type GetExtAV1AdminAccessResponse = ExtAV1AdminAccessGrant;

/** Query of `POST /ext-a/v1/abilities/{namespace}/{ability}/run`. */
export type RunExtAV1AbilityQuery = SharedQuery;

/** Path parameters of `POST /ext-a/v1/abilities/{namespace}/{ability}/run`. */
export interface RunExtAV1AbilityPath {
  /** The group of the ability. Pattern: `^[^\/]+$`. */
  namespace: string;
  /** The ability within its group. Pattern: `^[^\/]+$`. */
  ability: string;
}

/** Answer of `POST /ext-a/v1/abilities/{namespace}/{ability}/run`. */
export type RunExtAV1AbilityResponse = ExtAV1AbilityRun;

/** Query of `POST /ext-a/v1/visual-safe-backend-tools/discover`. */
export type DiscoverExtAV1VisualSafeBackendToolsQuery = SharedQuery;

/** Body of `POST /ext-a/v1/visual-safe-backend-tools/discover`. */
export type DiscoverExtAV1VisualSafeBackendToolsBody = AnyFields;

/** Answer of `POST /ext-a/v1/visual-safe-backend-tools/discover`. */
export type DiscoverExtAV1VisualSafeBackendToolsResponse = ExtAV1ToolDiscovery;

/** Query of `POST /ext-a/v1/visual-safe-backend-tools/call`. */
export type CallExtAV1VisualSafeBackendToolsQuery = SharedQuery;

/** Body of `POST /ext-a/v1/visual-safe-backend-tools/call`. */
export type CallExtAV1VisualSafeBackendToolsBody = AnyFields;

/** Answer of `POST /ext-a/v1/visual-safe-backend-tools/call`. */
export type CallExtAV1VisualSafeBackendToolsResponse = ExtAV1ToolCall;

/** Query of `GET /ext-a/v1/chat/status`. */
export type GetExtAV1ChatStatusQuery = SharedQuery;

/** Answer of `GET /ext-a/v1/chat/status`. */
export type GetExtAV1ChatStatusResponse = ExtAV1ChatStatus;

/** Query of `GET /ext-a/v1/chat/sessions`. */
export type ListExtAV1ChatSessionsQuery = SharedQuery;

/** Answer of `GET /ext-a/v1/chat/sessions`. */
export type ListExtAV1ChatSessionsResponse = ExtAV1ChatSession[];

/** Query of `POST /ext-a/v1/chat/sessions`. */
export type CreateExtAV1ChatSessionQuery = SharedQuery;

/** Body of `POST /ext-a/v1/chat/sessions`. */
export type CreateExtAV1ChatSessionBody = AnyFields;

/** Answer of `POST /ext-a/v1/chat/sessions`. */
export type CreateExtAV1ChatSessionResponse = ExtAV1ChatSession;

/** Query of `GET /ext-a/v1/chat/sessions/{id}`. */
export type GetExtAV1ChatSessionQuery = SharedQuery;

/** Path parameters of `GET /ext-a/v1/chat/sessions/{id}`. */
export interface GetExtAV1ChatSessionPath {
  /** Pattern: `^[\w\-]+$`. */
  id: string;
}

/** Answer of `GET /ext-a/v1/chat/sessions/{id}`. */
export type GetExtAV1ChatSessionResponse = ExtAV1ChatSession;

/** Query of `PUT /ext-a/v1/chat/sessions/{id}`. */
export type PutExtAV1ChatSessionQuery = SharedQuery;

/** Path parameters of `PUT /ext-a/v1/chat/sessions/{id}`. */
export type PutExtAV1ChatSessionPath = GetExtAV1ChatSessionPath;

/** Body of `PUT /ext-a/v1/chat/sessions/{id}`. */
export type PutExtAV1ChatSessionBody = AnyFields;

/** Answer of `PUT /ext-a/v1/chat/sessions/{id}`. */
export type PutExtAV1ChatSessionResponse = ExtAV1ChatSession;

/** Query of `POST /ext-a/v1/chat/sessions/{id}`. */
export type UpdateExtAV1ChatSessionQuery = SharedQuery;

/** Path parameters of `POST /ext-a/v1/chat/sessions/{id}`. */
export type UpdateExtAV1ChatSessionPath = GetExtAV1ChatSessionPath;

/** Body of `POST /ext-a/v1/chat/sessions/{id}`. */
export type UpdateExtAV1ChatSessionBody = AnyFields;

/** Answer of `POST /ext-a/v1/chat/sessions/{id}`. */
export type UpdateExtAV1ChatSessionResponse = ExtAV1ChatSession;

/** Query of `DELETE /ext-a/v1/chat/sessions/{id}`. */
export type DeleteExtAV1ChatSessionQuery = Pick<SharedQuery, "_fields" | "_envelope" | "_locale">;

/** Path parameters of `DELETE /ext-a/v1/chat/sessions/{id}`. */
export type DeleteExtAV1ChatSessionPath = GetExtAV1ChatSessionPath;

/** Answer of `DELETE /ext-a/v1/chat/sessions/{id}`. */
export type DeleteExtAV1ChatSessionResponse = DeletedExtAV1ChatSession | ExtAV1ChatSession;

/** Query of `PATCH /ext-a/v1/chat/sessions/{id}`. */
export type PatchExtAV1ChatSessionQuery = SharedQuery;

/** Path parameters of `PATCH /ext-a/v1/chat/sessions/{id}`. */
export type PatchExtAV1ChatSessionPath = GetExtAV1ChatSessionPath;

/** Body of `PATCH /ext-a/v1/chat/sessions/{id}`. */
export type PatchExtAV1ChatSessionBody = AnyFields;

/** Answer of `PATCH /ext-a/v1/chat/sessions/{id}`. */
export type PatchExtAV1ChatSessionResponse = ExtAV1ChatSession;

/** Query of `POST /ext-a/v1/chat/model-step`. */
export type CreateExtAV1ChatModelStepQuery = SharedQuery;

/** Body of `POST /ext-a/v1/chat/model-step`. */
export type CreateExtAV1ChatModelStepBody = AnyFields;

/** Answer of `POST /ext-a/v1/chat/model-step`. */
export type CreateExtAV1ChatModelStepResponse = ExtAV1ChatStep;

/** Query of `GET /ext-a/v1/chat/tools`. */
export type ListExtAV1ChatToolsQuery = SharedQuery;

/** Answer of `GET /ext-a/v1/chat/tools`. */
export type ListExtAV1ChatToolsResponse = ExtAV1ChatTool[];

/** Query of `GET /ext-a/v1/chat/models`. */
export type ListExtAV1ChatModelsQuery = SharedQuery;

/** Answer of `GET /ext-a/v1/chat/models`. */
export type ListExtAV1ChatModelsResponse = ExtAV1ChatModel[];

/** Query of `POST /ext-a/v1/chat/consent`. */
export type CreateExtAV1ChatConsentQuery = SharedQuery;

/** Body of `POST /ext-a/v1/chat/consent`. */
export type CreateExtAV1ChatConsentBody = AnyFields;

/** Answer of `POST /ext-a/v1/chat/consent`. */
export type CreateExtAV1ChatConsentResponse = ExtAV1ChatConsent;

/** Query of `POST /ext-a/v1/chat/tools/execute`. */
export type ExecuteExtAV1ChatToolsQuery = SharedQuery;

/** Body of `POST /ext-a/v1/chat/tools/execute`. */
export type ExecuteExtAV1ChatToolsBody = AnyFields;

/** Answer of `POST /ext-a/v1/chat/tools/execute`. */
export type ExecuteExtAV1ChatToolsResponse = ExtAV1ChatToolResult;

/** Query of `POST /ext-a/v1/chat/approvals`. */
export type CreateExtAV1ChatApprovalQuery = SharedQuery;

/** Body of `POST /ext-a/v1/chat/approvals`. */
export type CreateExtAV1ChatApprovalBody = AnyFields;

/** Answer of `POST /ext-a/v1/chat/approvals`. */
export type CreateExtAV1ChatApprovalResponse = ExtAV1ChatApproval;

// ── v1 ───────────────────────────────────────────────────────────────────────────────────────────

/** Query of `GET /v1`. */
export interface GetV1IndexQuery extends SharedQuery {
  /** @default "v1" */
  namespace?: unknown;
  /** @default "view" */
  context?: unknown;
}

/** Query of `POST /v1/fm/cancel`. */
export type CancelV1FmQuery = SharedQuery;

/** Body of `POST /v1/fm/cancel`. */
export type CancelV1FmBody = AnyFields;

/** Answer of `POST /v1/fm/cancel`. */
export type CancelV1FmResponse = V1Cancellation;

// ── ai/v1 ────────────────────────────────────────────────────────────────────────────────────────

/** Query of `GET /ai/v1`. */
export interface GetAiV1IndexQuery extends SharedQuery {
  /** @default "ai/v1" */
  namespace?: unknown;
  /** @default "view" */
  context?: unknown;
}

/** Query of `GET /ai/v1/providers`. */
export interface ListAiV1ProvidersQuery extends SharedQuery {
  /** What the providers are to be able to do. */
  capability: "text_generation" | "image_generation" | "vision";
}

/** Answer of `GET /ai/v1/providers`. */
export type ListAiV1ProvidersResponse = AiV1AiProvider[];

// ── core/v2 ──────────────────────────────────────────────────────────────────────────────────────

/** Query of `GET /core/v2`. */
export interface GetCoreV2IndexQuery extends SharedQuery {
  /** @default "core/v2" */
  namespace?: unknown;
  /** @default "view" */
  context?: unknown;
}

/** Query of `GET /core/v2/posts`. */
export interface ListPostsQuery extends SharedQuery {
  /**
   * Scope under which the request is made; determines fields present in response.
   * @default "view"
   */
  context?: "view" | "embed" | "edit";
  /**
   * Current page of the collection. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Maximum number of items to be returned in result set. 1 to 100.
   * @default 10
   */
  per_page?: number;
  /** Limit results to those matching a string. */
  search?: string;
  /** Limit response to posts published after a given ISO8601 compliant date. Format: date-time. */
  after?: string;
  /** Limit response to posts modified after a given ISO8601 compliant date. Format: date-time. */
  modified_after?: string;
  /**
   * Limit result set to posts assigned to specific authors.
   * @default []
   */
  author?: number[];
  /**
   * Ensure result set excludes posts assigned to specific authors.
   * @default []
   */
  author_exclude?: number[];
  /** Limit response to posts published before a given ISO8601 compliant date. Format: date-time. */
  before?: string;
  /** Limit response to posts modified before a given ISO8601 compliant date. Format: date-time. */
  modified_before?: string;
  /**
   * Ensure result set excludes specific IDs.
   * @default []
   */
  exclude?: number[];
  /**
   * Limit result set to specific IDs.
   * @default []
   */
  include?: number[];
  /** How to interpret the search input. */
  search_semantics?: "exact";
  /** Offset the result set by a specific number of items. */
  offset?: number;
  /**
   * Order sort attribute ascending or descending.
   * @default "desc"
   */
  order?: "asc" | "desc";
  /**
   * Sort collection by post attribute.
   * @default "date"
   */
  orderby?:
    | "author"
    | "date"
    | "id"
    | "include"
    | "modified"
    | "parent"
    | "relevance"
    | "slug"
    | "include_slugs"
    | "title";
  /**
   * Array of column names to be searched.
   * @default []
   */
  search_columns?: ("post_title" | "post_content" | "post_excerpt")[];
  /** Limit result set to posts with one or more specific slugs. */
  slug?: string[];
  /**
   * Limit result set to posts assigned one or more statuses.
   * @default "publish"
   */
  status?: (
    | "publish" | "future" | "draft" | "pending" | "private" | "trash" | "auto-draft" | "inherit"
    | "request-pending" | "request-confirmed" | "request-failed" | "request-completed" | "any"
  )[];
  /** Limit result set based on relationship between multiple taxonomies. */
  tax_relation?: "AND" | "OR";
  /** Limit result set to items with specific terms assigned in the categories taxonomy. */
  categories?: number[] | {
    /**
     * Term IDs.
     * @default []
     */
    terms?: number[];
    /**
     * Whether to include child terms in the terms limiting the result set.
     * @default false
     */
    include_children?: boolean;
    /**
     * Whether items must be assigned all or any of the specified terms.
     * @default "OR"
     */
    operator?: "AND" | "OR";
  };
  /** Limit result set to items except those with specific terms assigned in the categories taxonomy. */
  categories_exclude?: number[] | {
    /**
     * Term IDs.
     * @default []
     */
    terms?: number[];
    /**
     * Whether to include child terms in the terms limiting the result set.
     * @default false
     */
    include_children?: boolean;
  };
  /** Limit result set to items with specific terms assigned in the tags taxonomy. */
  tags?: number[] | {
    /**
     * Term IDs.
     * @default []
     */
    terms?: number[];
    /**
     * Whether items must be assigned all or any of the specified terms.
     * @default "OR"
     */
    operator?: "AND" | "OR";
  };
  /** Limit result set to items except those with specific terms assigned in the tags taxonomy. */
  tags_exclude?: number[] | {
    /**
     * Term IDs.
     * @default []
     */
    terms?: number[];
  };
  /** Limit result set to items that are sticky. */
  sticky?: boolean;
  /**
   * Whether to ignore sticky posts or not.
   * @default true
   */
  ignore_sticky?: boolean;
  /** Limit result set to items assigned one or more given formats. */
  format?: (
    | "standard"
    | "aside"
    | "chat"
    | "gallery"
    | "link"
    | "image"
    | "quote"
    | "status"
    | "video"
    | "audio"
  )[];
}

/** Answer of `GET /core/v2/posts`. */
export type ListPostsResponse = Post[];

/** Query of `POST /core/v2/posts`. */
export type CreatePostQuery = SharedQuery;

/** Answer of `POST /core/v2/posts`. */
export type CreatePostResponse = PostEdit;

/** Query of `GET /core/v2/posts/{id}`. */
export interface GetPostQuery extends SharedQuery {
  /**
   * Scope under which the request is made; determines fields present in response.
   * @default "view"
   */
  context?: "view" | "embed" | "edit";
  /** Override the default excerpt length. */
  excerpt_length?: number;
  /** The password for the post if it is password protected. */
  password?: string;
}

/** Path parameters of `GET /core/v2/posts/{id}`. */
export interface GetPostPath {
  /** Unique identifier for the post. */
  id: number;
}

/** Answer of `GET /core/v2/posts/{id}`. */
export type GetPostResponse = Post;

/** Query of `PUT /core/v2/posts/{id}`. */
export type PutPostQuery = SharedQuery;

/** Path parameters of `PUT /core/v2/posts/{id}`. */
export type PutPostPath = GetPostPath;

/** Body of `PUT /core/v2/posts/{id}`. */
export type PutPostBody = UpdatePostBody;

/** Answer of `PUT /core/v2/posts/{id}`. */
export type PutPostResponse = PostEdit;

/** Query of `POST /core/v2/posts/{id}`. */
export type UpdatePostQuery = SharedQuery;

/** Path parameters of `POST /core/v2/posts/{id}`. */
export type UpdatePostPath = GetPostPath;

/** Answer of `POST /core/v2/posts/{id}`. */
export type UpdatePostResponse = PostEdit;

/** Query of `DELETE /core/v2/posts/{id}`. */
export interface DeletePostQuery extends Pick<SharedQuery, "_fields" | "_envelope" | "_locale"> {
  /**
   * Whether to bypass Trash and force deletion.
   * @default false
   */
  force?: boolean;
}

/** Path parameters of `DELETE /core/v2/posts/{id}`. */
export type DeletePostPath = GetPostPath;

/** Answer of `DELETE /core/v2/posts/{id}`. */
export type DeletePostResponse = DeletedPost | PostEdit;

/** Query of `PATCH /core/v2/posts/{id}`. */
export type PatchPostQuery = SharedQuery;

/** Path parameters of `PATCH /core/v2/posts/{id}`. */
export type PatchPostPath = GetPostPath;

/** Body of `PATCH /core/v2/posts/{id}`. */
export type PatchPostBody = UpdatePostBody;

/** Answer of `PATCH /core/v2/posts/{id}`. */
export type PatchPostResponse = PostEdit;

/** Query of `GET /core/v2/posts/{parent}/revisions`. */
export interface ListPostRevisionsQuery extends SharedQuery {
  /**
   * Scope under which the request is made; determines fields present in response.
   * @default "view"
   */
  context?: "view" | "embed" | "edit";
  /**
   * Current page of the collection. At least 1.
   * @default 1
   */
  page?: number;
  /** Maximum number of items to be returned in result set. 1 to 100. */
  per_page?: number;
  /** Limit results to those matching a string. */
  search?: string;
  /**
   * Ensure result set excludes specific IDs.
   * @default []
   */
  exclude?: number[];
  /**
   * Limit result set to specific IDs.
   * @default []
   */
  include?: number[];
  /** Offset the result set by a specific number of items. */
  offset?: number;
  /**
   * Order sort attribute ascending or descending.
   * @default "desc"
   */
  order?: "asc" | "desc";
  /**
   * Sort collection by object attribute.
   * @default "date"
   */
  orderby?: "date" | "id" | "include" | "relevance" | "slug" | "include_slugs" | "title";
}

/** Path parameters of `GET /core/v2/posts/{parent}/revisions`. */
export interface ListPostRevisionsPath {
  /** The ID for the parent of the revision. */
  parent: number;
}

/** Answer of `GET /core/v2/posts/{parent}/revisions`. */
export type ListPostRevisionsResponse = PostRevision[];

/** Query of `GET /core/v2/posts/{parent}/revisions/{id}`. */
export interface GetPostRevisionQuery extends SharedQuery {
  /**
   * Scope under which the request is made; determines fields present in response.
   * @default "view"
   */
  context?: "view" | "embed" | "edit";
}

/** Path parameters of `GET /core/v2/posts/{parent}/revisions/{id}`. */
export interface GetPostRevisionPath {
  /** The ID for the parent of the revision. */
  parent: number;
  /** Unique identifier for the revision. */
  id: number;
}

/** Answer of `GET /core/v2/posts/{parent}/revisions/{id}`. */
export type GetPostRevisionResponse = PostRevision;

/** Query of `DELETE /core/v2/posts/{parent}/revisions/{id}`. */
export interface DeletePostRevisionQuery
  extends Pick<SharedQuery, "_fields" | "_envelope" | "_locale"> {
  /**
   * Required to be true, as revisions do not support trashing.
   * @default false
   */
  force?: boolean;
}

/** Path parameters of `DELETE /core/v2/posts/{parent}/revisions/{id}`. */
export type DeletePostRevisionPath = GetPostRevisionPath;

/** Answer of `DELETE /core/v2/posts/{parent}/revisions/{id}`. */
export type DeletePostRevisionResponse = DeletedPostRevision | PostRevisionEdit;

/** Query of `GET /core/v2/posts/{id}/autosaves`. */
export interface ListPostAutosavesQuery extends SharedQuery {
  /** The ID for the parent of the autosave. */
  parent?: number;
  /**
   * Scope under which the request is made; determines fields present in response.
   * @default "view"
   */
  context?: "view" | "embed" | "edit";
}

/** Path parameters of `GET /core/v2/posts/{id}/autosaves`. */
export interface ListPostAutosavesPath {
  /** At least 0. Pattern: `^\d+$`. */
  id: number | string;
}

/** Answer of `GET /core/v2/posts/{id}/autosaves`. */
export type ListPostAutosavesResponse = PostRevision[];

/** Query of `POST /core/v2/posts/{id}/autosaves`. */
export type CreatePostAutosaveQuery = SharedQuery;

/** Path parameters of `POST /core/v2/posts/{id}/autosaves`. */
export type CreatePostAutosavePath = ListPostAutosavesPath;

/** Answer of `POST /core/v2/posts/{id}/autosaves`. */
export type CreatePostAutosaveResponse = PostAutosaveEdit;

/** Query of `GET /core/v2/posts/{parent}/autosaves/{id}`. */
export interface GetPostAutosaveQuery extends SharedQuery {
  /**
   * Scope under which the request is made; determines fields present in response.
   * @default "view"
   */
  context?: "view" | "embed" | "edit";
}

/** Path parameters of `GET /core/v2/posts/{parent}/autosaves/{id}`. */
export interface GetPostAutosavePath {
  /** The ID for the parent of the autosave. */
  parent: number;
  /** The ID for the autosave. */
  id: number;
}

/** Answer of `GET /core/v2/posts/{parent}/autosaves/{id}`. */
export type GetPostAutosaveResponse = PostRevision;

/** Query of `GET /core/v2/pages`. */
export interface ListPagesQuery extends SharedQuery {
  /**
   * Scope under which the request is made; determines fields present in response.
   * @default "view"
   */
  context?: "view" | "embed" | "edit";
  /**
   * Current page of the collection. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Maximum number of items to be returned in result set. 1 to 100.
   * @default 10
   */
  per_page?: number;
  /** Limit results to those matching a string. */
  search?: string;
  /** Limit response to posts published after a given ISO8601 compliant date. Format: date-time. */
  after?: string;
  /** Limit response to posts modified after a given ISO8601 compliant date. Format: date-time. */
  modified_after?: string;
  /**
   * Limit result set to posts assigned to specific authors.
   * @default []
   */
  author?: number[];
  /**
   * Ensure result set excludes posts assigned to specific authors.
   * @default []
   */
  author_exclude?: number[];
  /** Limit response to posts published before a given ISO8601 compliant date. Format: date-time. */
  before?: string;
  /** Limit response to posts modified before a given ISO8601 compliant date. Format: date-time. */
  modified_before?: string;
  /**
   * Ensure result set excludes specific IDs.
   * @default []
   */
  exclude?: number[];
  /**
   * Limit result set to specific IDs.
   * @default []
   */
  include?: number[];
  /** Limit result set to posts with a specific menu_order value. */
  menu_order?: number;
  /** How to interpret the search input. */
  search_semantics?: "exact";
  /** Offset the result set by a specific number of items. */
  offset?: number;
  /**
   * Order sort attribute ascending or descending.
   * @default "desc"
   */
  order?: "asc" | "desc";
  /**
   * Sort collection by post attribute.
   * @default "date"
   */
  orderby?:
    | "author"
    | "date"
    | "id"
    | "include"
    | "modified"
    | "parent"
    | "relevance"
    | "slug"
    | "include_slugs"
    | "title"
    | "menu_order";
  /**
   * Limit result set to items with particular parent IDs.
   * @default []
   */
  parent?: number[];
  /**
   * Limit result set to all items except those of a particular parent ID.
   * @default []
   */
  parent_exclude?: number[];
  /**
   * Array of column names to be searched.
   * @default []
   */
  search_columns?: ("post_title" | "post_content" | "post_excerpt")[];
  /** Limit result set to posts with one or more specific slugs. */
  slug?: string[];
  /**
   * Limit result set to posts assigned one or more statuses.
   * @default "publish"
   */
  status?: (
    | "publish" | "future" | "draft" | "pending" | "private" | "trash" | "auto-draft" | "inherit"
    | "request-pending" | "request-confirmed" | "request-failed" | "request-completed" | "any"
  )[];
}

/** Answer of `GET /core/v2/pages`. */
export type ListPagesResponse = Page[];

/** Query of `POST /core/v2/pages`. */
export type CreatePageQuery = SharedQuery;

/** Answer of `POST /core/v2/pages`. */
export type CreatePageResponse = PageEdit;

/** Query of `GET /core/v2/pages/{id}`. */
export interface GetPageQuery extends SharedQuery {
  /**
   * Scope under which the request is made; determines fields present in response.
   * @default "view"
   */
  context?: "view" | "embed" | "edit";
  /** Override the default excerpt length. */
  excerpt_length?: number;
  /** The password for the post if it is password protected. */
  password?: string;
}

/** Path parameters of `GET /core/v2/pages/{id}`. */
export interface GetPagePath {
  /** Unique identifier for the post. */
  id: number;
}

/** Answer of `GET /core/v2/pages/{id}`. */
export type GetPageResponse = Page;

/** Query of `PUT /core/v2/pages/{id}`. */
export type PutPageQuery = SharedQuery;

/** Path parameters of `PUT /core/v2/pages/{id}`. */
export type PutPagePath = GetPagePath;

/** Body of `PUT /core/v2/pages/{id}`. */
export type PutPageBody = UpdatePageBody;

/** Answer of `PUT /core/v2/pages/{id}`. */
export type PutPageResponse = PageEdit;

/** Query of `POST /core/v2/pages/{id}`. */
export type UpdatePageQuery = SharedQuery;

/** Path parameters of `POST /core/v2/pages/{id}`. */
export type UpdatePagePath = GetPagePath;

/** Answer of `POST /core/v2/pages/{id}`. */
export type UpdatePageResponse = PageEdit;

/** Query of `DELETE /core/v2/pages/{id}`. */
export interface DeletePageQuery extends Pick<SharedQuery, "_fields" | "_envelope" | "_locale"> {
  /**
   * Whether to bypass Trash and force deletion.
   * @default false
   */
  force?: boolean;
}

/** Path parameters of `DELETE /core/v2/pages/{id}`. */
export type DeletePagePath = GetPagePath;

/** Answer of `DELETE /core/v2/pages/{id}`. */
export type DeletePageResponse = DeletedPage | PageEdit;

/** Query of `PATCH /core/v2/pages/{id}`. */
export type PatchPageQuery = SharedQuery;

/** Path parameters of `PATCH /core/v2/pages/{id}`. */
export type PatchPagePath = GetPagePath;

/** Body of `PATCH /core/v2/pages/{id}`. */
export type PatchPageBody = UpdatePageBody;

/** Answer of `PATCH /core/v2/pages/{id}`. */
export type PatchPageResponse = PageEdit;

/** Query of `GET /core/v2/pages/{parent}/revisions`. */
export interface ListPageRevisionsQuery extends SharedQuery {
  /**
   * Scope under which the request is made; determines fields present in response.
   * @default "view"
   */
  context?: "view" | "embed" | "edit";
  /**
   * Current page of the collection. At least 1.
   * @default 1
   */
  page?: number;
  /** Maximum number of items to be returned in result set. 1 to 100. */
  per_page?: number;
  /** Limit results to those matching a string. */
  search?: string;
  /**
   * Ensure result set excludes specific IDs.
   * @default []
   */
  exclude?: number[];
  /**
   * Limit result set to specific IDs.
   * @default []
   */
  include?: number[];
  /** Offset the result set by a specific number of items. */
  offset?: number;
  /**
   * Order sort attribute ascending or descending.
   * @default "desc"
   */
  order?: "asc" | "desc";
  /**
   * Sort collection by object attribute.
   * @default "date"
   */
  orderby?: "date" | "id" | "include" | "relevance" | "slug" | "include_slugs" | "title";
}

/** Path parameters of `GET /core/v2/pages/{parent}/revisions`. */
export interface ListPageRevisionsPath {
  /** The ID for the parent of the revision. */
  parent: number;
}

/** Answer of `GET /core/v2/pages/{parent}/revisions`. */
export type ListPageRevisionsResponse = PageRevision[];

/** Query of `GET /core/v2/pages/{parent}/revisions/{id}`. */
export interface GetPageRevisionQuery extends SharedQuery {
  /**
   * Scope under which the request is made; determines fields present in response.
   * @default "view"
   */
  context?: "view" | "embed" | "edit";
}

/** Path parameters of `GET /core/v2/pages/{parent}/revisions/{id}`. */
export interface GetPageRevisionPath {
  /** The ID for the parent of the revision. */
  parent: number;
  /** Unique identifier for the revision. */
  id: number;
}

/** Answer of `GET /core/v2/pages/{parent}/revisions/{id}`. */
export type GetPageRevisionResponse = PageRevision;

/** Query of `DELETE /core/v2/pages/{parent}/revisions/{id}`. */
export interface DeletePageRevisionQuery
  extends Pick<SharedQuery, "_fields" | "_envelope" | "_locale"> {
  /**
   * Required to be true, as revisions do not support trashing.
   * @default false
   */
  force?: boolean;
}

/** Path parameters of `DELETE /core/v2/pages/{parent}/revisions/{id}`. */
export type DeletePageRevisionPath = GetPageRevisionPath;

/** Answer of `DELETE /core/v2/pages/{parent}/revisions/{id}`. */
export type DeletePageRevisionResponse = DeletedPageRevision | PageRevisionEdit;

/** Query of `GET /core/v2/pages/{id}/autosaves`. */
export interface ListPageAutosavesQuery extends SharedQuery {
  /** The ID for the parent of the autosave. */
  parent?: number;
  /**
   * Scope under which the request is made; determines fields present in response.
   * @default "view"
   */
  context?: "view" | "embed" | "edit";
}

/** Path parameters of `GET /core/v2/pages/{id}/autosaves`. */
export interface ListPageAutosavesPath {
  /** At least 0. Pattern: `^\d+$`. */
  id: number | string;
}

/** Answer of `GET /core/v2/pages/{id}/autosaves`. */
export type ListPageAutosavesResponse = PageRevision[];

/** Query of `POST /core/v2/pages/{id}/autosaves`. */
export type CreatePageAutosaveQuery = SharedQuery;

/** Path parameters of `POST /core/v2/pages/{id}/autosaves`. */
export type CreatePageAutosavePath = ListPageAutosavesPath;

/** Answer of `POST /core/v2/pages/{id}/autosaves`. */
export type CreatePageAutosaveResponse = PageAutosaveEdit;

/** Query of `GET /core/v2/pages/{parent}/autosaves/{id}`. */
export interface GetPageAutosaveQuery extends SharedQuery {
  /**
   * Scope under which the request is made; determines fields present in response.
   * @default "view"
   */
  context?: "view" | "embed" | "edit";
}

/** Path parameters of `GET /core/v2/pages/{parent}/autosaves/{id}`. */
export interface GetPageAutosavePath {
  /** The ID for the parent of the autosave. */
  parent: number;
  /** The ID for the autosave. */
  id: number;
}

/** Answer of `GET /core/v2/pages/{parent}/autosaves/{id}`. */
export type GetPageAutosaveResponse = PageRevision;

/** Query of `GET /core/v2/media`. */
export interface ListMediaQuery extends SharedQuery {
  /**
   * Scope under which the request is made; determines fields present in response.
   * @default "view"
   */
  context?: "view" | "embed" | "edit";
  /**
   * Current page of the collection. At least 1.
   * @default 1
   */
  page?: number;
  /**
   * Maximum number of items to be returned in result set. 1 to 100.
   * @default 10
   */
  per_page?: number;
  /** Limit results to those matching a string. */
  search?: string;
  /** Limit response to posts published after a given ISO8601 compliant date. Format: date-time. */
  after?: string;
  /** Limit response to posts modified after a given ISO8601 compliant date. Format: date-time. */
  modified_after?: string;
  /**
   * Limit result set to posts assigned to specific authors.
   * @default []
   */
  author?: number[];
  /**
   * Ensure result set excludes posts assigned to specific authors.
   * @default []
   */
  author_exclude?: number[];
  /** Limit response to posts published before a given ISO8601 compliant date. Format: date-time. */
  before?: string;
  /** Limit response to posts modified before a given ISO8601 compliant date. Format: date-time. */
  modified_before?: string;
  /**
   * Ensure result set excludes specific IDs.
   * @default []
   */
  exclude?: number[];
  /**
   * Limit result set to specific IDs.
   * @default []
   */
  include?: number[];
  /** How to interpret the search input. */
  search_semantics?: "exact";
  /** Offset the result set by a specific number of items. */
  offset?: number;
  /**
   * Order sort attribute ascending or descending.
   * @default "desc"
   */
  order?: "asc" | "desc";
  /**
   * Sort collection by post attribute.
   * @default "date"
   */
  orderby?:
    | "author"
    | "date"
    | "id"
    | "include"
    | "modified"
    | "parent"
    | "relevance"
    | "slug"
    | "include_slugs"
    | "title";
  /**
   * Limit result set to items with particular parent IDs.
   * @default []
   */
  parent?: number[];
  /**
   * Limit result set to all items except those of a particular parent ID.
   * @default []
   */
  parent_exclude?: number[];
  /**
   * Array of column names to be searched.
   * @default []
   */
  search_columns?: ("post_title" | "post_content" | "post_excerpt")[];
  /** Limit result set to posts with one or more specific slugs. */
  slug?: string[];
  /**
   * Limit result set to posts assigned one or more statuses.
   * @default "inherit"
   */
  status?: ("inherit" | "private" | "trash")[];
  /** Limit result set to attachments of a particular media type or media types. */
  media_type?: ("image" | "video" | "text" | "application" | "audio")[];
  /** Limit result set to attachments of a particular MIME type or MIME types. */
  mime_type?: string[];
}

/** Answer of `GET /core/v2/media`. */
export type ListMediaResponse = Attachment[];

/** Query of `POST /core/v2/media`. */
export type CreateMediaQuery = SharedQuery;

/** Answer of `POST /core/v2/media`. */
export type CreateMediaResponse = AttachmentEdit;

/** Query of `GET /core/v2/media/{id}`. */
export interface GetMediaQuery extends SharedQuery {
  /**
   * Scope under which the request is made; determines fields present in response.
   * @default "view"
   */
  context?: "view" | "embed" | "edit";
}

/** Path parameters of `GET /core/v2/media/{id}`. */
export interface GetMediaPath {
  /** Unique identifier for the post. */
  id: number;
}

/** Answer of `GET /core/v2/media/{id}`. */
export type GetMediaResponse = Attachment;

/** Query of `PUT /core/v2/media/{id}`. */
export type PutMediaQuery = SharedQuery;

/** Path parameters of `PUT /core/v2/media/{id}`. */
export type PutMediaPath = GetMediaPath;

/** Body of `PUT /core/v2/media/{id}`. */
export type PutMediaBody = UpdateMediaBody;

/** Answer of `PUT /core/v2/media/{id}`. */
export type PutMediaResponse = AttachmentEdit;

/** Query of `POST /core/v2/media/{id}`. */
export type UpdateMediaQuery = SharedQuery;

/** Path parameters of `POST /core/v2/media/{id}`. */
export type UpdateMediaPath = GetMediaPath;

/** Answer of `POST /core/v2/media/{id}`. */
export type UpdateMediaResponse = AttachmentEdit;

/** Query of `DELETE /core/v2/media/{id}`. */
export interface DeleteMediaQuery extends Pick<SharedQuery, "_fields" | "_envelope" | "_locale"> {
  /**
   * Whether to bypass Trash and force deletion.
   * @default false
   */
  force?: boolean;
}

/** Path parameters of `DELETE /core/v2/media/{id}`. */
export type DeleteMediaPath = GetMediaPath;

/** Answer of `DELETE /core/v2/media/{id}`. */
export type DeleteMediaResponse = DeletedAttachment | AttachmentEdit;

/** Query of `PATCH /core/v2/media/{id}`. */
export type PatchMediaQuery = SharedQuery;

/** Path parameters of `PATCH /core/v2/media/{id}`. */
export type PatchMediaPath = GetMediaPath;

/** Body of `PATCH /core/v2/media/{id}`. */
export type PatchMediaBody = UpdateMediaBody;

/** Answer of `PATCH /core/v2/media/{id}`. */
export type PatchMediaResponse = AttachmentEdit;

/** Query of `POST /core/v2/media/{id}/post-process`. */
export type PostProcessMediaQuery = SharedQuery;

/** Path parameters of `POST /core/v2/media/{id}/post-process`. */
export interface PostProcessMediaPath {
  /** Unique identifier for the attachment. */
  id: number;
}

/** Query of `POST /core/v2/media/{id}/edit`. */
export type EditMediaQuery = SharedQuery;

/** Path parameters of `POST /core/v2/media/{id}/edit`. */
export interface EditMediaPath {
  /** At least 0. Pattern: `^\d+$`. */
  id: number | string;
}

// ── Schemas ──────────────────────────────────────────────────────────────────────────────────────

export interface AiV1AiProvider {
  /** Unique identifier for the provider. */
  id?: string;
  /** Name of the provider. */
  name?: string;
  /** What the provider can do. */
  capabilities?: ("text_generation" | "image_generation" | "vision")[];
  /** Whether the site holds credentials for the provider. */
  configured?: boolean;
}

/** The index does not say which fields are read. */
export type AnyFields = { [k: string]: unknown };

export interface Attachment {
  /** The date the post was published, in the site's timezone. Format: date-time. */
  date?: string | null;
  /** The date the post was published, as GMT. Format: date-time. */
  date_gmt?: string | null;
  /** The globally unique identifier for the post. */
  guid?: {
    /** GUID for the post, transformed for display. */
    rendered?: string;
  };
  /** Unique identifier for the post. */
  id?: number;
  /** URL to the post. Format: uri. */
  link?: string;
  /** The date the post was last modified, in the site's timezone. Format: date-time. */
  modified?: string;
  /** The date the post was last modified, as GMT. Format: date-time. */
  modified_gmt?: string;
  /** An alphanumeric identifier for the post unique to its type. */
  slug?: string;
  /** A named status for the post. */
  status?: "publish" | "future" | "draft" | "pending" | "private" | "inherit" | "trash";
  /** Type of post. */
  type?: string;
  /** An array of the class names for the post container element. */
  class_list?: string[];
  /** The title for the post. */
  title?: {
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The ID for the author of the post. */
  author?: number;
  /** The ID of the featured media for the post. */
  featured_media?: number;
  /** Whether or not comments are open on the post. */
  comment_status?: "open" | "closed";
  /** Whether or not the post can be pinged. */
  ping_status?: "open" | "closed";
  /** Meta fields. */
  meta?: { [k: string]: unknown } | unknown[];
  /** The theme file to use to display the post. */
  template?: string;
  /** Alternative text to display when attachment is not displayed. */
  alt_text?: string;
  /** The attachment caption. */
  caption?: {
    /** HTML caption for the attachment, transformed for display. */
    rendered?: string;
  };
  /** The attachment description. */
  description?: {
    /** HTML description for the attachment, transformed for display. */
    rendered?: string;
  };
  /** Attachment type. */
  media_type?: "image" | "file";
  /** The attachment MIME type. */
  mime_type?: string;
  /** Details about the media file, specific to its type. */
  media_details?: { [k: string]: unknown };
  /** The ID for the associated post of the attachment. */
  post?: number | null;
  /** URL to the original attachment file. Format: uri. */
  source_url?: string;
}

export interface AttachmentEdit {
  /** The date the post was published, in the site's timezone. Format: date-time. */
  date?: string | null;
  /** The date the post was published, as GMT. Format: date-time. */
  date_gmt?: string | null;
  /** The globally unique identifier for the post. */
  guid?: {
    /** GUID for the post, as it exists in the database. */
    raw?: string;
    /** GUID for the post, transformed for display. */
    rendered?: string;
  };
  /** Unique identifier for the post. */
  id?: number;
  /** URL to the post. Format: uri. */
  link?: string;
  /** The date the post was last modified, in the site's timezone. Format: date-time. */
  modified?: string;
  /** The date the post was last modified, as GMT. Format: date-time. */
  modified_gmt?: string;
  /** An alphanumeric identifier for the post unique to its type. */
  slug?: string;
  /** A named status for the post. */
  status?: "publish" | "future" | "draft" | "pending" | "private" | "inherit" | "trash";
  /** Type of post. */
  type?: string;
  /** Permalink template for the post. */
  permalink_template?: string;
  /** Slug automatically generated from the post title. */
  generated_slug?: string;
  /** An array of the class names for the post container element. */
  class_list?: string[];
  /** The title for the post. */
  title?: {
    /** Title for the post, as it exists in the database. */
    raw?: string;
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The ID for the author of the post. */
  author?: number;
  /** The ID of the featured media for the post. */
  featured_media?: number;
  /** Whether or not comments are open on the post. */
  comment_status?: "open" | "closed";
  /** Whether or not the post can be pinged. */
  ping_status?: "open" | "closed";
  /** Meta fields. */
  meta?: { [k: string]: unknown } | unknown[];
  /** The theme file to use to display the post. */
  template?: string;
  /** Alternative text to display when attachment is not displayed. */
  alt_text?: string;
  /** The attachment caption. */
  caption?: {
    /** Caption for the attachment, as it exists in the database. */
    raw?: string;
    /** HTML caption for the attachment, transformed for display. */
    rendered?: string;
  };
  /** The attachment description. */
  description?: {
    /** Description for the attachment, as it exists in the database. */
    raw?: string;
    /** HTML description for the attachment, transformed for display. */
    rendered?: string;
  };
  /** Attachment type. */
  media_type?: "image" | "file";
  /** The attachment MIME type. */
  mime_type?: string;
  /** Details about the media file, specific to its type. */
  media_details?: { [k: string]: unknown };
  /** The ID for the associated post of the attachment. */
  post?: number | null;
  /** URL to the original attachment file. Format: uri. */
  source_url?: string;
  /** List of the missing image sizes of the attachment. */
  missing_image_sizes?: string[];
}

export interface AttachmentEmbed {
  /** The date the post was published, in the site's timezone. Format: date-time. */
  date?: string | null;
  /** Unique identifier for the post. */
  id?: number;
  /** URL to the post. Format: uri. */
  link?: string;
  /** An alphanumeric identifier for the post unique to its type. */
  slug?: string;
  /** Type of post. */
  type?: string;
  /** The title for the post. */
  title?: {
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The ID for the author of the post. */
  author?: number;
  /** The ID of the featured media for the post. */
  featured_media?: number;
  /** Alternative text to display when attachment is not displayed. */
  alt_text?: string;
  /** The attachment caption. */
  caption?: {
    /** HTML caption for the attachment, transformed for display. */
    rendered?: string;
  };
  /** Attachment type. */
  media_type?: "image" | "file";
  /** The attachment MIME type. */
  mime_type?: string;
  /** Details about the media file, specific to its type. */
  media_details?: { [k: string]: unknown };
  /** URL to the original attachment file. Format: uri. */
  source_url?: string;
}

/** The answers to a batch, and what made it fail as a whole. */
export interface BatchResult {
  /** Present where nothing was run, because not every request is valid. */
  failed?: "validation";
  /** One for each request, in their order; null for what was not run. */
  responses: ( {
    body: unknown;
    status: number;
    headers: { [k: string]: unknown } | unknown[];
  } | null
  )[];
}

export interface CreateMediaBody {
  /** The date the post was published, in the site's timezone. Format: date-time. */
  date?: string | null;
  /** The date the post was published, as GMT. Format: date-time. */
  date_gmt?: string | null;
  /** An alphanumeric identifier for the post unique to its type. */
  slug?: string;
  /** A named status for the post. */
  status?: "publish" | "future" | "draft" | "pending" | "private";
  /** The title for the post. */
  title?: {
    /** Title for the post, as it exists in the database. */
    raw?: string;
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The ID for the author of the post. */
  author?: number;
  /** The ID of the featured media for the post. */
  featured_media?: number;
  /** Whether or not comments are open on the post. */
  comment_status?: "open" | "closed";
  /** Whether or not the post can be pinged. */
  ping_status?: "open" | "closed";
  /** Meta fields. */
  meta?: { [k: string]: unknown };
  /** The theme file to use to display the post. */
  template?: string;
  /** Alternative text to display when attachment is not displayed. */
  alt_text?: string;
  /** The attachment caption. */
  caption?: {
    /** Caption for the attachment, as it exists in the database. */
    raw?: string;
    /** HTML caption for the attachment, transformed for display. */
    rendered?: string;
  };
  /** The attachment description. */
  description?: {
    /** Description for the attachment, as it exists in the database. */
    raw?: string;
    /** HTML description for the attachment, transformed for display. */
    rendered?: string;
  };
  /** The ID for the associated post of the attachment. */
  post?: number;
}

export interface CreatePageAutosaveBody {
  /** The ID for the parent of the post. */
  parent?: number;
  /** The date the post was published, in the site's timezone. Format: date-time. */
  date?: string | null;
  /** The date the post was published, as GMT. Format: date-time. */
  date_gmt?: string | null;
  /** An alphanumeric identifier for the post unique to its type. */
  slug?: string;
  /** A named status for the post. */
  status?: "publish" | "future" | "draft" | "pending" | "private";
  /** A password to protect access to the content and excerpt. */
  password?: string;
  /** The title for the post. */
  title?: {
    /** Title for the post, as it exists in the database. */
    raw?: string;
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The content for the post. */
  content?: {
    /** Content for the post, as it exists in the database. */
    raw?: string;
    /** HTML content for the post, transformed for display. */
    rendered?: string;
    /** Version of the content block format used by the post. */
    block_version?: number;
    /** Whether the content is protected with a password. */
    protected?: boolean;
  };
  /** The ID for the author of the post. */
  author?: number;
  /** The excerpt for the post. */
  excerpt?: {
    /** Excerpt for the post, as it exists in the database. */
    raw?: string;
    /** HTML excerpt for the post, transformed for display. */
    rendered?: string;
    /** Whether the excerpt is protected with a password. */
    protected?: boolean;
  };
  /** The ID of the featured media for the post. */
  featured_media?: number;
  /** Whether or not comments are open on the post. */
  comment_status?: "open" | "closed";
  /** Whether or not the post can be pinged. */
  ping_status?: "open" | "closed";
  /** The order of the post in relation to other posts. */
  menu_order?: number;
  /** Meta fields. */
  meta?: {
    /** @default "" */
    footnotes?: string;
  };
  /** The theme file to use to display the post. */
  template?: string;
}

export interface CreatePageBody {
  /** The date the post was published, in the site's timezone. Format: date-time. */
  date?: string | null;
  /** The date the post was published, as GMT. Format: date-time. */
  date_gmt?: string | null;
  /** An alphanumeric identifier for the post unique to its type. */
  slug?: string;
  /** A named status for the post. */
  status?: "publish" | "future" | "draft" | "pending" | "private";
  /** A password to protect access to the content and excerpt. */
  password?: string;
  /** The ID for the parent of the post. */
  parent?: number;
  /** The title for the post. */
  title?: {
    /** Title for the post, as it exists in the database. */
    raw?: string;
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The content for the post. */
  content?: {
    /** Content for the post, as it exists in the database. */
    raw?: string;
    /** HTML content for the post, transformed for display. */
    rendered?: string;
    /** Version of the content block format used by the post. */
    block_version?: number;
    /** Whether the content is protected with a password. */
    protected?: boolean;
  };
  /** The ID for the author of the post. */
  author?: number;
  /** The excerpt for the post. */
  excerpt?: {
    /** Excerpt for the post, as it exists in the database. */
    raw?: string;
    /** HTML excerpt for the post, transformed for display. */
    rendered?: string;
    /** Whether the excerpt is protected with a password. */
    protected?: boolean;
  };
  /** The ID of the featured media for the post. */
  featured_media?: number;
  /** Whether or not comments are open on the post. */
  comment_status?: "open" | "closed";
  /** Whether or not the post can be pinged. */
  ping_status?: "open" | "closed";
  /** The order of the post in relation to other posts. */
  menu_order?: number;
  /** Meta fields. */
  meta?: {
    /** @default "" */
    footnotes?: string;
  };
  /** The theme file to use to display the post. */
  template?: string;
}

export interface CreatePostAutosaveBody {
  /** The ID for the parent of the autosave. */
  parent?: number;
  /** The date the post was published, in the site's timezone. Format: date-time. */
  date?: string | null;
  /** The date the post was published, as GMT. Format: date-time. */
  date_gmt?: string | null;
  /** An alphanumeric identifier for the post unique to its type. */
  slug?: string;
  /** A named status for the post. */
  status?: "publish" | "future" | "draft" | "pending" | "private";
  /** A password to protect access to the content and excerpt. */
  password?: string;
  /** The title for the post. */
  title?: {
    /** Title for the post, as it exists in the database. */
    raw?: string;
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The content for the post. */
  content?: {
    /** Content for the post, as it exists in the database. */
    raw?: string;
    /** HTML content for the post, transformed for display. */
    rendered?: string;
    /** Version of the content block format used by the post. */
    block_version?: number;
    /** Whether the content is protected with a password. */
    protected?: boolean;
  };
  /** The ID for the author of the post. */
  author?: number;
  /** The excerpt for the post. */
  excerpt?: {
    /** Excerpt for the post, as it exists in the database. */
    raw?: string;
    /** HTML excerpt for the post, transformed for display. */
    rendered?: string;
    /** Whether the excerpt is protected with a password. */
    protected?: boolean;
  };
  /** The ID of the featured media for the post. */
  featured_media?: number;
  /** Whether or not comments are open on the post. */
  comment_status?: "open" | "closed";
  /** Whether or not the post can be pinged. */
  ping_status?: "open" | "closed";
  /** The format for the post. */
  format?:
    | "standard"
    | "aside"
    | "chat"
    | "gallery"
    | "link"
    | "image"
    | "quote"
    | "status"
    | "video"
    | "audio";
  /** Meta fields. */
  meta?: {
    /** @default "" */
    footnotes?: string;
  };
  /** Whether or not the post should be treated as sticky. */
  sticky?: boolean;
  /** The theme file to use to display the post. */
  template?: string;
  /** The terms assigned to the post in the category taxonomy. */
  categories?: number[];
  /** The terms assigned to the post in the post_tag taxonomy. */
  tags?: number[];
}

export interface CreatePostBody {
  /** The date the post was published, in the site's timezone. Format: date-time. */
  date?: string | null;
  /** The date the post was published, as GMT. Format: date-time. */
  date_gmt?: string | null;
  /** An alphanumeric identifier for the post unique to its type. */
  slug?: string;
  /** A named status for the post. */
  status?: "publish" | "future" | "draft" | "pending" | "private";
  /** A password to protect access to the content and excerpt. */
  password?: string;
  /** The title for the post. */
  title?: {
    /** Title for the post, as it exists in the database. */
    raw?: string;
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The content for the post. */
  content?: {
    /** Content for the post, as it exists in the database. */
    raw?: string;
    /** HTML content for the post, transformed for display. */
    rendered?: string;
    /** Version of the content block format used by the post. */
    block_version?: number;
    /** Whether the content is protected with a password. */
    protected?: boolean;
  };
  /** The ID for the author of the post. */
  author?: number;
  /** The excerpt for the post. */
  excerpt?: {
    /** Excerpt for the post, as it exists in the database. */
    raw?: string;
    /** HTML excerpt for the post, transformed for display. */
    rendered?: string;
    /** Whether the excerpt is protected with a password. */
    protected?: boolean;
  };
  /** The ID of the featured media for the post. */
  featured_media?: number;
  /** Whether or not comments are open on the post. */
  comment_status?: "open" | "closed";
  /** Whether or not the post can be pinged. */
  ping_status?: "open" | "closed";
  /** The format for the post. */
  format?:
    | "standard"
    | "aside"
    | "chat"
    | "gallery"
    | "link"
    | "image"
    | "quote"
    | "status"
    | "video"
    | "audio";
  /** Meta fields. */
  meta?: {
    /** @default "" */
    footnotes?: string;
  };
  /** Whether or not the post should be treated as sticky. */
  sticky?: boolean;
  /** The theme file to use to display the post. */
  template?: string;
  /** The terms assigned to the post in the category taxonomy. */
  categories?: number[];
  /** The terms assigned to the post in the post_tag taxonomy. */
  tags?: number[];
}

export interface DeletedAttachment {
  /** True: it is gone. */
  deleted?: boolean;
  previous?: AttachmentEdit;
}

export interface DeletedExtAV1ChatSession {
  /** True: it is gone. */
  deleted?: boolean;
  previous?: ExtAV1ChatSession;
}

export interface DeletedPage {
  /** True: it is gone. */
  deleted?: boolean;
  previous?: PageEdit;
}

export interface DeletedPageRevision {
  /** True: it is gone. */
  deleted?: boolean;
  previous?: PageRevisionEdit;
}

export interface DeletedPost {
  /** True: it is gone. */
  deleted?: boolean;
  previous?: PostEdit;
}

export interface DeletedPostRevision {
  /** True: it is gone. */
  deleted?: boolean;
  previous?: PostRevisionEdit;
}

export interface EditMediaBody {
  /** URL to the edited image file. Format: uri. */
  src: string;
  /** Array of image edits. At least 1 items. */
  modifiers?: (
    & (| {
            /** Flip type. */
            type?: "flip";
            /** Flip arguments. */
            args?: {
              /** Flip direction. */
              flip: {
                /** Whether to flip in the horizontal direction. */
                horizontal: boolean;
                /** Whether to flip in the vertical direction. */
                vertical: boolean;
              };
            };
          }
        | {
            /** Rotation type. */
            type?: "rotate";
            /** Rotation arguments. */
            args?: {
              /** Angle to rotate clockwise in degrees. */
              angle: number;
            };
          }
        | {
            /** Crop type. */
            type?: "crop";
            /** Crop arguments. */
            args?: {
              /** Horizontal position from the left to begin the crop, as a percentage of the image. */
              left: number;
              /** Vertical position from the top to begin the crop, as a percentage of the image. */
              top: number;
              /** Width of the crop, as a percentage of the image. */
              width: number;
              /** Height of the crop, as a percentage of the image. */
              height: number;
            };
          })
    & {
        type: unknown;
        args: unknown;
      }
  )[];
}

/** How the site says no. */
export interface Error {
  /** A stable name: `rest_no_route`. */
  code: string | number;
  /** For a person, in the language of the site. */
  message: string;
  /** The status, and for refused parameters which and why. */
  data?:
    | {
        status?: number;
        /** By name what is wrong, or the names of those that are missing. */
        params?: { [k: string]: string } | string[];
        /** By name the error of each refused parameter. */
        details?: unknown;
      }
    | unknown[]
    | string
    | number
    | boolean
    | null;
  additional_errors?: { [k: string]: unknown }[];
}

export interface ExtAV1AbilityRun {
  /** The ability that ran. */
  ability?: string;
  /** What it gave. */
  output?: { [k: string]: unknown };
}

export interface ExtAV1AdminAccess {
  /** The secret part of the link. */
  nonce?: string;
  /** The link. It works once. Format: uri. */
  url?: string;
  /** When the link ends, as GMT. Format: date-time. */
  expires?: string;
}

export interface ExtAV1AdminAccessGrant {
  /** Whether access is granted. */
  granted?: boolean;
  /** As whom. */
  user?: {
    /** Unique identifier for the user. */
    id?: number;
    /** Display name of the user. */
    name?: string;
  };
  /** Where to go on. Format: uri. */
  redirect?: string;
}

export interface ExtAV1ChatApproval {
  /** The session. */
  session?: string;
  /** What the session waits for now. */
  status?: "ready" | "awaiting-tool" | "awaiting-approval";
  /** The call that is decided on. */
  call?: string;
  /** What was decided. */
  decision?: "approve" | "deny";
}

export interface ExtAV1ChatConsent {
  /** Whether the user agrees. */
  granted?: boolean;
  /** Since when, as GMT. Format: date-time. */
  since?: string | null;
}

export interface ExtAV1ChatModel {
  /** Unique identifier for the model. */
  id?: string;
  /** Name of the model. */
  name?: string;
  /** How many characters it reads at once. */
  context?: number;
}

export interface ExtAV1ChatSession {
  /** Unique identifier for the session. */
  id?: string;
  /** What the session is about. */
  title?: string;
  /** The model that answers. */
  model?: string;
  /** Whether the session is put away. */
  archived?: boolean;
  /** What the session waits for. */
  status?: "ready" | "awaiting-tool" | "awaiting-approval";
  /** When the session began, as GMT. Format: date-time. */
  created?: string;
  /** When the session last changed, as GMT. Format: date-time. */
  updated?: string;
  /** What was said, oldest first. */
  messages?: {
    /** Who speaks. */
    role?: "user" | "assistant" | "tool";
    /** What is said. */
    text?: string;
    /** When, as GMT. Format: date-time. */
    time?: string;
  }[];
  /** The tool call that the model waits for. */
  pending?: {
    /** Unique identifier for the call. */
    id?: string;
    /** Name of the tool. */
    tool?: string;
    /** What the tool is given. */
    arguments?: { [k: string]: unknown };
    /** Whether somebody has to approve. */
    approval?: "unneeded" | "waiting" | "granted";
  } | null;
}

export interface ExtAV1ChatStatus {
  /** Whether the assistant answers. */
  available?: boolean;
  /** The model that answers unless another is chosen. */
  model?: string;
  /** Whether the user has agreed to the model. */
  consent?: boolean;
  /** How many sessions the user has. */
  sessions?: number;
}

export interface ExtAV1ChatStep {
  /** The session. */
  session?: string;
  /** What the session waits for now. */
  status?: "ready" | "awaiting-tool" | "awaiting-approval";
  /** What the model did. */
  type?: "message" | "tool-request";
  /** What the model says. */
  message?: string;
  /** The tool call that the model asks for. */
  call?: {
    /** Unique identifier for the call. */
    id?: string;
    /** Name of the tool. */
    tool?: string;
    /** What the tool is given. */
    arguments?: { [k: string]: unknown };
    /** Whether somebody has to approve. */
    approval?: "unneeded" | "waiting" | "granted";
  } | null;
}

export interface ExtAV1ChatTool {
  /** Name of the tool. */
  name?: string;
  /** Name of the tool for people. */
  title?: string;
  /** What the tool does. */
  description?: string;
  /** JSON Schema of its arguments. */
  input_schema?: { [k: string]: unknown };
  /** Whether somebody has to approve of each call. */
  needs_approval?: boolean;
}

export interface ExtAV1ChatToolResult {
  /** The session. */
  session?: string;
  /** What the session waits for now. */
  status?: "ready" | "awaiting-tool" | "awaiting-approval";
  /** The tool that ran. */
  tool?: string;
  /** What it gave. */
  result?: { [k: string]: unknown };
}

export interface ExtAV1ToolCall {
  /** The tool that was called. */
  name?: string;
  /** What it gave. */
  result?: { [k: string]: unknown };
}

export interface ExtAV1ToolDiscovery {
  /** The tools that may be called. */
  tools?: { [k: string]: unknown }[];
}

export interface ExtAV1Upload {
  /** Token of the upload. */
  id?: string;
  /** Name of the file. */
  name?: string;
  /** Media type of the file. */
  type?: string;
  /** Size of the file in bytes. */
  size?: number;
  /** Where the file can be read until it expires. Format: uri. */
  url?: string;
  /** When the file is dropped, as GMT. Format: date-time. */
  expires?: string;
}

export interface Page {
  /** The date the post was published, in the site's timezone. Format: date-time. */
  date?: string | null;
  /** The date the post was published, as GMT. Format: date-time. */
  date_gmt?: string | null;
  /** The globally unique identifier for the post. */
  guid?: {
    /** GUID for the post, transformed for display. */
    rendered?: string;
  };
  /** Unique identifier for the post. */
  id?: number;
  /** URL to the post. Format: uri. */
  link?: string;
  /** The date the post was last modified, in the site's timezone. Format: date-time. */
  modified?: string;
  /** The date the post was last modified, as GMT. Format: date-time. */
  modified_gmt?: string;
  /** An alphanumeric identifier for the post unique to its type. */
  slug?: string;
  /** A named status for the post. */
  status?: "publish" | "future" | "draft" | "pending" | "private" | "trash";
  /** Type of post. */
  type?: string;
  /** An array of the class names for the post container element. */
  class_list?: string[];
  /** The ID for the parent of the post. */
  parent?: number;
  /** The title for the post. */
  title?: {
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The content for the post. */
  content?: {
    /** HTML content for the post, transformed for display. */
    rendered?: string;
    /** Whether the content is protected with a password. */
    protected?: boolean;
  };
  /** The ID for the author of the post. */
  author?: number;
  /** The excerpt for the post. */
  excerpt?: {
    /** HTML excerpt for the post, transformed for display. */
    rendered?: string;
    /** Whether the excerpt is protected with a password. */
    protected?: boolean;
  };
  /** The ID of the featured media for the post. */
  featured_media?: number;
  /** Whether or not comments are open on the post. */
  comment_status?: "open" | "closed";
  /** Whether or not the post can be pinged. */
  ping_status?: "open" | "closed";
  /** The order of the post in relation to other posts. */
  menu_order?: number;
  /** Meta fields. */
  meta?: {
    /** @default "" */
    footnotes?: string;
  };
  /** The theme file to use to display the post. */
  template?: string;
}

export interface PageAutosaveEdit {
  /** The ID for the author of the revision. */
  author?: number;
  /** The date the revision was published, in the site's timezone. Format: date-time. */
  date?: string;
  /** The date the revision was published, as GMT. Format: date-time. */
  date_gmt?: string;
  /** The globally unique identifier for the post. */
  guid?: {
    /** GUID for the post, as it exists in the database. */
    raw?: string;
    /** GUID for the post, transformed for display. */
    rendered?: string;
  };
  /** Unique identifier for the revision. */
  id?: number;
  /** The date the revision was last modified, in the site's timezone. Format: date-time. */
  modified?: string;
  /** The date the revision was last modified, as GMT. Format: date-time. */
  modified_gmt?: string;
  /** The ID for the parent of the revision. */
  parent?: number;
  /** An alphanumeric identifier for the revision unique to its type. */
  slug?: string;
  /** The title for the post. */
  title?: {
    /** Title for the post, as it exists in the database. */
    raw?: string;
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The content for the post. */
  content?: {
    /** Content for the post, as it exists in the database. */
    raw?: string;
    /** HTML content for the post, transformed for display. */
    rendered?: string;
    /** Version of the content block format used by the post. */
    block_version?: number;
    /** Whether the content is protected with a password. */
    protected?: boolean;
  };
  /** The excerpt for the post. */
  excerpt?: {
    /** Excerpt for the post, as it exists in the database. */
    raw?: string;
    /** HTML excerpt for the post, transformed for display. */
    rendered?: string;
    /** Whether the excerpt is protected with a password. */
    protected?: boolean;
  };
  /** Meta fields. */
  meta?: {
    /** @default "" */
    footnotes?: string;
  };
  /** Preview link for the post. Format: uri. */
  preview_link?: string;
}

export interface PageEdit {
  /** The date the post was published, in the site's timezone. Format: date-time. */
  date?: string | null;
  /** The date the post was published, as GMT. Format: date-time. */
  date_gmt?: string | null;
  /** The globally unique identifier for the post. */
  guid?: {
    /** GUID for the post, as it exists in the database. */
    raw?: string;
    /** GUID for the post, transformed for display. */
    rendered?: string;
  };
  /** Unique identifier for the post. */
  id?: number;
  /** URL to the post. Format: uri. */
  link?: string;
  /** The date the post was last modified, in the site's timezone. Format: date-time. */
  modified?: string;
  /** The date the post was last modified, as GMT. Format: date-time. */
  modified_gmt?: string;
  /** An alphanumeric identifier for the post unique to its type. */
  slug?: string;
  /** A named status for the post. */
  status?: "publish" | "future" | "draft" | "pending" | "private" | "trash";
  /** Type of post. */
  type?: string;
  /** A password to protect access to the content and excerpt. */
  password?: string;
  /** Permalink template for the post. */
  permalink_template?: string;
  /** Slug automatically generated from the post title. */
  generated_slug?: string;
  /** An array of the class names for the post container element. */
  class_list?: string[];
  /** The ID for the parent of the post. */
  parent?: number;
  /** The title for the post. */
  title?: {
    /** Title for the post, as it exists in the database. */
    raw?: string;
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The content for the post. */
  content?: {
    /** Content for the post, as it exists in the database. */
    raw?: string;
    /** HTML content for the post, transformed for display. */
    rendered?: string;
    /** Version of the content block format used by the post. */
    block_version?: number;
    /** Whether the content is protected with a password. */
    protected?: boolean;
  };
  /** The ID for the author of the post. */
  author?: number;
  /** The excerpt for the post. */
  excerpt?: {
    /** Excerpt for the post, as it exists in the database. */
    raw?: string;
    /** HTML excerpt for the post, transformed for display. */
    rendered?: string;
    /** Whether the excerpt is protected with a password. */
    protected?: boolean;
  };
  /** The ID of the featured media for the post. */
  featured_media?: number;
  /** Whether or not comments are open on the post. */
  comment_status?: "open" | "closed";
  /** Whether or not the post can be pinged. */
  ping_status?: "open" | "closed";
  /** The order of the post in relation to other posts. */
  menu_order?: number;
  /** Meta fields. */
  meta?: {
    /** @default "" */
    footnotes?: string;
  };
  /** The theme file to use to display the post. */
  template?: string;
}

export interface PageEmbed {
  /** The date the post was published, in the site's timezone. Format: date-time. */
  date?: string | null;
  /** Unique identifier for the post. */
  id?: number;
  /** URL to the post. Format: uri. */
  link?: string;
  /** An alphanumeric identifier for the post unique to its type. */
  slug?: string;
  /** Type of post. */
  type?: string;
  /** The title for the post. */
  title?: {
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The ID for the author of the post. */
  author?: number;
  /** The excerpt for the post. */
  excerpt?: {
    /** HTML excerpt for the post, transformed for display. */
    rendered?: string;
    /** Whether the excerpt is protected with a password. */
    protected?: boolean;
  };
  /** The ID of the featured media for the post. */
  featured_media?: number;
}

export interface PageRevision {
  /** The ID for the author of the revision. */
  author?: number;
  /** The date the revision was published, in the site's timezone. Format: date-time. */
  date?: string;
  /** The date the revision was published, as GMT. Format: date-time. */
  date_gmt?: string;
  /** The globally unique identifier for the post. */
  guid?: {
    /** GUID for the post, transformed for display. */
    rendered?: string;
  };
  /** Unique identifier for the revision. */
  id?: number;
  /** The date the revision was last modified, in the site's timezone. Format: date-time. */
  modified?: string;
  /** The date the revision was last modified, as GMT. Format: date-time. */
  modified_gmt?: string;
  /** The ID for the parent of the revision. */
  parent?: number;
  /** An alphanumeric identifier for the revision unique to its type. */
  slug?: string;
  /** The title for the post. */
  title?: {
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The content for the post. */
  content?: {
    /** HTML content for the post, transformed for display. */
    rendered?: string;
    /** Whether the content is protected with a password. */
    protected?: boolean;
  };
  /** The excerpt for the post. */
  excerpt?: {
    /** HTML excerpt for the post, transformed for display. */
    rendered?: string;
    /** Whether the excerpt is protected with a password. */
    protected?: boolean;
  };
  /** Meta fields. */
  meta?: {
    /** @default "" */
    footnotes?: string;
  };
}

export interface PageRevisionEdit {
  /** The ID for the author of the revision. */
  author?: number;
  /** The date the revision was published, in the site's timezone. Format: date-time. */
  date?: string;
  /** The date the revision was published, as GMT. Format: date-time. */
  date_gmt?: string;
  /** The globally unique identifier for the post. */
  guid?: {
    /** GUID for the post, as it exists in the database. */
    raw?: string;
    /** GUID for the post, transformed for display. */
    rendered?: string;
  };
  /** Unique identifier for the revision. */
  id?: number;
  /** The date the revision was last modified, in the site's timezone. Format: date-time. */
  modified?: string;
  /** The date the revision was last modified, as GMT. Format: date-time. */
  modified_gmt?: string;
  /** The ID for the parent of the revision. */
  parent?: number;
  /** An alphanumeric identifier for the revision unique to its type. */
  slug?: string;
  /** The title for the post. */
  title?: {
    /** Title for the post, as it exists in the database. */
    raw?: string;
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The content for the post. */
  content?: {
    /** Content for the post, as it exists in the database. */
    raw?: string;
    /** HTML content for the post, transformed for display. */
    rendered?: string;
    /** Version of the content block format used by the post. */
    block_version?: number;
    /** Whether the content is protected with a password. */
    protected?: boolean;
  };
  /** The excerpt for the post. */
  excerpt?: {
    /** Excerpt for the post, as it exists in the database. */
    raw?: string;
    /** HTML excerpt for the post, transformed for display. */
    rendered?: string;
    /** Whether the excerpt is protected with a password. */
    protected?: boolean;
  };
  /** Meta fields. */
  meta?: {
    /** @default "" */
    footnotes?: string;
  };
}

export interface PageRevisionEmbed {
  /** The ID for the author of the revision. */
  author?: number;
  /** The date the revision was published, in the site's timezone. Format: date-time. */
  date?: string;
  /** Unique identifier for the revision. */
  id?: number;
  /** The ID for the parent of the revision. */
  parent?: number;
  /** An alphanumeric identifier for the revision unique to its type. */
  slug?: string;
  /** The title for the post. */
  title?: {
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The excerpt for the post. */
  excerpt?: {
    /** HTML excerpt for the post, transformed for display. */
    rendered?: string;
    /** Whether the excerpt is protected with a password. */
    protected?: boolean;
  };
}

export interface Post {
  /** The date the post was published, in the site's timezone. Format: date-time. */
  date?: string | null;
  /** The date the post was published, as GMT. Format: date-time. */
  date_gmt?: string | null;
  /** The globally unique identifier for the post. */
  guid?: {
    /** GUID for the post, transformed for display. */
    rendered?: string;
  };
  /** Unique identifier for the post. */
  id?: number;
  /** URL to the post. Format: uri. */
  link?: string;
  /** The date the post was last modified, in the site's timezone. Format: date-time. */
  modified?: string;
  /** The date the post was last modified, as GMT. Format: date-time. */
  modified_gmt?: string;
  /** An alphanumeric identifier for the post unique to its type. */
  slug?: string;
  /** A named status for the post. */
  status?: "publish" | "future" | "draft" | "pending" | "private" | "trash";
  /** Type of post. */
  type?: string;
  /** An array of the class names for the post container element. */
  class_list?: string[];
  /** The title for the post. */
  title?: {
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The content for the post. */
  content?: {
    /** HTML content for the post, transformed for display. */
    rendered?: string;
    /** Whether the content is protected with a password. */
    protected?: boolean;
  };
  /** The ID for the author of the post. */
  author?: number;
  /** The excerpt for the post. */
  excerpt?: {
    /** HTML excerpt for the post, transformed for display. */
    rendered?: string;
    /** Whether the excerpt is protected with a password. */
    protected?: boolean;
  };
  /** The ID of the featured media for the post. */
  featured_media?: number;
  /** Whether or not comments are open on the post. */
  comment_status?: "open" | "closed";
  /** Whether or not the post can be pinged. */
  ping_status?: "open" | "closed";
  /** The format for the post. */
  format?:
    | "standard"
    | "aside"
    | "chat"
    | "gallery"
    | "link"
    | "image"
    | "quote"
    | "status"
    | "video"
    | "audio";
  /** Meta fields. */
  meta?: {
    /** @default "" */
    footnotes?: string;
  };
  /** Whether or not the post should be treated as sticky. */
  sticky?: boolean;
  /** The theme file to use to display the post. */
  template?: string;
  /** The terms assigned to the post in the category taxonomy. */
  categories?: number[];
  /** The terms assigned to the post in the post_tag taxonomy. */
  tags?: number[];
}

export interface PostAutosaveEdit {
  /** The ID for the author of the revision. */
  author?: number;
  /** The date the revision was published, in the site's timezone. Format: date-time. */
  date?: string;
  /** The date the revision was published, as GMT. Format: date-time. */
  date_gmt?: string;
  /** The globally unique identifier for the post. */
  guid?: {
    /** GUID for the post, as it exists in the database. */
    raw?: string;
    /** GUID for the post, transformed for display. */
    rendered?: string;
  };
  /** Unique identifier for the revision. */
  id?: number;
  /** The date the revision was last modified, in the site's timezone. Format: date-time. */
  modified?: string;
  /** The date the revision was last modified, as GMT. Format: date-time. */
  modified_gmt?: string;
  /** The ID for the parent of the revision. */
  parent?: number;
  /** An alphanumeric identifier for the revision unique to its type. */
  slug?: string;
  /** The title for the post. */
  title?: {
    /** Title for the post, as it exists in the database. */
    raw?: string;
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The content for the post. */
  content?: {
    /** Content for the post, as it exists in the database. */
    raw?: string;
    /** HTML content for the post, transformed for display. */
    rendered?: string;
    /** Version of the content block format used by the post. */
    block_version?: number;
    /** Whether the content is protected with a password. */
    protected?: boolean;
  };
  /** The excerpt for the post. */
  excerpt?: {
    /** Excerpt for the post, as it exists in the database. */
    raw?: string;
    /** HTML excerpt for the post, transformed for display. */
    rendered?: string;
    /** Whether the excerpt is protected with a password. */
    protected?: boolean;
  };
  /** Meta fields. */
  meta?: {
    /** @default "" */
    footnotes?: string;
  };
  /** Preview link for the post. Format: uri. */
  preview_link?: string;
}

export interface PostEdit {
  /** The date the post was published, in the site's timezone. Format: date-time. */
  date?: string | null;
  /** The date the post was published, as GMT. Format: date-time. */
  date_gmt?: string | null;
  /** The globally unique identifier for the post. */
  guid?: {
    /** GUID for the post, as it exists in the database. */
    raw?: string;
    /** GUID for the post, transformed for display. */
    rendered?: string;
  };
  /** Unique identifier for the post. */
  id?: number;
  /** URL to the post. Format: uri. */
  link?: string;
  /** The date the post was last modified, in the site's timezone. Format: date-time. */
  modified?: string;
  /** The date the post was last modified, as GMT. Format: date-time. */
  modified_gmt?: string;
  /** An alphanumeric identifier for the post unique to its type. */
  slug?: string;
  /** A named status for the post. */
  status?: "publish" | "future" | "draft" | "pending" | "private" | "trash";
  /** Type of post. */
  type?: string;
  /** A password to protect access to the content and excerpt. */
  password?: string;
  /** Permalink template for the post. */
  permalink_template?: string;
  /** Slug automatically generated from the post title. */
  generated_slug?: string;
  /** An array of the class names for the post container element. */
  class_list?: string[];
  /** The title for the post. */
  title?: {
    /** Title for the post, as it exists in the database. */
    raw?: string;
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The content for the post. */
  content?: {
    /** Content for the post, as it exists in the database. */
    raw?: string;
    /** HTML content for the post, transformed for display. */
    rendered?: string;
    /** Version of the content block format used by the post. */
    block_version?: number;
    /** Whether the content is protected with a password. */
    protected?: boolean;
  };
  /** The ID for the author of the post. */
  author?: number;
  /** The excerpt for the post. */
  excerpt?: {
    /** Excerpt for the post, as it exists in the database. */
    raw?: string;
    /** HTML excerpt for the post, transformed for display. */
    rendered?: string;
    /** Whether the excerpt is protected with a password. */
    protected?: boolean;
  };
  /** The ID of the featured media for the post. */
  featured_media?: number;
  /** Whether or not comments are open on the post. */
  comment_status?: "open" | "closed";
  /** Whether or not the post can be pinged. */
  ping_status?: "open" | "closed";
  /** The format for the post. */
  format?:
    | "standard"
    | "aside"
    | "chat"
    | "gallery"
    | "link"
    | "image"
    | "quote"
    | "status"
    | "video"
    | "audio";
  /** Meta fields. */
  meta?: {
    /** @default "" */
    footnotes?: string;
  };
  /** Whether or not the post should be treated as sticky. */
  sticky?: boolean;
  /** The theme file to use to display the post. */
  template?: string;
  /** The terms assigned to the post in the category taxonomy. */
  categories?: number[];
  /** The terms assigned to the post in the post_tag taxonomy. */
  tags?: number[];
}

export interface PostEmbed {
  /** The date the post was published, in the site's timezone. Format: date-time. */
  date?: string | null;
  /** Unique identifier for the post. */
  id?: number;
  /** URL to the post. Format: uri. */
  link?: string;
  /** An alphanumeric identifier for the post unique to its type. */
  slug?: string;
  /** Type of post. */
  type?: string;
  /** The title for the post. */
  title?: {
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The ID for the author of the post. */
  author?: number;
  /** The excerpt for the post. */
  excerpt?: {
    /** HTML excerpt for the post, transformed for display. */
    rendered?: string;
    /** Whether the excerpt is protected with a password. */
    protected?: boolean;
  };
  /** The ID of the featured media for the post. */
  featured_media?: number;
}

export interface PostProcessMediaBody {
  action: "create-image-subsizes";
}

export interface PostRevision {
  /** The ID for the author of the revision. */
  author?: number;
  /** The date the revision was published, in the site's timezone. Format: date-time. */
  date?: string;
  /** The date the revision was published, as GMT. Format: date-time. */
  date_gmt?: string;
  /** The globally unique identifier for the post. */
  guid?: {
    /** GUID for the post, transformed for display. */
    rendered?: string;
  };
  /** Unique identifier for the revision. */
  id?: number;
  /** The date the revision was last modified, in the site's timezone. Format: date-time. */
  modified?: string;
  /** The date the revision was last modified, as GMT. Format: date-time. */
  modified_gmt?: string;
  /** The ID for the parent of the revision. */
  parent?: number;
  /** An alphanumeric identifier for the revision unique to its type. */
  slug?: string;
  /** The title for the post. */
  title?: {
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The content for the post. */
  content?: {
    /** HTML content for the post, transformed for display. */
    rendered?: string;
    /** Whether the content is protected with a password. */
    protected?: boolean;
  };
  /** The excerpt for the post. */
  excerpt?: {
    /** HTML excerpt for the post, transformed for display. */
    rendered?: string;
    /** Whether the excerpt is protected with a password. */
    protected?: boolean;
  };
  /** Meta fields. */
  meta?: {
    /** @default "" */
    footnotes?: string;
  };
}

export interface PostRevisionEdit {
  /** The ID for the author of the revision. */
  author?: number;
  /** The date the revision was published, in the site's timezone. Format: date-time. */
  date?: string;
  /** The date the revision was published, as GMT. Format: date-time. */
  date_gmt?: string;
  /** The globally unique identifier for the post. */
  guid?: {
    /** GUID for the post, as it exists in the database. */
    raw?: string;
    /** GUID for the post, transformed for display. */
    rendered?: string;
  };
  /** Unique identifier for the revision. */
  id?: number;
  /** The date the revision was last modified, in the site's timezone. Format: date-time. */
  modified?: string;
  /** The date the revision was last modified, as GMT. Format: date-time. */
  modified_gmt?: string;
  /** The ID for the parent of the revision. */
  parent?: number;
  /** An alphanumeric identifier for the revision unique to its type. */
  slug?: string;
  /** The title for the post. */
  title?: {
    /** Title for the post, as it exists in the database. */
    raw?: string;
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The content for the post. */
  content?: {
    /** Content for the post, as it exists in the database. */
    raw?: string;
    /** HTML content for the post, transformed for display. */
    rendered?: string;
    /** Version of the content block format used by the post. */
    block_version?: number;
    /** Whether the content is protected with a password. */
    protected?: boolean;
  };
  /** The excerpt for the post. */
  excerpt?: {
    /** Excerpt for the post, as it exists in the database. */
    raw?: string;
    /** HTML excerpt for the post, transformed for display. */
    rendered?: string;
    /** Whether the excerpt is protected with a password. */
    protected?: boolean;
  };
  /** Meta fields. */
  meta?: {
    /** @default "" */
    footnotes?: string;
  };
}

export interface PostRevisionEmbed {
  /** The ID for the author of the revision. */
  author?: number;
  /** The date the revision was published, in the site's timezone. Format: date-time. */
  date?: string;
  /** Unique identifier for the revision. */
  id?: number;
  /** The ID for the parent of the revision. */
  parent?: number;
  /** An alphanumeric identifier for the revision unique to its type. */
  slug?: string;
  /** The title for the post. */
  title?: {
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The excerpt for the post. */
  excerpt?: {
    /** HTML excerpt for the post, transformed for display. */
    rendered?: string;
    /** Whether the excerpt is protected with a password. */
    protected?: boolean;
  };
}

export interface RunBatchBody {
  /** @default "normal" */
  validation?: "require-all-validate" | "normal";
  /** At most 25 items. */
  requests: {
    /** @default "POST" */
    method?: "POST" | "PUT" | "PATCH" | "DELETE";
    path: string;
    body?: { [k: string]: unknown };
    headers?: { [k: string]: string | string[] };
  }[];
}

export interface UpdateMediaBody {
  /** The date the post was published, in the site's timezone. Format: date-time. */
  date?: string | null;
  /** The date the post was published, as GMT. Format: date-time. */
  date_gmt?: string | null;
  /** An alphanumeric identifier for the post unique to its type. */
  slug?: string;
  /** A named status for the post. */
  status?: "publish" | "future" | "draft" | "pending" | "private";
  /** The title for the post. */
  title?: {
    /** Title for the post, as it exists in the database. */
    raw?: string;
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The ID for the author of the post. */
  author?: number;
  /** The ID of the featured media for the post. */
  featured_media?: number;
  /** Whether or not comments are open on the post. */
  comment_status?: "open" | "closed";
  /** Whether or not the post can be pinged. */
  ping_status?: "open" | "closed";
  /** Meta fields. */
  meta?: { [k: string]: unknown };
  /** The theme file to use to display the post. */
  template?: string;
  /** Alternative text to display when attachment is not displayed. */
  alt_text?: string;
  /** The attachment caption. */
  caption?: {
    /** Caption for the attachment, as it exists in the database. */
    raw?: string;
    /** HTML caption for the attachment, transformed for display. */
    rendered?: string;
  };
  /** The attachment description. */
  description?: {
    /** Description for the attachment, as it exists in the database. */
    raw?: string;
    /** HTML description for the attachment, transformed for display. */
    rendered?: string;
  };
  /** The ID for the associated post of the attachment. */
  post?: number;
}

export interface UpdatePageBody {
  /** The date the post was published, in the site's timezone. Format: date-time. */
  date?: string | null;
  /** The date the post was published, as GMT. Format: date-time. */
  date_gmt?: string | null;
  /** An alphanumeric identifier for the post unique to its type. */
  slug?: string;
  /** A named status for the post. */
  status?: "publish" | "future" | "draft" | "pending" | "private";
  /** A password to protect access to the content and excerpt. */
  password?: string;
  /** The ID for the parent of the post. */
  parent?: number;
  /** The title for the post. */
  title?: {
    /** Title for the post, as it exists in the database. */
    raw?: string;
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The content for the post. */
  content?: {
    /** Content for the post, as it exists in the database. */
    raw?: string;
    /** HTML content for the post, transformed for display. */
    rendered?: string;
    /** Version of the content block format used by the post. */
    block_version?: number;
    /** Whether the content is protected with a password. */
    protected?: boolean;
  };
  /** The ID for the author of the post. */
  author?: number;
  /** The excerpt for the post. */
  excerpt?: {
    /** Excerpt for the post, as it exists in the database. */
    raw?: string;
    /** HTML excerpt for the post, transformed for display. */
    rendered?: string;
    /** Whether the excerpt is protected with a password. */
    protected?: boolean;
  };
  /** The ID of the featured media for the post. */
  featured_media?: number;
  /** Whether or not comments are open on the post. */
  comment_status?: "open" | "closed";
  /** Whether or not the post can be pinged. */
  ping_status?: "open" | "closed";
  /** The order of the post in relation to other posts. */
  menu_order?: number;
  /** Meta fields. */
  meta?: {
    /** @default "" */
    footnotes?: string;
  };
  /** The theme file to use to display the post. */
  template?: string;
}

export interface UpdatePostBody {
  /** The date the post was published, in the site's timezone. Format: date-time. */
  date?: string | null;
  /** The date the post was published, as GMT. Format: date-time. */
  date_gmt?: string | null;
  /** An alphanumeric identifier for the post unique to its type. */
  slug?: string;
  /** A named status for the post. */
  status?: "publish" | "future" | "draft" | "pending" | "private";
  /** A password to protect access to the content and excerpt. */
  password?: string;
  /** The title for the post. */
  title?: {
    /** Title for the post, as it exists in the database. */
    raw?: string;
    /** HTML title for the post, transformed for display. */
    rendered?: string;
  };
  /** The content for the post. */
  content?: {
    /** Content for the post, as it exists in the database. */
    raw?: string;
    /** HTML content for the post, transformed for display. */
    rendered?: string;
    /** Version of the content block format used by the post. */
    block_version?: number;
    /** Whether the content is protected with a password. */
    protected?: boolean;
  };
  /** The ID for the author of the post. */
  author?: number;
  /** The excerpt for the post. */
  excerpt?: {
    /** Excerpt for the post, as it exists in the database. */
    raw?: string;
    /** HTML excerpt for the post, transformed for display. */
    rendered?: string;
    /** Whether the excerpt is protected with a password. */
    protected?: boolean;
  };
  /** The ID of the featured media for the post. */
  featured_media?: number;
  /** Whether or not comments are open on the post. */
  comment_status?: "open" | "closed";
  /** Whether or not the post can be pinged. */
  ping_status?: "open" | "closed";
  /** The format for the post. */
  format?:
    | "standard"
    | "aside"
    | "chat"
    | "gallery"
    | "link"
    | "image"
    | "quote"
    | "status"
    | "video"
    | "audio";
  /** Meta fields. */
  meta?: {
    /** @default "" */
    footnotes?: string;
  };
  /** Whether or not the post should be treated as sticky. */
  sticky?: boolean;
  /** The theme file to use to display the post. */
  template?: string;
  /** The terms assigned to the post in the category taxonomy. */
  categories?: number[];
  /** The terms assigned to the post in the post_tag taxonomy. */
  tags?: number[];
}

export interface V1Cancellation {
  /** How many uploads were cancelled. */
  cancelled?: number;
  /** How many uploads of the user still wait. */
  remaining?: number;
}

// ── Operations ───────────────────────────────────────────────────────────────────────────────────

export interface operations {
  /**
   * Get the index
   *
   * `GET /`
   */
  getIndex: {
    parameters: { query?: GetIndexQuery; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      /** What the site answers; its index does not say what. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": unknown };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Run a batch
   *
   * `POST /batch/v1`
   */
  runBatch: {
    parameters: { query?: RunBatchQuery; header?: never; path?: never; cookie?: never };
    requestBody?: {
      content: {
        "application/json": RunBatchBody;
        "application/x-www-form-urlencoded": RunBatchBody;
      };
    };
    responses: {
      /** One answer for each request, in their order. */
      207: {
        headers: { [k: string]: unknown };
        content: { "application/json": RunBatchResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get the index of oembed/1.0
   *
   * `GET /oembed/1.0`
   */
  getOembed10Index: {
    parameters: { query?: GetOembed10IndexQuery; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      /** What the site answers; its index does not say what. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": unknown };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get the embed
   *
   * `GET /oembed/1.0/embed`
   */
  getOembed10Embed: {
    parameters: { query: GetOembed10EmbedQuery; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      /** What the site answers; its index does not say what. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": unknown };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get the proxy
   *
   * `GET /oembed/1.0/proxy`
   */
  getOembed10Proxy: {
    parameters: { query: GetOembed10ProxyQuery; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      /** What the site answers; its index does not say what. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": unknown };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get the index of ext-a/v1
   *
   * `GET /ext-a/v1`
   */
  getExtAV1Index: {
    parameters: { query?: GetExtAV1IndexQuery; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      /** What the site answers; its index does not say what. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": unknown };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update the upload (PUT)
   *
   * `PUT /ext-a/v1/upload`
   */
  putExtAV1Upload: {
    parameters: { query?: PutExtAV1UploadQuery; header?: never; path?: never; cookie?: never };
    requestBody?: {
      content: {
        "application/json": PutExtAV1UploadBody;
        "application/x-www-form-urlencoded": PutExtAV1UploadBody;
        "multipart/form-data": AnyFields & { [k: string]: unknown };
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": PutExtAV1UploadResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Upload
   *
   * `POST /ext-a/v1/upload`
   */
  uploadExtAV1: {
    parameters: { query?: UploadExtAV1Query; header?: never; path?: never; cookie?: never };
    requestBody?: {
      content: {
        "application/json": UploadExtAV1Body;
        "application/x-www-form-urlencoded": UploadExtAV1Body;
        "multipart/form-data": AnyFields & { [k: string]: unknown };
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UploadExtAV1Response };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create admin access
   *
   * `POST /ext-a/v1/admin-access`
   */
  createExtAV1AdminAccess: {
    parameters: {
      query?: CreateExtAV1AdminAccessQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreateExtAV1AdminAccessBody;
        "application/x-www-form-urlencoded": CreateExtAV1AdminAccessBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateExtAV1AdminAccessResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get admin access
   *
   * `GET /ext-a/v1/admin-access/{nonce}`
   */
  getExtAV1AdminAccess: {
    parameters: {
      query?: GetExtAV1AdminAccessQuery;
      header?: never;
      path: GetExtAV1AdminAccessPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetExtAV1AdminAccessResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Run an ability
   *
   * `POST /ext-a/v1/abilities/{namespace}/{ability}/run`
   */
  runExtAV1Ability: {
    parameters: {
      query?: RunExtAV1AbilityQuery;
      header?: never;
      path: RunExtAV1AbilityPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": RunExtAV1AbilityResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Discover visual safe backend tools
   *
   * `POST /ext-a/v1/visual-safe-backend-tools/discover`
   */
  discoverExtAV1VisualSafeBackendTools: {
    parameters: {
      query?: DiscoverExtAV1VisualSafeBackendToolsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": DiscoverExtAV1VisualSafeBackendToolsBody;
        "application/x-www-form-urlencoded": DiscoverExtAV1VisualSafeBackendToolsBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": DiscoverExtAV1VisualSafeBackendToolsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Call visual safe backend tools
   *
   * `POST /ext-a/v1/visual-safe-backend-tools/call`
   */
  callExtAV1VisualSafeBackendTools: {
    parameters: {
      query?: CallExtAV1VisualSafeBackendToolsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CallExtAV1VisualSafeBackendToolsBody;
        "application/x-www-form-urlencoded": CallExtAV1VisualSafeBackendToolsBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CallExtAV1VisualSafeBackendToolsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get chat status
   *
   * `GET /ext-a/v1/chat/status`
   */
  getExtAV1ChatStatus: {
    parameters: { query?: GetExtAV1ChatStatusQuery; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetExtAV1ChatStatusResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List chat sessions
   *
   * `GET /ext-a/v1/chat/sessions`
   */
  listExtAV1ChatSessions: {
    parameters: {
      query?: ListExtAV1ChatSessionsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ListExtAV1ChatSessionsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create a chat session
   *
   * `POST /ext-a/v1/chat/sessions`
   */
  createExtAV1ChatSession: {
    parameters: {
      query?: CreateExtAV1ChatSessionQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreateExtAV1ChatSessionBody;
        "application/x-www-form-urlencoded": CreateExtAV1ChatSessionBody;
      };
    };
    responses: {
      /** What was created. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateExtAV1ChatSessionResponse };
      };
      /** What was created. */
      201: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateExtAV1ChatSessionResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get a chat session
   *
   * `GET /ext-a/v1/chat/sessions/{id}`
   */
  getExtAV1ChatSession: {
    parameters: {
      query?: GetExtAV1ChatSessionQuery;
      header?: never;
      path: GetExtAV1ChatSessionPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetExtAV1ChatSessionResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update a chat session (PUT)
   *
   * `PUT /ext-a/v1/chat/sessions/{id}`
   */
  putExtAV1ChatSession: {
    parameters: {
      query?: PutExtAV1ChatSessionQuery;
      header?: never;
      path: PutExtAV1ChatSessionPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": PutExtAV1ChatSessionBody;
        "application/x-www-form-urlencoded": PutExtAV1ChatSessionBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": PutExtAV1ChatSessionResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update a chat session
   *
   * `POST /ext-a/v1/chat/sessions/{id}`
   */
  updateExtAV1ChatSession: {
    parameters: {
      query?: UpdateExtAV1ChatSessionQuery;
      header?: never;
      path: UpdateExtAV1ChatSessionPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UpdateExtAV1ChatSessionBody;
        "application/x-www-form-urlencoded": UpdateExtAV1ChatSessionBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdateExtAV1ChatSessionResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Delete a chat session
   *
   * `DELETE /ext-a/v1/chat/sessions/{id}`
   */
  deleteExtAV1ChatSession: {
    parameters: {
      query?: DeleteExtAV1ChatSessionQuery;
      header?: never;
      path: DeleteExtAV1ChatSessionPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was deleted, or moved to the trash. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": DeleteExtAV1ChatSessionResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update a chat session (PATCH)
   *
   * `PATCH /ext-a/v1/chat/sessions/{id}`
   */
  patchExtAV1ChatSession: {
    parameters: {
      query?: PatchExtAV1ChatSessionQuery;
      header?: never;
      path: PatchExtAV1ChatSessionPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": PatchExtAV1ChatSessionBody;
        "application/x-www-form-urlencoded": PatchExtAV1ChatSessionBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": PatchExtAV1ChatSessionResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create a chat model step
   *
   * `POST /ext-a/v1/chat/model-step`
   */
  createExtAV1ChatModelStep: {
    parameters: {
      query?: CreateExtAV1ChatModelStepQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreateExtAV1ChatModelStepBody;
        "application/x-www-form-urlencoded": CreateExtAV1ChatModelStepBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateExtAV1ChatModelStepResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List chat tools
   *
   * `GET /ext-a/v1/chat/tools`
   */
  listExtAV1ChatTools: {
    parameters: { query?: ListExtAV1ChatToolsQuery; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ListExtAV1ChatToolsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List chat models
   *
   * `GET /ext-a/v1/chat/models`
   */
  listExtAV1ChatModels: {
    parameters: {
      query?: ListExtAV1ChatModelsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ListExtAV1ChatModelsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create chat consent
   *
   * `POST /ext-a/v1/chat/consent`
   */
  createExtAV1ChatConsent: {
    parameters: {
      query?: CreateExtAV1ChatConsentQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreateExtAV1ChatConsentBody;
        "application/x-www-form-urlencoded": CreateExtAV1ChatConsentBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateExtAV1ChatConsentResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Execute chat tools
   *
   * `POST /ext-a/v1/chat/tools/execute`
   */
  executeExtAV1ChatTools: {
    parameters: {
      query?: ExecuteExtAV1ChatToolsQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": ExecuteExtAV1ChatToolsBody;
        "application/x-www-form-urlencoded": ExecuteExtAV1ChatToolsBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ExecuteExtAV1ChatToolsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create a chat approval
   *
   * `POST /ext-a/v1/chat/approvals`
   */
  createExtAV1ChatApproval: {
    parameters: {
      query?: CreateExtAV1ChatApprovalQuery;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreateExtAV1ChatApprovalBody;
        "application/x-www-form-urlencoded": CreateExtAV1ChatApprovalBody;
      };
    };
    responses: {
      /** What was created. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateExtAV1ChatApprovalResponse };
      };
      /** What was created. */
      201: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateExtAV1ChatApprovalResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get the index of v1
   *
   * `GET /v1`
   */
  getV1Index: {
    parameters: { query?: GetV1IndexQuery; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      /** What the site answers; its index does not say what. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": unknown };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Cancel the fm
   *
   * `POST /v1/fm/cancel`
   */
  cancelV1Fm: {
    parameters: { query?: CancelV1FmQuery; header?: never; path?: never; cookie?: never };
    requestBody?: {
      content: {
        "application/json": CancelV1FmBody;
        "application/x-www-form-urlencoded": CancelV1FmBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CancelV1FmResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get the index of ai/v1
   *
   * `GET /ai/v1`
   */
  getAiV1Index: {
    parameters: { query?: GetAiV1IndexQuery; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      /** What the site answers; its index does not say what. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": unknown };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List providers
   *
   * `GET /ai/v1/providers`
   */
  listAiV1Providers: {
    parameters: { query: ListAiV1ProvidersQuery; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      /** Success. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ListAiV1ProvidersResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get the index of core/v2
   *
   * `GET /core/v2`
   */
  getCoreV2Index: {
    parameters: { query?: GetCoreV2IndexQuery; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      /** What the site answers; its index does not say what. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": unknown };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List posts
   *
   * `GET /core/v2/posts`
   */
  listPosts: {
    parameters: { query?: ListPostsQuery; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      /** Success. In other contexts: `edit`: PostEdit, `embed`: PostEmbed. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListPostsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create a post
   *
   * `POST /core/v2/posts`
   */
  createPost: {
    parameters: { query?: CreatePostQuery; header?: never; path?: never; cookie?: never };
    requestBody?: {
      content: {
        "application/json": CreatePostBody;
        "application/x-www-form-urlencoded": CreatePostBody;
      };
    };
    responses: {
      /** What was created. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreatePostResponse };
      };
      /** What was created. */
      201: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreatePostResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get a post
   *
   * `GET /core/v2/posts/{id}`
   */
  getPost: {
    parameters: { query?: GetPostQuery; header?: never; path: GetPostPath; cookie?: never };
    requestBody?: never;
    responses: {
      /** Success. In other contexts: `edit`: PostEdit, `embed`: PostEmbed. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetPostResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update a post (PUT)
   *
   * `PUT /core/v2/posts/{id}`
   */
  putPost: {
    parameters: { query?: PutPostQuery; header?: never; path: PutPostPath; cookie?: never };
    requestBody?: {
      content: {
        "application/json": PutPostBody;
        "application/x-www-form-urlencoded": PutPostBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": PutPostResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update a post
   *
   * `POST /core/v2/posts/{id}`
   */
  updatePost: {
    parameters: { query?: UpdatePostQuery; header?: never; path: UpdatePostPath; cookie?: never };
    requestBody?: {
      content: {
        "application/json": UpdatePostBody;
        "application/x-www-form-urlencoded": UpdatePostBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdatePostResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Delete a post
   *
   * `DELETE /core/v2/posts/{id}`
   */
  deletePost: {
    parameters: { query?: DeletePostQuery; header?: never; path: DeletePostPath; cookie?: never };
    requestBody?: never;
    responses: {
      /** What was deleted, or moved to the trash. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": DeletePostResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update a post (PATCH)
   *
   * `PATCH /core/v2/posts/{id}`
   */
  patchPost: {
    parameters: { query?: PatchPostQuery; header?: never; path: PatchPostPath; cookie?: never };
    requestBody?: {
      content: {
        "application/json": PatchPostBody;
        "application/x-www-form-urlencoded": PatchPostBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": PatchPostResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List post revisions
   *
   * `GET /core/v2/posts/{parent}/revisions`
   */
  listPostRevisions: {
    parameters: {
      query?: ListPostRevisionsQuery;
      header?: never;
      path: ListPostRevisionsPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. In other contexts: `edit`: PostRevisionEdit, `embed`: PostRevisionEmbed. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListPostRevisionsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get a post revision
   *
   * `GET /core/v2/posts/{parent}/revisions/{id}`
   */
  getPostRevision: {
    parameters: {
      query?: GetPostRevisionQuery;
      header?: never;
      path: GetPostRevisionPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. In other contexts: `edit`: PostRevisionEdit, `embed`: PostRevisionEmbed. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetPostRevisionResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Delete a post revision
   *
   * `DELETE /core/v2/posts/{parent}/revisions/{id}`
   */
  deletePostRevision: {
    parameters: {
      query?: DeletePostRevisionQuery;
      header?: never;
      path: DeletePostRevisionPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was deleted, or moved to the trash. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": DeletePostRevisionResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List post autosaves
   *
   * `GET /core/v2/posts/{id}/autosaves`
   */
  listPostAutosaves: {
    parameters: {
      query?: ListPostAutosavesQuery;
      header?: never;
      path: ListPostAutosavesPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. In other contexts: `edit`: PostAutosaveEdit, `embed`: PostRevisionEmbed. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ListPostAutosavesResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create a post autosave
   *
   * `POST /core/v2/posts/{id}/autosaves`
   */
  createPostAutosave: {
    parameters: {
      query?: CreatePostAutosaveQuery;
      header?: never;
      path: CreatePostAutosavePath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreatePostAutosaveBody;
        "application/x-www-form-urlencoded": CreatePostAutosaveBody;
      };
    };
    responses: {
      /** What was created. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreatePostAutosaveResponse };
      };
      /** What was created. */
      201: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreatePostAutosaveResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get a post autosave
   *
   * `GET /core/v2/posts/{parent}/autosaves/{id}`
   */
  getPostAutosave: {
    parameters: {
      query?: GetPostAutosaveQuery;
      header?: never;
      path: GetPostAutosavePath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. In other contexts: `edit`: PostAutosaveEdit, `embed`: PostRevisionEmbed. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetPostAutosaveResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List pages
   *
   * `GET /core/v2/pages`
   */
  listPages: {
    parameters: { query?: ListPagesQuery; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      /** Success. In other contexts: `edit`: PageEdit, `embed`: PageEmbed. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListPagesResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create a page
   *
   * `POST /core/v2/pages`
   */
  createPage: {
    parameters: { query?: CreatePageQuery; header?: never; path?: never; cookie?: never };
    requestBody?: {
      content: {
        "application/json": CreatePageBody;
        "application/x-www-form-urlencoded": CreatePageBody;
      };
    };
    responses: {
      /** What was created. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreatePageResponse };
      };
      /** What was created. */
      201: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreatePageResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get a page
   *
   * `GET /core/v2/pages/{id}`
   */
  getPage: {
    parameters: { query?: GetPageQuery; header?: never; path: GetPagePath; cookie?: never };
    requestBody?: never;
    responses: {
      /** Success. In other contexts: `edit`: PageEdit, `embed`: PageEmbed. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetPageResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update a page (PUT)
   *
   * `PUT /core/v2/pages/{id}`
   */
  putPage: {
    parameters: { query?: PutPageQuery; header?: never; path: PutPagePath; cookie?: never };
    requestBody?: {
      content: {
        "application/json": PutPageBody;
        "application/x-www-form-urlencoded": PutPageBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": PutPageResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update a page
   *
   * `POST /core/v2/pages/{id}`
   */
  updatePage: {
    parameters: { query?: UpdatePageQuery; header?: never; path: UpdatePagePath; cookie?: never };
    requestBody?: {
      content: {
        "application/json": UpdatePageBody;
        "application/x-www-form-urlencoded": UpdatePageBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdatePageResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Delete a page
   *
   * `DELETE /core/v2/pages/{id}`
   */
  deletePage: {
    parameters: { query?: DeletePageQuery; header?: never; path: DeletePagePath; cookie?: never };
    requestBody?: never;
    responses: {
      /** What was deleted, or moved to the trash. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": DeletePageResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update a page (PATCH)
   *
   * `PATCH /core/v2/pages/{id}`
   */
  patchPage: {
    parameters: { query?: PatchPageQuery; header?: never; path: PatchPagePath; cookie?: never };
    requestBody?: {
      content: {
        "application/json": PatchPageBody;
        "application/x-www-form-urlencoded": PatchPageBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": PatchPageResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List page revisions
   *
   * `GET /core/v2/pages/{parent}/revisions`
   */
  listPageRevisions: {
    parameters: {
      query?: ListPageRevisionsQuery;
      header?: never;
      path: ListPageRevisionsPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. In other contexts: `edit`: PageRevisionEdit, `embed`: PageRevisionEmbed. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListPageRevisionsResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get a page revision
   *
   * `GET /core/v2/pages/{parent}/revisions/{id}`
   */
  getPageRevision: {
    parameters: {
      query?: GetPageRevisionQuery;
      header?: never;
      path: GetPageRevisionPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. In other contexts: `edit`: PageRevisionEdit, `embed`: PageRevisionEmbed. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetPageRevisionResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Delete a page revision
   *
   * `DELETE /core/v2/pages/{parent}/revisions/{id}`
   */
  deletePageRevision: {
    parameters: {
      query?: DeletePageRevisionQuery;
      header?: never;
      path: DeletePageRevisionPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was deleted, or moved to the trash. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": DeletePageRevisionResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List page autosaves
   *
   * `GET /core/v2/pages/{id}/autosaves`
   */
  listPageAutosaves: {
    parameters: {
      query?: ListPageAutosavesQuery;
      header?: never;
      path: ListPageAutosavesPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. In other contexts: `edit`: PageAutosaveEdit, `embed`: PageRevisionEmbed. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": ListPageAutosavesResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create a page autosave
   *
   * `POST /core/v2/pages/{id}/autosaves`
   */
  createPageAutosave: {
    parameters: {
      query?: CreatePageAutosaveQuery;
      header?: never;
      path: CreatePageAutosavePath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": CreatePageAutosaveBody;
        "application/x-www-form-urlencoded": CreatePageAutosaveBody;
      };
    };
    responses: {
      /** What was created. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreatePageAutosaveResponse };
      };
      /** What was created. */
      201: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreatePageAutosaveResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get a page autosave
   *
   * `GET /core/v2/pages/{parent}/autosaves/{id}`
   */
  getPageAutosave: {
    parameters: {
      query?: GetPageAutosaveQuery;
      header?: never;
      path: GetPageAutosavePath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Success. In other contexts: `edit`: PageAutosaveEdit, `embed`: PageRevisionEmbed. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetPageAutosaveResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * List media
   *
   * `GET /core/v2/media`
   */
  listMedia: {
    parameters: { query?: ListMediaQuery; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      /** Success. In other contexts: `edit`: AttachmentEdit, `embed`: AttachmentEmbed. */
      200: {
        headers: {
          /** At least 0. */
          "X-WP-Total"?: number;
          /** At least 0. */
          "X-WP-TotalPages"?: number;
          Link?: string;
          [k: string]: unknown;
        };
        content: { "application/json": ListMediaResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Create media
   *
   * `POST /core/v2/media`
   */
  createMedia: {
    parameters: { query?: CreateMediaQuery; header?: never; path?: never; cookie?: never };
    requestBody?: {
      content: {
        "application/json": CreateMediaBody;
        "application/x-www-form-urlencoded": CreateMediaBody;
        "multipart/form-data": CreateMediaBody & { file?: Bytes };
        "*/*": Bytes;
      };
    };
    responses: {
      /** What was created. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateMediaResponse };
      };
      /** What was created. */
      201: {
        headers: { [k: string]: unknown };
        content: { "application/json": CreateMediaResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Get media
   *
   * `GET /core/v2/media/{id}`
   */
  getMedia: {
    parameters: { query?: GetMediaQuery; header?: never; path: GetMediaPath; cookie?: never };
    requestBody?: never;
    responses: {
      /** Success. In other contexts: `edit`: AttachmentEdit, `embed`: AttachmentEmbed. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": GetMediaResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update media (PUT)
   *
   * `PUT /core/v2/media/{id}`
   */
  putMedia: {
    parameters: { query?: PutMediaQuery; header?: never; path: PutMediaPath; cookie?: never };
    requestBody?: {
      content: {
        "application/json": PutMediaBody;
        "application/x-www-form-urlencoded": PutMediaBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": PutMediaResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update media
   *
   * `POST /core/v2/media/{id}`
   */
  updateMedia: {
    parameters: {
      query?: UpdateMediaQuery;
      header?: never;
      path: UpdateMediaPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": UpdateMediaBody;
        "application/x-www-form-urlencoded": UpdateMediaBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": UpdateMediaResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Delete media
   *
   * `DELETE /core/v2/media/{id}`
   */
  deleteMedia: {
    parameters: {
      query?: DeleteMediaQuery;
      header?: never;
      path: DeleteMediaPath;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What was deleted, or moved to the trash. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": DeleteMediaResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Update media (PATCH)
   *
   * `PATCH /core/v2/media/{id}`
   */
  patchMedia: {
    parameters: { query?: PatchMediaQuery; header?: never; path: PatchMediaPath; cookie?: never };
    requestBody?: {
      content: {
        "application/json": PatchMediaBody;
        "application/x-www-form-urlencoded": PatchMediaBody;
      };
    };
    responses: {
      /** What was changed, as it is now. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": PatchMediaResponse };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Post process media
   *
   * `POST /core/v2/media/{id}/post-process`
   */
  postProcessMedia: {
    parameters: {
      query?: PostProcessMediaQuery;
      header?: never;
      path: PostProcessMediaPath;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": PostProcessMediaBody;
        "application/x-www-form-urlencoded": PostProcessMediaBody;
      };
    };
    responses: {
      /** What the site answers; its index does not say what. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": unknown };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
  /**
   * Edit media
   *
   * `POST /core/v2/media/{id}/edit`
   */
  editMedia: {
    parameters: { query?: EditMediaQuery; header?: never; path: EditMediaPath; cookie?: never };
    requestBody?: {
      content: {
        "application/json": EditMediaBody;
        "application/x-www-form-urlencoded": EditMediaBody;
      };
    };
    responses: {
      /** What the site answers; its index does not say what. */
      200: {
        headers: { [k: string]: unknown };
        content: { "application/json": unknown };
      };
      "4XX": components["responses"]["Error"];
      "5XX": components["responses"]["Error"];
    };
  };
}

// ── Components ───────────────────────────────────────────────────────────────────────────────────

export interface components {
  schemas: {
    AiV1AiProvider: AiV1AiProvider;
    AnyFields: AnyFields;
    Attachment: Attachment;
    AttachmentEdit: AttachmentEdit;
    AttachmentEmbed: AttachmentEmbed;
    BatchResult: BatchResult;
    CreateMediaBody: CreateMediaBody;
    CreatePageAutosaveBody: CreatePageAutosaveBody;
    CreatePageBody: CreatePageBody;
    CreatePostAutosaveBody: CreatePostAutosaveBody;
    CreatePostBody: CreatePostBody;
    DeletedAttachment: DeletedAttachment;
    DeletedExtAV1ChatSession: DeletedExtAV1ChatSession;
    DeletedPage: DeletedPage;
    DeletedPageRevision: DeletedPageRevision;
    DeletedPost: DeletedPost;
    DeletedPostRevision: DeletedPostRevision;
    EditMediaBody: EditMediaBody;
    Error: Error;
    ExtAV1AbilityRun: ExtAV1AbilityRun;
    ExtAV1AdminAccess: ExtAV1AdminAccess;
    ExtAV1AdminAccessGrant: ExtAV1AdminAccessGrant;
    ExtAV1ChatApproval: ExtAV1ChatApproval;
    ExtAV1ChatConsent: ExtAV1ChatConsent;
    ExtAV1ChatModel: ExtAV1ChatModel;
    ExtAV1ChatSession: ExtAV1ChatSession;
    ExtAV1ChatStatus: ExtAV1ChatStatus;
    ExtAV1ChatStep: ExtAV1ChatStep;
    ExtAV1ChatTool: ExtAV1ChatTool;
    ExtAV1ChatToolResult: ExtAV1ChatToolResult;
    ExtAV1ToolCall: ExtAV1ToolCall;
    ExtAV1ToolDiscovery: ExtAV1ToolDiscovery;
    ExtAV1Upload: ExtAV1Upload;
    Page: Page;
    PageAutosaveEdit: PageAutosaveEdit;
    PageEdit: PageEdit;
    PageEmbed: PageEmbed;
    PageRevision: PageRevision;
    PageRevisionEdit: PageRevisionEdit;
    PageRevisionEmbed: PageRevisionEmbed;
    Post: Post;
    PostAutosaveEdit: PostAutosaveEdit;
    PostEdit: PostEdit;
    PostEmbed: PostEmbed;
    PostProcessMediaBody: PostProcessMediaBody;
    PostRevision: PostRevision;
    PostRevisionEdit: PostRevisionEdit;
    PostRevisionEmbed: PostRevisionEmbed;
    RunBatchBody: RunBatchBody;
    UpdateMediaBody: UpdateMediaBody;
    UpdatePageBody: UpdatePageBody;
    UpdatePostBody: UpdatePostBody;
    V1Cancellation: V1Cancellation;
  };
  responses: {
    /** The request was refused or failed. */
    Error: {
      headers: { [k: string]: unknown };
      content: { "application/json": Error };
    };
  };
  parameters: {
    _embed: string[];
    _envelope: string;
    _fields: string[];
    _locale: string;
  };
  requestBodies: never;
  headers: {
    Link: string;
    "X-WP-Total": number;
    "X-WP-TotalPages": number;
  };
  pathItems: never;
}
