import type { Readable } from 'node:stream';
import { memoizeByString } from '../memoize.ts';

/** HTTP messages: heads, the port between the gateway and its transports, fields as flat lists name, value, and `Cache-Status`. */

/** A request to an origin, which transports send unchanged. */
export interface UpstreamRequest {
  readonly method: string;
  readonly target: string;
  /** Flat list name, value, without hop-by-hop fields. */
  readonly headers: string[];
  readonly body: Readable | Uint8Array | null;
  /** Whether it can be sent again although the site can have got it: a read (RFC 9110, 9.2.2). */
  readonly retryable: boolean;
}

export interface ResponseHead {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly string[];
  /** Fields in which the site tags and purges responses. @default they are in `headers` */
  readonly siteFields?: readonly string[];
  /** What the cache did, which becomes the field `Cache-Status`. */
  readonly cacheStatus?: CacheStatus;
}

export interface RepeatedResponse {
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  text?: string | null | undefined;
}

/** WHATWG Fetch, "null body status". */
export const NULL_BODY_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

/** The origin can have run an unsafe request all the same. */
export const GATEWAY_ERRORS: ReadonlySet<number> = new Set([502, 503, 504]);

export function isMaintenance({ headers, status }: ResponseHead): boolean {
  return status === 503 && hasField(headers, 'retry-after');
}

/**
 * Receives one response while it arrives.
 * - First comes `head` or `complete`; after `head` come `write` and `end`.
 * - Nothing comes after `complete`, `end`, `fail` or {@link Exchange.abort}.
 * - After `head` and `fail`, the sink must end the response as broken: it destroys the connection.
 */
export interface ResponseSink {
  head(head: ResponseHead): void;
  complete(head: ResponseHead, body: Uint8Array): void;
  /** @returns false if nothing was sent: call `complete` */
  completeStored?(status: number, response: RepeatedResponse, age: string, cacheStatus: CacheStatus): boolean;
  /** Copy what outlives the response. @returns false if the sink is full, until {@link Exchange.resume} */
  write(chunk: Uint8Array): boolean;
  end(): void;
  fail(failure: UpstreamFailure): void;
}

export function mapHead(
  sink: ResponseSink,
  map: (head: ResponseHead) => ResponseHead,
  onFail: (failure: UpstreamFailure) => void = (failure) => sink.fail(failure),
): ResponseSink {
  return {
    head: (head) => sink.head(map(head)),
    write: (chunk) => sink.write(chunk),
    end: () => sink.end(),
    fail: onFail,
    complete: (head, body) => sink.complete(map(head), body),
  };
}

/** Keeps a sink from throwing into a transport's parser, which would swallow the error. */
export class GuardedSink implements ResponseSink {
  readonly #sink: ResponseSink;
  readonly #onError: ((cause: unknown) => void) | undefined;

  /** @param onError tells the sink of a failure by default */
  constructor(sink: ResponseSink, onError?: (cause: unknown) => void) {
    this.#sink = sink;
    this.#onError = onError;
  }

  #crash(cause: unknown): void {
    if (this.#onError === undefined) this.#sink.fail({ kind: 'internal', cause });
    else this.#onError(cause);
  }

  head(head: ResponseHead): void {
    try {
      this.#sink.head(head);
    } catch (cause) {
      this.#crash(cause);
    }
  }

  complete(head: ResponseHead, body: Uint8Array): void {
    try {
      this.#sink.complete(head, body);
    } catch (cause) {
      this.#crash(cause);
    }
  }

  completeStored(...sent: Parameters<NonNullable<ResponseSink['completeStored']>>): boolean {
    try {
      return this.#sink.completeStored?.(...sent) ?? false;
    } catch (cause) {
      this.#crash(cause);
      return true;
    }
  }

  write(chunk: Uint8Array): boolean {
    try {
      return this.#sink.write(chunk);
    } catch (cause) {
      this.#crash(cause);
      return true;
    }
  }

  end(): void {
    try {
      this.#sink.end();
    } catch (cause) {
      this.#crash(cause);
    }
  }

  fail(failure: UpstreamFailure): void {
    try {
      this.#sink.fail(failure);
    } catch (cause) {
      this.#crash(cause);
    }
  }
}

export interface Exchange {
  resume(): void;
  abort(): void;
}

export type Dispatch = (request: UpstreamRequest, sink: ResponseSink) => Exchange;

