import type { ErrorCode } from './operations.ts';
import type { Text } from './response-data.ts';

/** Authentication of a client. Credentials are sent only to the origin of `baseUrl`. */
export type ClientAuth =
  /** Application password (`Authorization: Basic`), sent without cookies. */
  | { readonly username: string; readonly password: string }
  /** `cookieAuth({ nonce })`, or credentials that have to be refreshed. */
  | Authenticator
  /** Adds credentials to each request, or returns another one. */
  | ((request: Request) => HookResult<Request>);

/** Adds and renews credentials. */
export interface Authenticator {
  /** Whether the platform sends cookies. @default its default */
  readonly credentials?: 'include' | 'omit' | undefined;
  readonly authenticate: (request: Request) => HookResult<Request>;
  /** Returns whether to send the request again, once, with new credentials. */
  readonly shouldRepeat?: ((request: Request, response: Response) => Promise<boolean>) | undefined;
}

/** Header fields to send with a request. */
export type ClientHeaders =
  | Headers
  | Readonly<Record<string, string>>
  | readonly (readonly [string, string])[];

/** Attempt of a call, as hooks see it. */
export interface ClientCall {
  readonly request: Request;
  readonly method: string;
  /** Path template: `/wp/v2/posts/{id}`. */
  readonly path: string;
  /** Options of the call, with `extra` in its query or body. */
  readonly options: Omit<CallOptions, 'path' | 'query'> & {
    readonly path?: unknown;
    readonly query?: unknown;
  };
  readonly signal: AbortSignal | undefined;
}

/** A hook returns nothing, or a replacement. */
// biome-ignore lint/suspicious/noConfusingVoidType: hooks are functions without a return statement
export type HookResult<Value> = Value | undefined | void | Promise<Value | undefined | void>;

/** Hooks around each attempt: `around` and `onRequest` in the order of the list, others in reverse. */
export interface Middleware {
  /** Can replace the request, before credentials are added. */
  onRequest?(call: ClientCall): HookResult<Request>;
  /** Can replace the response. A hook that reads the body must read a clone. */
  onResponse?(call: ClientCall & { readonly response: Response }): HookResult<Response>;
  /** Wraps the attempt and its hooks, e.g. in a queue. Can repeat or replace it. */
  around?(call: Omit<ClientCall, 'request'>, attempt: () => Promise<RawResult>): Promise<RawResult>;
}

/** Options of a client for all calls, which a call can replace. */
export interface SharedOptions {
  /** Additional header fields. Those of a call replace the client's. */
  readonly headers?: ClientHeaders | undefined;
  /** Aborts calls, which reject with its reason; `AbortSignal.timeout()` gives the error `network_timeout`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds after which an attempt ends, with the error `network_timeout`; 0 and `Infinity` for no limit. Repetitions have the
   * same time again. @default no limit
   */
  readonly timeout?: number | undefined;
  /** Repeats `GET`: `retry(3)`; `retry(0)` doesn't repeat a call. @default none */
  readonly retries?: RetryPolicy | undefined;
  /** Throw an `ApiError` instead of returning `error`. @default false */
  readonly throw?: boolean | undefined;
  /** Further options of `fetch`: `cache`, `keepalive`, `next` of Next.js; merged with the client's. */
  readonly init?: FetchInit | undefined;
}

/** Further options of `fetch`, also a platform's own, such as `next` or `cf`. */
export interface FetchInit {
  /** `fetch` would take these in place of the request's. */
  readonly headers?: never;
  readonly signal?: never;
  readonly cache?: 'default' | 'force-cache' | 'no-cache' | 'no-store' | 'only-if-cached' | 'reload';
  readonly credentials?: 'include' | 'omit' | 'same-origin';
  readonly keepalive?: boolean;
  readonly priority?: 'auto' | 'high' | 'low';
  /** Cache of Next.js. `cacheTags` gives tags of an operation. */
  readonly next?: {
    /** Seconds after which the response is requested again. */
    readonly revalidate?: number | false;
    readonly tags?: string[];
  };
  readonly [option: string]: unknown;
}

/** Options of `createClient`. */
export interface ClientOptions extends SharedOptions {
  /** REST root: `https://example.com/wp-json`, or `https://example.com/?rest_route=/` without permalinks. */
  readonly baseUrl: string;
  readonly auth?: ClientAuth | undefined;
  /** Replaces the platform's `fetch`; `init` has the members of the option `init`. */
  readonly fetch?: ((request: Request, init?: RequestInit) => Promise<Response>) | undefined;
  readonly middleware?: readonly Middleware[] | undefined;
  /**
   * Owner of the data in the keys of queries, the same on a server and in the browser.
   * @default the path of `baseUrl`, with the user of an application password
   */
  readonly scope?: string | undefined;
}

/** File to upload. */
export type UploadFile =
  | (Blob & { readonly name: string })
  | {
      readonly name: string;
      readonly content: Blob | ArrayBuffer | ArrayBufferView;
      readonly type?: string | undefined;
    }
  /** A file of the device, in React Native. */
  | { readonly name: string; readonly uri: string; readonly type?: string | undefined };

/** Body that is sent as it is: a form, or a file's bytes, which `Content-Disposition` names. */
export type UploadBody = FormData | Blob | ArrayBuffer | ArrayBufferView | StreamBody;

/** `ReadableStream`, which would make the body `any` where the platform's types lack it. */
export interface StreamBody {
  getReader(): unknown;
}

