/** How the client authenticates. Credentials are sent to the origin of `baseUrl` only; `fetch` of browsers decides about redirects. */
export type ClientAuth =
  /** An application password (`Authorization: Basic`). Cookies are then not sent, because WordPress prefers them. */
  | { readonly username: string; readonly password: string }
  /** `cookieAuth({ nonce })`, or credentials that have to be refreshed. */
  | Authenticator
  /** Adds credentials to the request, or returns another request. Called last, for each attempt. */
  | ((request: Request) => HookResult<Request>);

/** Adds credentials to requests, and repeats a request whose credentials have expired. */
export interface Authenticator {
  /** Whether the platform sends cookies. @default its default */
  readonly credentials?: 'include' | 'omit' | undefined;
  readonly authenticate: (request: Request) => HookResult<Request>;
  /** Reads each response. Returns whether the request should be sent again, once, because its credentials have been replaced. */
  readonly shouldRepeat?: ((request: Request, response: Response) => Promise<boolean>) | undefined;
}

/** Fields that are sent with a request. */
export type ClientHeaders =
  | Headers
  | Readonly<Record<string, string>>
  | readonly (readonly [string, string])[];

/** The attempt of a call that a hook belongs to. */
export interface ClientCall {
  readonly request: Request;
  readonly method: string;
  /** The path template: `/wp/v2/posts/{id}`. */
  readonly path: string;
  /** The options of the call, with `extra` in its query or body. */
  readonly options: Omit<CallOptions, 'path' | 'query'> & {
    readonly path?: unknown;
    readonly query?: unknown;
  };
  /** Ends the call. */
  readonly signal: AbortSignal | undefined;
}

/** A hook returns nothing, or a replacement. */
// biome-ignore lint/suspicious/noConfusingVoidType: hooks are functions without a return statement
export type HookResult<Value> = Value | undefined | void | Promise<Value | undefined | void>;

/** Hooks around each attempt of a call: `around` and `onRequest` in the order of the list, the others in reverse order. */
export interface Middleware {
  /** Runs before the credentials are added. Can replace the request. */
  onRequest?(call: ClientCall): HookResult<Request>;
  /** Can replace the response. A hook that reads the body must read a clone. */
  onResponse?(call: ClientCall & { readonly response: Response }): HookResult<Response>;
  /**
   * Runs the attempt with all hooks, for what must happen before and after it in any case, such as a queue. Can run it again, or
   * return another result: without a response, `error.source` is `network`.
   */
  around?(call: Omit<ClientCall, 'request'>, attempt: () => Promise<RawResult>): Promise<RawResult>;
}

/** Options that a client has for all calls, and that a call can replace. */
export interface SharedOptions {
  /** Additional header fields. Those of the call replace those of the client. */
  readonly headers?: ClientHeaders | undefined;
  /**
   * Aborts the calls, which then reject with the reason of the signal. If client and call have a signal, either aborts. That of
   * `AbortSignal.timeout()` gives the error `network_timeout` instead.
   */
  readonly signal?: AbortSignal | undefined;
  /** Repeats `GET` and `HEAD`: `retry(3)`; `retry(0)` does not. @default none */
  readonly retries?: RetryPolicy | undefined;
  /** Throw an `ApiError` instead of returning `error`. @default false */
  readonly throw?: boolean | undefined;
  /**
   * Further options of `fetch`: `cache`, `keepalive`, `next` of Next.js. Members of the call, and of its `next`, replace those of
   * the client.
   */
  readonly init?: FetchInit | undefined;
}

/** Options of `fetch` that the client does not state itself. Platforms add their own, such as `next` or `cf`. */
export interface FetchInit {
  /** `fetch` would take these in place of those of the request. */
  readonly headers?: never;
  readonly signal?: never;
  readonly cache?: 'default' | 'force-cache' | 'no-cache' | 'no-store' | 'only-if-cached' | 'reload';
  readonly credentials?: 'include' | 'omit' | 'same-origin';
  readonly keepalive?: boolean;
  readonly priority?: 'auto' | 'high' | 'low';
  /** The cache of Next.js. `cacheTags` gives tags of an operation. */
  readonly next?: {
    /** Seconds after which the response is requested again. */
    readonly revalidate?: number | false;
    readonly tags?: string[];
  };
  readonly [option: string]: unknown;
}

/** Options of `createClient`. */
export interface ClientOptions extends SharedOptions {
  /** The REST root: `https://example.com/wp-json`, or `https://example.com/?rest_route=/` on sites without permalinks. */
  readonly baseUrl: string;
  readonly auth?: ClientAuth | undefined;
  /** Replaces the platform's `fetch`. `init` has the members of the option `init`, if there are any. */
  readonly fetch?: ((request: Request, init?: RequestInit) => Promise<Response>) | undefined;
  readonly middleware?: readonly Middleware[] | undefined;
  /**
   * Whose data it is, in the keys of queries. With the same name on a server and in the browser, the browser uses what the server has
   * read. Sites of several hosts need one each. @default the path of `baseUrl`, with the user of an application password
   */
  readonly scope?: string | undefined;
}

/** A file to upload. */
export type UploadFile =
  | (Blob & { readonly name: string })
  | {
      readonly name: string;
      readonly content: Blob | ArrayBuffer | ArrayBufferView;
      readonly type?: string | undefined;
    };

/** A body with a file that the program has made itself: a form, or the bytes of a file that `Content-Disposition` names. */
export type UploadBody = FormData | Blob | ArrayBuffer | ArrayBufferView | ReadableStream;

