import { splitNames } from '../../base/glob.ts';
import { hasDirective, parseCacheControl, weakenEntityTags } from '../../base/http/cache-fields.ts';
import {
  CONTENT_CODINGS,
  type ContentCoding,
  ENCODERS,
  listPreferredCodings,
} from '../../base/http/content-coding.ts';
import type { RepeatedResponse } from '../../base/http/exchange.ts';
import { fieldValue, hasField, parseMediaType, withoutFields } from '../../base/http/fields.ts';
import { memoizeByString } from '../../base/memoize.ts';
import type { CacheStore, CompressedResponse, IdentityResponse, StoredResponse } from './store.ts';

const MAX_QUEUED = 64;
const MAX_SIZE_RATIO = 0.9;

const MAX_MEMOIZED_ACCEPT_ENCODINGS = 256;
const NO_CODINGS: readonly string[] = [];

export class Compressor {
  readonly #store: CacheStore;
  readonly #listCodings = memoizeByString(
    (acceptEncoding) => listPreferredCodings(acceptEncoding, CONTENT_CODINGS),
    MAX_MEMOIZED_ACCEPT_ENCODINGS,
  );
  readonly #queue: (() => Promise<void>)[] = [];
  #isRunning = false;

  constructor(store: CacheStore) {
    this.#store = store;
  }

  /** Selects the best coding for a client, with `undefined` the identity. A better one is created later. */
  selectRepresentation(
    key: string,
    stored: StoredResponse,
    acceptEncoding: string | undefined,
  ): RepeatedResponse {
    const known = stored.identity;
    const identity = known?.sourceHeaders === stored.headers ? known : this.#createIdentity(stored);
    if (!identity.isCompressible || acceptEncoding === undefined) return identity;
    for (const coding of this.#listCodings(acceptEncoding)) {
      const compressed = stored.compressed?.get(coding);
      if (compressed !== undefined) {
        // After a 304 the stored response has new headers.
        const isCurrent = compressed.sourceHeaders === stored.headers;
        return isCurrent ? compressed : this.#attach(key, stored, coding, compressed.body);
      }
      if (identity.attempted.includes(coding) || this.#queue.length >= MAX_QUEUED) continue;
      identity.attempted = [...identity.attempted, coding];
      this.#queue.push(() => this.#compress(key, stored, coding));
      if (!this.#isRunning) void this.#runQueue();
      break;
    }
    return identity;
  }

  #createIdentity(stored: StoredResponse): IdentityResponse {
    const { body, headers: sourceHeaders } = stored;
    const isEligible = stored.compressed !== undefined && isCompressible(stored);
    const headers = isEligible ? createIdentityHeaders(sourceHeaders) : sourceHeaders;
    stored.identity = {
      headers,
      body,
      text: undefined,
      sourceHeaders,
      isCompressible: isEligible,
      attempted: NO_CODINGS,
    };
    return stored.identity;
  }

  async #compress(key: string, stored: StoredResponse, coding: ContentCoding): Promise<void> {
    const encoder = ENCODERS.find((each) => each.coding === coding);
    try {
      const body = await encoder?.encode(stored.body);
      if (body === undefined || body.byteLength > stored.body.byteLength * MAX_SIZE_RATIO) return;
      this.#attach(key, stored, coding, body);
    } catch {}
  }

  #attach(key: string, stored: StoredResponse, coding: ContentCoding, body: Uint8Array): CompressedResponse {
    const headers = createCompressedHeaders(stored.headers, coding, body.byteLength);
    const compressed = { sourceHeaders: stored.headers, headers, body, text: undefined };
    this.#store.addForm(key, stored, coding, compressed);
    return compressed;
  }

  async #runQueue(): Promise<void> {
    this.#isRunning = true;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) await next();
    this.#isRunning = false;
  }
}

const MIN_BYTES = 1024;

