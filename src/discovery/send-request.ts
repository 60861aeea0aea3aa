import { isHttpUrl, stripUserinfoAndFragment } from './address.ts';
import { type Deadline, withAbort } from './deadline.ts';
import { describeNetworkError, type FailureReason, type FetchFailure } from './failures.ts';
import type { DiscoverySettings } from './options.ts';
import { discardBody, readLimitedBody } from './read-body.ts';
import type { DiscoveryHeaders } from './request-headers.ts';

/** A response with its body, which `truncateHtml` may have truncated. */
export interface FetchedResponse {
  /** The URL that sent the response, after all redirects. */
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly bodyBytes: Uint8Array;
}

/** Options of one request. */
export interface DiscoveryRequestOptions {
  readonly method?: 'GET' | 'OPTIONS';
  /** Reads only the first MiB of an HTML page. */
  readonly truncateHtml?: boolean;
}

/** One request of the discovery, without the redirects that follow. */
export interface OutgoingRequest {
  readonly url: URL;
  /** Whether the secret headers are sent with the request. */
  readonly sendsSecrets: boolean;
}

/** The headers, settings and deadline that all requests of one discovery share. */
export interface DiscoverySendContext {
  readonly headers: DiscoveryHeaders;
  readonly settings: DiscoverySettings;
  /** Deadline of the whole discovery. */
  readonly discoveryDeadline: Deadline;
}

/** The result of one request. */
export type DiscoverySendResult =
  | { readonly kind: 'response'; readonly response: FetchedResponse }
  | { readonly kind: 'failure'; readonly failure: FetchFailure }
  | { readonly kind: 'redirect'; readonly to: URL };

/** Maximum number of bytes read of a page. A page names its root index in `<head>`. */
const MAX_PAGE_BYTES = 1024 * 1024;

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Sends one request and reads the response. Network errors, timeouts and oversized bodies become failures.
 *
 * @throws the reason of `settings.signal` when that signal aborts
 */
export async function sendRequest(
  request: OutgoingRequest,
  options: DiscoveryRequestOptions,
  context: DiscoverySendContext,
  deadline: Deadline,
): Promise<DiscoverySendResult> {
  const { url } = request;
  const { fetch, signal: callerSignal } = context.settings;
  const { signal } = deadline;
  let status: number | undefined;
  try {
    const method = options.method ?? 'GET';
    const headers = toFetchHeaders(context.headers, request.sendsSecrets);
    const response = await withAbort(
      fetch(url.href, { method, headers, redirect: 'manual', signal }),
      signal,
    );
    status = response.status;
    return REDIRECT_STATUSES.has(status)
      ? await readRedirect(response, url)
      : await readResponse(response, url, options, context, signal);
  } catch (error) {
    callerSignal?.throwIfAborted();
    return describeError(error, url, status, context, deadline);
  }
}

function toFetchHeaders({ publicHeaders, secretHeaders }: DiscoveryHeaders, sendsSecrets: boolean): Headers {
  const headers = new Headers();
  for (const [name, value] of publicHeaders) headers.set(name, value);
  if (sendsSecrets) for (const [name, value] of secretHeaders) headers.set(name, value);
  return headers;
}

async function readRedirect(response: Response, url: URL): Promise<DiscoverySendResult> {
  await discardBody(response);
  const to = readLocation(response, url);
  return to === undefined
    ? toFailure('bad-redirect', url, `returned ${response.status} without a usable Location`)
    : { kind: 'redirect', to };
}

async function readResponse(
  response: Response,
  url: URL,
  options: DiscoveryRequestOptions,
  { settings: { maxBytes } }: DiscoverySendContext,
  signal: AbortSignal,
): Promise<DiscoverySendResult> {
  const { status, headers } = response;
  const truncate = options.truncateHtml === true && /html/i.test(headers.get('content-type') ?? '');
  const limit = { maxBytes: truncate ? Math.min(MAX_PAGE_BYTES, maxBytes) : maxBytes, truncate };
  const body = await readLimitedBody(response, limit, signal);
  if (body.kind === 'read') {
    return { kind: 'response', response: { url, status, headers, bodyBytes: body.bytes } };
  }
  const size = body.declaredBytes === undefined ? '' : ` of ${body.declaredBytes} bytes`;
  return toFailure(
    'too-large',
    url,
    `returned ${status} with a body${size}, which is over the limit of ${maxBytes} bytes`,
  );
}

/** @param status The status of the response if its header section was received. */
function describeError(
  error: unknown,
  url: URL,
  status: number | undefined,
  { settings, discoveryDeadline }: DiscoverySendContext,
  deadline: Deadline,
): DiscoverySendResult {
  const received = status === undefined ? '' : `returned ${status} and then `;
  if (discoveryDeadline.hasPassed()) {
    const limit = `the ${settings.timeout} ms limit of the whole discovery`;
    return toFailure('timeout', url, `${received}did not finish within ${limit}`);
  }
  if (deadline.hasPassed()) {
    return toFailure('timeout', url, `${received}did not finish within ${settings.requestTimeout} ms`);
  }
  const { reason, description } = describeNetworkError(error);
  // A connection that is lost after the header section truncates the response.
  const isTruncated = reason === 'connection-lost' && status !== undefined;
  return toFailure(isTruncated ? 'truncated' : reason, url, received + description);
}

function toFailure(reason: FailureReason, url: URL, description: string): DiscoverySendResult {
  return { kind: 'failure', failure: { reason, url: url.href, description } };
}

/** Reads `Location` (RFC 9110 §10.2.2) without its credentials. Returns `undefined` if it is not an http or https URL. */
function readLocation(response: Response, base: URL): URL | undefined {
  const location = response.headers.get('location');
  if (location === null || !URL.canParse(location, base)) return undefined;
  const url = stripUserinfoAndFragment(new URL(location, base));
  return isHttpUrl(url) ? url : undefined;
}