export type UpstreamFailureKind =
  | 'timeout'
  | 'refused'
  | 'dns'
  | 'tls'
  /** The response can also be invalid, or the error of an unknown kind. */
  | 'connection-broken'
  | 'head-too-large'
  | 'invalid-request'
  | 'body-length-mismatch'
  | 'shutdown'
  | 'circuit-open'
  /** Too many requests wait for the origin: nothing was sent. */
  | 'overloaded'
  | 'not-stored'
  | 'client-gone'
  | 'internal';

export const NOT_SENT_KINDS: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  'circuit-open',
  'overloaded',
]);

export interface UpstreamFailure {
  readonly kind: UpstreamFailureKind;
  /** For the log only: it can name hosts and ports. */
  readonly cause?: unknown;
  readonly isUnsent?: boolean;
  readonly retryAfter?: number;
  /** Undefined if the cache was not asked. */
  readonly cacheStatus?: CacheStatus;
}

export function withFailure(
  { detail, ...status }: CacheStatus,
  failureKind: UpstreamFailureKind,
): CacheStatus {
  const failure = `failed ${failureKind}`;
  const explained = { detail: detail === undefined ? failure : `${detail}, ${failure}` };
  // RFC 9211 §2.2: `fwd` states that the request was forwarded.
  return NOT_SENT_KINDS.has(failureKind) ? explained : { ...status, ...explained };
}

export interface UpstreamTimeouts {
  /** Time until a connection accepts the request, with DNS, TCP and TLS. @default 10_000 */
  readonly connect: number;
  /** Time from the last byte of the request to the end of the response's head. @default 60_000 */
  readonly headers: number;
  /** Time between two chunks of the response's body while the sink is not full. @default 60_000 */
  readonly body: number;
}

export const DEFAULT_UPSTREAM_TIMEOUTS: UpstreamTimeouts = { connect: 10_000, headers: 60_000, body: 60_000 };

export interface RequestHead {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
}

export interface IncomingRequestHead extends RequestHead {
  readonly peerAddress: string;
  readonly protocol: 'http' | 'https';
  readonly httpVersion: string;
  /** Path of the app that mounts the gateway, such as `/api`. @default none */
  readonly prefix?: string;
}

/** RFC 9110 §9.2.1. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** All values, joined (RFC 9110 §5.3). @param name in lower case @param separator `; ` for `Cookie` */
export function fieldValue(headers: readonly string[], name: string, separator = ', '): string | undefined {
  let joined: string | undefined;
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const fieldName = headers[at] ?? '';
    if (fieldName.length !== name.length || fieldName.toLowerCase() !== name) continue;
    joined = joined === undefined ? (headers[at + 1] ?? '') : joined + separator + (headers[at + 1] ?? '');
  }
  return joined;
}

export function hasField(headers: readonly string[], name: string): boolean {
  return firstFieldValue(headers, name) !== undefined;
}

export function toFieldPairs(headers: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) pairs.push([headers[at] ?? '', headers[at + 1] ?? '']);
  return pairs;
}

/** Returns the first value, for fields whose repetitions are invalid or ignored. @param name in lower case */
export function firstFieldValue(headers: readonly string[], name: string): string | undefined {
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const fieldName = headers[at] ?? '';
    if (fieldName.length === name.length && fieldName.toLowerCase() === name) return headers[at + 1];
  }
  return undefined;
}

/** NTLM and Kerberos (RFC 4559 §6): the site would take the connection's next client for this one. */
export function authenticatesConnection(headers: readonly string[]): boolean {
  return /^(?:ntlm|negotiate)\b/i.test(firstFieldValue(headers, 'authorization') ?? '');
}

export function listFieldNames(headers: readonly string[]): readonly string[] {
  return headers.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
}

export const lowerName: (name: string) => string = memoizeByString((name) => name.toLowerCase());

/** @param names in lower case */
export function withoutFields(headers: readonly string[], names: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (!names.has(lowerName(name))) kept.push(name, headers[at + 1] ?? '');
  }
  return kept;
}

/** Lower-case names that `Connection` lists (RFC 9110 §7.6.1); `undefined` for `keep-alive` or `close`. */
export function parseConnectionFields(connection: string): ReadonlySet<string> | undefined {
  if (connection === 'keep-alive' || connection === 'close') return undefined;
  const names = connection.split(',').map((name) => name.trim().toLowerCase());
  const fields = names.filter((name) => name !== '' && name !== 'keep-alive' && name !== 'close');
  return fields.length === 0 ? undefined : new Set(fields);
}

