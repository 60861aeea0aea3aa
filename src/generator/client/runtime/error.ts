import type { ClientErrorCode, RawResult, ResponseError } from './options-and-results.ts';

/** Maximum length of a body's excerpt in an error, in characters. */
const EXCERPT_LENGTH = 300;

export interface ApiError extends Omit<ResponseError, 'cause' | 'message'> {
  /** The error as data, which `structuredClone` keeps. */
  readonly cause: ResponseError;
  /** `undefined` with the source `network`. */
  readonly response: Response | undefined;
}

/** The error of a call with the option `throw`. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns the members
export class ApiError extends Error implements ResponseError {
  override readonly name = 'ApiError';

  constructor(error: ResponseError, response: Response | undefined) {
    super(error.message, { cause: error });
    // Node would print all header fields of the response, and the error twice.
    const inspect = () => `${this}\n    at ${this.code}, status ${this.status}`;
    Object.assign(this, error, { response, [Symbol.for('nodejs.util.inspect.custom')]: inspect });
  }

  toJSON(): ResponseError {
    return this.cause;
  }
}

/** Creates an error of the client itself. @param body is quoted in part */
export function createClientError(
  code: ClientErrorCode,
  text: string,
  status: number,
  body = '',
): ResponseError {
  // Only the beginning of the body is read, so that the work is bounded.
  const line = body.slice(0, 10 * EXCERPT_LENGTH).replace(/\s+/g, ' ');
  const excerpt = line.trim().slice(0, EXCERPT_LENGTH);
  const message = `${text.slice(0, EXCERPT_LENGTH)} (status ${status})`;
  const data = { status, params: {}, ...(excerpt && { excerpt }) };
  return { source: 'client', code, message, status, data };
}

export function createNetworkError(cause: unknown, method: string, url: string): ResponseError {
  const [code, text] = isTimeout(cause)
    ? ['network_timeout', 'The site did not respond in time']
    : ['network_failure', 'The site cannot be reached'];
  // Node says `fetch failed`; its cause `connect ECONNREFUSED` has a code only for several addresses.
  const declared = cause as NestedError | undefined;
  const { code: reasonCode = '', message: reason = '' } = declared?.cause ?? declared ?? {};
  // A query can have secrets; without permalinks it has the path. Deno's reason has the URL.
  const shown = `${method} ${url} (${reason || reasonCode})`.replace(/[?&](?!rest_route=)[^&\s)]*/g, '');
  const message = `${text}: ${shown}`;
  return { source: 'network', code, message, status: 0, data: { status: 0, params: {} }, cause };
}

interface NestedError {
  readonly name?: string;
  readonly message?: string;
  readonly code?: string;
  readonly cause?: NestedError;
}

export function isTimeout(reason: unknown): boolean {
  return (reason as NestedError | undefined)?.name === 'TimeoutError';
}

/** `AbortSignal.any` is missing in Safari before 17.4, and React Native. */
export function combineSignals(
  one?: AbortSignal,
  other?: AbortSignal,
): readonly [signal?: AbortSignal | undefined, release?: () => void] {
  if (!one || !other) return [one ?? other];
  if (AbortSignal.any) return [AbortSignal.any([one, other])];
  const abort = new AbortController();
  const end = () => abort.abort((one.aborted ? one : other).reason);
  const release = () => {
    one.removeEventListener('abort', end);
    other.removeEventListener('abort', end);
  };
  one.addEventListener('abort', end);
  other.addEventListener('abort', end);
  if (one.aborted || other.aborted) end();
  return [abort.signal, release];
}

export interface TimeLimit {
  readonly signal: AbortSignal | undefined;
  /** What has ended the attempt; `undefined` for an abort in React Native, whose signals have no reason. */
  readonly reason: () => unknown;
}

/** Runs an attempt. @param timeout milliseconds; from 2e9 on no limit, as timers end at 2^31 */
export async function limitTime<Result>(
  signal: AbortSignal | undefined,
  timeout = 0,
  run: (limit: TimeLimit) => Promise<Result>,
): Promise<Result> {
  const abort = new AbortController();
  let late: Error | undefined;
  const end = () => {
    late = Object.assign(new Error(`${timeout} ms`), { name: 'TimeoutError' });
    abort.abort(late);
  };
  const timer = timeout > 0 && timeout < 2e9 ? setTimeout(end, timeout) : undefined;
  const [combined, release] = combineSignals(signal, timer ? abort.signal : undefined);
  try {
    return await run({ signal: combined, reason: () => late ?? signal?.reason });
  } finally {
    clearTimeout(timer);
    release?.();
  }
}