const COMPRESSIBLE_TYPES: readonly RegExp[] = [
  /^text\//,
  /^[\w.-]+\/[\w.-]+\+(?:json|xml|text)$/,
  /^application\/(?:json|xml|javascript|ecmascript|x-javascript|x-ndjson|wasm|rtf|graphql|toml|yaml)$/,
  /^(?:font\/(?:otf|ttf|collection)|application\/vnd\.ms-fontobject)$/,
  /^image\/(?:bmp|x-icon|vnd\.microsoft\.icon)$/,
];

/** Fields that bind a response to its exact bytes (RFC 1864, RFC 3230, RFC 9530). */
const CONTENT_BOUND_FIELDS = splitNames('content-range content-md5 digest content-digest repr-digest');

const VARY_FIELD: ReadonlySet<string> = new Set(['vary']);
const IDENTITY_ONLY_FIELDS: ReadonlySet<string> = new Set(['content-length', 'accept-ranges']);

function isCompressible({
  status,
  headers,
  body,
}: Pick<StoredResponse, 'status' | 'headers' | 'body'>): boolean {
  if (body.byteLength < MIN_BYTES || status < 200 || status === 206) return false;
  const { essence } = parseMediaType(fieldValue(headers, 'content-type') ?? null);
  if (!COMPRESSIBLE_TYPES.some((pattern) => pattern.test(essence))) return false;
  return isTransformable(headers) && !hasField(headers, 'content-encoding');
}

function isTransformable(headers: readonly string[]): boolean {
  // RFC 9111 §5.2.2.6: an intermediary must not transform the content.
  const directives = parseCacheControl(fieldValue(headers, 'cache-control') ?? '');
  return (
    !hasDirective(directives, 'no-transform') && !CONTENT_BOUND_FIELDS.some((name) => hasField(headers, name))
  );
}

/** Archives that servers send with their own coding (Apache's `AddEncoding x-gzip .tgz`). */
const ARCHIVE_TYPES = /^application\/(?:x-)?(?:gzip|gtar|tar|tgz|compress|compressed-tar)/;

export function isDecodable(headers: readonly string[]): boolean {
  const { essence } = parseMediaType(fieldValue(headers, 'content-type') ?? null);
  return !ARCHIVE_TYPES.test(essence) && isTransformable(headers);
}

const CODED_FIELDS: ReadonlySet<string> = new Set(['content-encoding', 'content-length']);

export function createDecodedHeaders(headers: readonly string[]): string[] {
  return weakenEntityTags(withoutFields(headers, CODED_FIELDS));
}

function createIdentityHeaders(headers: readonly string[]): readonly string[] {
  const vary = fieldValue(headers, 'vary');
  if (vary === undefined) return [...headers, 'Vary', 'Accept-Encoding'];
  const names = vary
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  if (names.includes('*') || names.includes('accept-encoding')) return headers;
  return [...withoutFields(headers, VARY_FIELD), 'Vary', `${vary}, Accept-Encoding`];
}

function createCompressedHeaders(
  headers: readonly string[],
  coding: ContentCoding,
  length: number,
): readonly string[] {
  const fields = weakenEntityTags(withoutFields(createIdentityHeaders(headers), IDENTITY_ONLY_FIELDS));
  return [...fields, 'Content-Encoding', coding, 'Content-Length', String(length)];
}

const toSharedCoding: (field: string) => string = memoizeByString(
  (field) => listPreferredCodings(field, ['gzip'])[0] ?? 'identity',
  MAX_MEMOIZED_ACCEPT_ENCODINGS,
);

export function normalizeAcceptEncoding(headers: string[]): string[] {
  const field = fieldValue(headers, 'accept-encoding');
  if (field === undefined) return headers;
  const normalized = toSharedCoding(field);
  return normalized === field
    ? headers
    : [...withoutFields(headers, ACCEPT_ENCODING), 'Accept-Encoding', normalized];
}

const ACCEPT_ENCODING: ReadonlySet<string> = new Set(['accept-encoding']);