/** Options of a call. */
export interface CallOptions extends SharedOptions {
  /** Values of the path template. */
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  /** Sent in PHP's query grammar; `null` and `undefined` are left out. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Arguments that the site's index doesn't declare, unchecked: fields of the body of a write, else of the
   * query.
   */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Fields as JSON, or as `multipart/form-data` if one is a file; a string, `Blob`, buffer or `FormData` as
   * it is.
   */
  readonly body?: unknown;
  /** `form` sends `application/x-www-form-urlencoded` in PHP's grammar. @default 'json' */
  readonly bodyType?: 'json' | 'form' | undefined;
  /** Sent as the part `file` of a `multipart/form-data` body, after the fields of `body`. */
  readonly file?: UploadFile | undefined;
}

/** Repeats the request of a call if that can help. @param signal ends the call */
export type RetryPolicy = (
  send: () => Promise<RawResult>,
  signal: AbortSignal | undefined,
) => Promise<RawResult>;

/** Error with the same members from any source. */
export interface ResponseError {
  /**
   * `gateway`: `application/problem+json`; `client`: not a REST response; `network`: no complete response.
   */
  readonly source: 'site' | 'gateway' | 'client' | 'network';
  /** Code of the site (`rest_invalid_param`), {@link ClientErrorCode} or {@link NetworkErrorCode}. */
  readonly code: string;
  readonly message: string;
  /** Status of the response; 0 with the source `network`. */
  readonly status: number;
  /** The error's `data`, with the same members for each code. */
  readonly data: ErrorData;
  readonly additional_errors?: readonly {
    readonly code: string;
    readonly message: string;
    readonly data?: unknown;
  }[];
  /** Parsed body of an error without a code, e.g. `{ title: { required: '…' } }` of a plugin. */
  readonly body?: unknown;
  /** Error of the transport, with the source `network`. */
  readonly cause?: unknown;
}

/** Data of an error. */
export interface ErrorData {
  readonly status: number;
  /** Texts by invalid or missing parameter. */
  readonly params: Readonly<Record<string, string>>;
  /** Beginning of the body, with the source `client`. */
  readonly excerpt?: string;
  /** Existing term of the name, with the code `term_exists`. */
  readonly term_id?: number;
  readonly [member: string]: unknown;
}

/** Codes of errors with the source `network`. */
export type NetworkErrorCode =
  /** The site can't be reached, or the connection was lost. */
  | 'network_failure'
  /** The option `timeout`, or a signal of `AbortSignal.timeout()`, ended the call. */
  | 'network_timeout';

/** Codes of errors with the source `client`. */
export type ClientErrorCode =
  /** An HTML page, e.g. of a login or of maintenance, even with a success status. */
  | 'client_html_response'
  /** PHP notices before the JSON, truncated JSON, or a text. */
  | 'client_invalid_json'
  /** An error without a body, or a success without the promised body. */
  | 'client_empty_response'
  /** An error status and a body without a code. */
  | 'client_unknown_error'
  /** The site redirected a write, which `fetch` would make a `GET`, or a read 20 times. */
  | 'client_redirected'
  /** The request of a batch was not run, or got no response. */
  | 'client_batch_skipped'
  /** `paginate` received something other than a list. */
  | 'client_not_a_list';

/** Error of WordPress, a plugin or the gateway. */
export interface RestError<Code extends string = ErrorCode> extends Omit<ResponseError, 'code' | 'cause'> {
  readonly source: 'site' | 'gateway';
  readonly code: Code | CommonCode | Text;
}

/** Response from something else than a REST interface, e.g. an HTML page. */
export interface ClientError extends Omit<ResponseError, 'code' | 'cause'> {
  readonly source: 'client';
  readonly code: ClientErrorCode;
}

/** Unreachable site, lost connection, or timeout. */
export interface NetworkError extends Omit<ResponseError, 'code'> {
  readonly source: 'network';
  readonly code: NetworkErrorCode;
  readonly status: 0;
}

/** Codes that WordPress sends for every route. */
export type CommonCode =
  | 'rest_invalid_param'
  | 'rest_missing_callback_param'
  | 'rest_no_route'
  | 'rest_forbidden'
  | 'rest_invalid_json'
  | 'rest_cookie_invalid_nonce'
  | 'rest_not_logged_in'
  | 'incorrect_password'
  | 'invalid_username';

/** Errors of an operation, discriminated by `source`. */
export type SiteError<Code extends string = ErrorCode> = RestError<Code> | ClientError | NetworkError;

/** Outcome of a call. */
export interface RawResult {
  readonly data?: unknown;
  readonly error?: ResponseError;
  /** `undefined` with an error of the source `network`. */
  readonly response: Response | undefined;
  /** Number of items on all pages (`X-WP-Total`). */
  readonly total?: number;
  readonly totalPages?: number;
}

type RawCall = (path: string, options?: CallOptions) => Promise<RawResult>;

/** Client without the types of a site. */
export interface RawClient {
  readonly GET: RawCall;
  readonly POST: RawCall;
  readonly PUT: RawCall;
  readonly PATCH: RawCall;
  readonly DELETE: RawCall;
  request(method: string, path: string, options?: CallOptions): Promise<RawResult>;
  /** Path and query of a request below the REST root: `/wp/v2/posts/5?force=true`. */
  route(path: string, options?: Pick<CallOptions, 'path' | 'query'>): string;
  /** A function, so that a client in a log shows no credentials. */
  settings(): ClientOptions;
}

export interface ClientEnvironment {
  /** Parameters whose values can contain `/`: template and name, or the common start of all templates. */
  readonly slashes: readonly string[];
  /** Query parameters that are a text with commas: `/wc/v3/products tag`. */
  readonly commas: readonly string[];
}