/** Throws if the connection is lost. */
export async function readResult(response: Response): Promise<RawResult> {
  const { status, headers } = response;
  const fail = (code: ClientErrorCode, reason: string, body: string) => ({
    error: createClientError(code, reason, status, body),
    response,
  });
  if (isRedirect(response)) {
    const reason = 'Redirected: check the baseUrl.';
    return fail('client_redirected', reason, headers.get('location') ?? '');
  }
  const type = (headers.get('content-type') ?? '').toLowerCase();
  if (response.ok && !isText(type)) return { data: await response.blob(), response };
  const text = await response.text();
  const isHtml = type.includes('html');
  // WordPress sends the value null without content, as JSON.
  let value: unknown = text || null;
  if (!text && !(response.ok && (status === 204 || !isHtml)))
    return fail('client_empty_response', 'The response is empty.', text);
  // A web server can lose the media type of JSON.
  const statesJson = type.includes('json');
  if (text && (statesJson || isHtml || !type || /^\s*[[{]/.test(text))) {
    try {
      value = JSON.parse(text);
    } catch {
      if (isHtml) {
        const hint = status === 404 ? ': does the baseUrl end in /wp-json?' : '.';
        return fail('client_html_response', `The response is an HTML page${hint}`, text);
      }
      if (statesJson) return fail('client_invalid_json', 'The response is invalid JSON.', text);
    }
  }
  if (!response.ok) {
    const source = type.includes('problem+json') ? 'gateway' : 'site';
    return { error: readError(value, status, source), response };
  }
  return {
    data: value,
    response,
    ...readCount(headers, 'x-wp-total', 'total'),
    ...readCount(headers, 'x-wp-totalpages', 'totalPages'),
  };
}

export function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || /30[12378]/.test(`${status}`);
}

export function isText(type: string): boolean {
  return type === '' || /^text\/|[/+](?:json|xml|javascript)\b/.test(type);
}

/** Reads a WordPress error, or a problem document (RFC 9457). */
export function readError(value: unknown, status: number, source: 'site' | 'gateway'): ResponseError {
  const code = codeOf(value) ?? (source === 'gateway' ? 'problem' : undefined);
  if (!isRecord(value) || code === undefined) {
    const text = isString(value) ? value : JSON.stringify(value);
    const { data: inner, error: cause, errors, ...others } = isRecord(value) ? value : {};
    const message = [value, cause, errors, inner].map(messageOf).find(isString);
    // Texts by field have neither a message nor the outcome as a flag, or as the `status` of JSend.
    const areTexts = Object.values(others).every((member) => isString(member) || typeof member === 'object');
    const isByField = message === undefined && areTexts && !('status' in others);
    const params = readParams(errors ?? (isByField && others));
    const error = createClientError('client_unknown_error', '', status, text);
    const said = message?.slice(0, EXCERPT_LENGTH) ?? Object.values(params).join(' ');
    return { ...error, message: said || `Status ${status}`, data: { ...error.data, params }, body: value };
  }
  const declared = value['data'] ?? (source === 'gateway' && value);
  const data = isRecord(declared) ? declared : {};
  const additional = value['additional_errors'];
  return {
    source,
    code,
    message: messageOf(value) ?? messageOf(value['title']) ?? `Status ${status}`,
    status,
    data: { ...data, status, params: readParams(data['params'], true) },
    ...(Array.isArray(additional) && {
      additional_errors: additional.filter(isRecord).map((item) => {
        return { code: codeOf(item) ?? '', message: messageOf(item) ?? '', data: item['data'] };
      }),
    }),
  };
}

/**
 * `rest_invalid_param` has texts by name, `rest_missing_callback_param` a list of names, and validators of PHP
 * frameworks `{ title: { required: 'A title is needed.' } }`. PHP writes an empty object as a list, and a list with
 * gaps as an object. @param canBeNames whether a list has names
 */
function readParams(params: unknown, canBeNames = false): Readonly<Record<string, string>> {
  const entries = Object.entries(isString(params) ? {} : (params ?? {})).flatMap(([name, value]) => {
    const text = messageOf(value) ?? Object.values(value ?? {}).find(isString);
    if (text === undefined) return [];
    if (!/^\d+$/.test(name)) return [[name, text]];
    return canBeNames ? [[text, 'The parameter is missing.']] : [];
  });
  return Object.fromEntries(entries);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

/** Some plugins use numbers. */
function codeOf(value: unknown): string | undefined {
  const code = (value as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' || typeof code === 'number' ? String(code) : undefined;
}

/** A text, the message of an object, or the first of a list: `wp_send_json_error()` makes one of a `WP_Error`. */
function messageOf(value: unknown): string | undefined {
  const stated: unknown = Array.isArray(value) ? value[0] : value;
  if (!isRecord(stated)) return isString(stated) ? stated : undefined;
  return [stated['message'], stated['detail'], stated['error']].find(isString);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readCount(
  headers: Headers,
  field: string,
  name: 'total' | 'totalPages',
): Pick<RawResult, 'total' | 'totalPages'> {
  const value = headers.get(field) ?? '';
  return /^\d{1,15}$/.test(value) ? { [name]: Number(value) } : {};
}