/** Bytes of the request body that were sent, of `total`. */
export interface UploadProgress {
  readonly loaded: number;
  readonly total: number;
}

/** Options of a call. */
export interface CallOptions extends SharedOptions {
  /** Values of the path template. */
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  /** Sent in PHP's query grammar; `null` and `undefined` are left out. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Arguments that the site takes although its index does not declare them. No type checks them. They are fields of the body of
   * `POST`, `PUT` and `PATCH`; otherwise, and beside a body that is sent as it is, of the query.
   */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
  /** Fields as JSON, or as `multipart/form-data` if one is a file; a string, `Blob`, buffer or `FormData` is sent as it is. */
  readonly body?: unknown;
  /** `form` sends the fields in PHP's form grammar (`application/x-www-form-urlencoded`). @default 'json' */
  readonly bodyType?: 'json' | 'form' | undefined;
  /** Sent as the part `file` of a `multipart/form-data` body, after the fields of `body`. */
  readonly file?: UploadFile | undefined;
  /** Sends the request in place of the client's `fetch`: `withProgress(report)`. */
  readonly send?: RequestSender | undefined;
}

/** Sends the request of a call, and repeats it where that can help. @param signal ends the call */
export type RetryPolicy = (
  send: () => Promise<RawResult>,
  signal: AbortSignal | undefined,
) => Promise<RawResult>;

/**
 * Sends a request.
 * @param next sends it by the client's `fetch`
 * @param content the body that the client has made, unless a hook has replaced the request
 */
export type RequestSender = (
  request: Request,
  next: (request: Request) => Promise<Response>,
  content: unknown,
) => Promise<Response>;

/** An error, with the same members whoever found it. */
export interface ResponseError {
  /**
   * `site`: WordPress or a plugin; `gateway`: `application/problem+json`; `client`: a response that does not come from a REST
   * interface; `network`: no complete response.
   */
  readonly source: 'site' | 'gateway' | 'client' | 'network';
  /** The site's code (`rest_invalid_param`; a number becomes a string), a {@link ClientErrorCode} or a {@link NetworkErrorCode}. */
  readonly code: string;
  readonly message: string;
  /** The status of the response; 0 with the source `network`. */
  readonly status: number;
  /** The error's `data`: what the code adds, and these members in one form for each code. */
  readonly data: ErrorData;
  readonly additional_errors?: readonly {
    readonly code: string;
    readonly message: string;
    readonly data?: unknown;
  }[];
  /** With the source `network`: what the transport threw. */
  readonly cause?: unknown;
}

/** The data of an error. */
export interface ErrorData {
  readonly status: number;
  /**
   * A text for each parameter that is invalid (`rest_invalid_param`) or missing (`rest_missing_callback_param`), by its name.
   * Empty with other codes.
   */
  readonly params: Readonly<Record<string, string>>;
  /** With the source `client`: the beginning of the body. */
  readonly excerpt?: string;
  /** With the code `term_exists`: the term that has the name. */
  readonly term_id?: number;
  /** Members that the error code adds. */
  readonly [member: string]: unknown;
}

/** Codes of errors with the source `network`. */
export type NetworkErrorCode =
  /** The site cannot be reached, or the connection was lost before the end of the response. */
  | 'network_failure'
  /** A signal of `AbortSignal.timeout()` ended the call. */
  | 'network_timeout';

/** Codes of errors with the source `client`. */
export type ClientErrorCode =
  /** An HTML page: of a login, of maintenance, of the web server. Also with a success status. */
  | 'client_html_response'
  /** The body is not the JSON that its media type or the operation promises: PHP notices before it, truncated, or a text. */
  | 'client_invalid_json'
  /** An error status without a body, as every error of `HEAD`; or a success without the body that the operation promises. */
  | 'client_empty_response'
  /** An error status with a body that has no code. */
  | 'client_unknown_error'
  /** The site redirected a write, which was not repeated, because `fetch` would make a `GET` of it; or a read 20 times. */
  | 'client_redirected'
  /** The request of a batch was not run, or the site sent no response to it. */
  | 'client_batch_skipped'
  /** `paginate` received something other than a list. */
  | 'client_not_a_list';

/** The outcome of a call. */
export interface RawResult {
  readonly data?: unknown;
  readonly error?: ResponseError;
  /** `undefined` with an error of the source `network`. */
  readonly response: Response | undefined;
  /** Items on all pages (`X-WP-Total`). */
  readonly total?: number;
  readonly totalPages?: number;
}

type RawCall = (path: string, options?: CallOptions) => Promise<RawResult>;

/** The client without the types of a site. */
export interface RawClient {
  readonly GET: RawCall;
  readonly POST: RawCall;
  readonly PUT: RawCall;
  readonly PATCH: RawCall;
  readonly DELETE: RawCall;
  readonly HEAD: RawCall;
  request(method: string, path: string, options?: CallOptions): Promise<RawResult>;
  /** Returns path and query of a request below the REST root: `/wp/v2/posts/5?force=true`. */
  route(path: string, options?: Pick<CallOptions, 'path' | 'query'>): string;
  /** A function, so that a client in a log shows no credentials. */
  settings(): ClientOptions;
}

/** Data that the generator writes for the client. */
export interface ClientEnvironment {
  /** Parameters whose values can contain `/`: a template and a name, or what stands before them in all templates with it. */
  readonly slashes: readonly string[];
  /** Parameters of the query that are texts of several values, separated by commas: `/wc/v3/products tag`. */
  readonly commas: readonly string[];
}