/** Removes fields in place. @param names in lower case */
export function removeFields(headers: string[], names: ReadonlySet<string>): void {
  let kept = 0;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (names.has(name.toLowerCase())) continue;
    headers[kept] = name;
    headers[kept + 1] = headers[at + 1] ?? '';
    kept += 2;
  }
  headers.length = kept;
}

export interface MediaType {
  readonly essence: string;
  readonly charset?: string;
}

export function parseMediaType(header: string | null): MediaType {
  return parseHeader(header ?? '');
}

const parseHeader = memoizeByString((header): MediaType => {
  const [essence = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters
    .find((part) => part.startsWith('charset='))
    ?.slice('charset='.length)
    .replace(/^"|"$/g, '')
    .trim();
  return {
    essence: /^[!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+$/.test(essence) ? essence : '',
    ...(charset === undefined || charset === '' ? {} : { charset }),
  };
});

export function parseContentLength(headers: readonly string[]): number | undefined {
  const value = firstFieldValue(headers, 'content-length');
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** @param host with the port, if it has one */
export function isOriginOfHost(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

/** Whether `Accept` prefers HTML to JSON by weight, or by order (RFC 9110 §12.5.1), as browsers do. */
export function prefersHtml(headers: readonly string[]): boolean {
  const ranges = (fieldValue(headers, 'accept') ?? '').toLowerCase().split(',').map(parseRange);
  const find = (name: RegExp) => ranges.find(({ type }) => name.test(type));
  const html = find(/^text\/html$/) ?? find(/^text\/\*$/);
  const json = find(/^application\/(?:[\w.+-]*\+)?json$/) ?? find(/^application\/\*$/);
  if (html === undefined || html.weight === 0) return false;
  if (json === undefined || html.weight !== json.weight) return html.weight > (json?.weight ?? 0);
  return ranges.indexOf(html) < ranges.indexOf(json);
}

function parseRange(range: string): { readonly type: string; readonly weight: number } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
  const weight = parameters.find((part) => part.startsWith('q='))?.slice('q='.length);
  return { type, weight: /^[01](?:\.\d{0,3})?$/.test(weight ?? '') ? Number(weight) : 1 };
}

/** RFC 9211 §2.2. */
export type ForwardReason =
  | 'bypass'
  | 'uri-miss'
  /** Other values of the `Vary` fields are stored. */
  | 'vary-miss'
  | 'request'
  | 'stale';

export interface CacheStatus {
  readonly hit?: boolean;
  readonly fwd?: ForwardReason;
  readonly fwdStatus?: number;
  readonly ttl?: number;
  readonly stored?: boolean;
  readonly collapsed?: boolean;
  readonly detail?: string;
}

export function formatCacheStatus(status: CacheStatus): string {
  let member = 'waygate';
  if (status.hit === true) member += '; hit';
  if (status.fwd !== undefined) member += `; fwd=${status.fwd}`;
  if (status.fwdStatus !== undefined) member += `; fwd-status=${status.fwdStatus}`;
  if (status.ttl !== undefined) member += `; ttl=${Math.trunc(status.ttl)}`;
  if (status.stored === true) member += '; stored';
  if (status.collapsed === true) member += '; collapsed';
  if (status.detail !== undefined) member += `; detail=${formatDetail(status.detail)}`;
  return member;
}

export type CacheOutcome = 'hit' | 'stale' | 'miss' | 'bypass' | 'none';

export function toCacheOutcome(status: CacheStatus | undefined): CacheOutcome {
  if (status === undefined) return 'none';
  const { detail, fwd, hit, ttl = 0 } = status;
  // A stale response that replaces an error of the site has `fwd` and a negative `ttl`.
  if (ttl <= -1) return 'stale';
  if (hit === true) return detail === undefined ? 'hit' : 'stale';
  if (fwd === undefined) return 'none';
  return fwd === 'bypass' ? 'bypass' : 'miss';
}

const TOKEN = /^[A-Za-z*][!#$%&'*+\-.^_`|~0-9A-Za-z:/]*$/;
/** It can contain a name that a client or a site chose. */
const MAX_DETAIL_LENGTH = 100;

const formatDetail = memoizeByString((detail): string => {
  const text = detail.length > MAX_DETAIL_LENGTH ? `${detail.slice(0, MAX_DETAIL_LENGTH - 3)}...` : detail;
  if (TOKEN.test(text)) return text;
  return `"${text.replace(/[^ -~]/g, '?').replace(/["\\]/g, '\\$&')}"`;
});
