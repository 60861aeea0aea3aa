import { splitNames } from '../../base/glob.ts';
import { concatChunks } from '../../base/http/body.ts';
import { fieldValue, removeFields } from '../../base/http/fields.ts';
import { parseMultipartBoundary, parsePartDisposition } from '../../base/php/multipart.ts';
import { hexDigit, PERCENT, PLUS, SPACE, toByteString } from '../../base/php/request.ts';
import {
  createSiteUrls,
  type HostUrls,
  MAX_BEFORE,
  matchUrlAt,
  rewriteUrlReference,
  type SiteUrls,
  toReplacementUrl,
} from './rewrite-urls.ts';

export const BODY_BYTE_FIELDS: ReadonlySet<string> = new Set(
  splitNames('content-length accept-ranges content-md5 digest content-digest repr-digest'),
);

export interface BodyRewriter {
  write(chunk: Uint8Array): Uint8Array;
  end(): Uint8Array;
}

const REWRITABLE_TYPES =
  /^(?:text\/(?:html|css|javascript|xml|plain|calendar)|application\/(?:json|javascript|x-javascript|ecmascript|xml|manifest\+json)|[a-z]+\/[a-z0-9.+-]{1,100}\+(?:json|xml))$/;

/** False for partial content, whose ranges count bytes, downloads, UTF-16, UTF-32 and coded bodies. */
export function isRewritableBody(status: number, headers: readonly string[]): boolean {
  if (status < 200 || status === 204 || status === 206 || status === 304) return false;
  if (/^\s*attachment/i.test(fieldValue(headers, 'content-disposition') ?? '')) return false;
  const type = readPlainType(headers).toLowerCase();
  return REWRITABLE_TYPES.test(type.replace(/;.*/s, '').trim()) && !/charset="?utf-?(?:16|32)/.test(type);
}

export function isRewritableRequestBody(headers: readonly string[]): boolean {
  return isFormBody(headers) || findBoundary(headers) !== null || isRewritableBody(200, headers);
}

/** Empty for a coded body. */
function readPlainType(headers: readonly string[]): string {
  const isPlain = /^\s*identity\s*$/i.test(fieldValue(headers, 'content-encoding') ?? 'identity');
  return (isPlain && fieldValue(headers, 'content-type')) || '';
}

function findBoundary(headers: readonly string[]): string | null {
  const type = readPlainType(headers);
  return (/^\s*multipart\/form-data\s*;/i.test(type) && parseMultipartBoundary(type)) || null;
}

function isFormBody(headers: readonly string[]): boolean {
  return /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(readPlainType(headers));
}

/** Literally, or percent-encoded in an urlencoded form or a query. */
export type BodyEncoding = 'literal' | 'form';

export function createBodyRewriter(
  urls: SiteUrls,
  newBase: string,
  encoding: BodyEncoding = 'literal',
): BodyRewriter {
  const stages = urls.hosts.map((host) => createHostRewriter(host, newBase, encoding));
  const [first] = stages;
  if (first !== undefined && stages.length === 1) return first;
  return {
    write: (chunk) => stages.reduce<Uint8Array>((bytes, stage) => stage.write(bytes), chunk),
    end: () => stages.reduce<Uint8Array>((bytes, stage) => concatTwo(stage.write(bytes), stage.end()), EMPTY),
  };
}

export function rewriteText(text: string, rewriter: BodyRewriter): string {
  const decoder = new TextDecoder();
  const start = rewriter.write(new TextEncoder().encode(text));
  return decoder.decode(start, { stream: true }) + decoder.decode(rewriter.end());
}

/** E.g. `*.example.com` in `Content-Security-Policy` gets the gateway's host beside it. */
export function rewriteFieldText(value: string, siteUrls: SiteUrls, publicBase: string): string {
  const { hosts } = siteUrls;
  const lower = value.toLowerCase();
  if (!lower.includes('*.') && !hosts.some(({ hostname }) => lower.includes(hostname))) return value;
  const { host: ownHost, origin: ownOrigin } = new URL(publicBase);
  let text = rewriteText(value, createBodyRewriter(siteUrls, publicBase));
  for (const { hostname, port } of hosts) {
    const name = hostname.replace(/[^\w-]/g, '\\$&') + (port === '' ? '(?::(?:80|443))?' : `:${port}`);
    const pattern = new RegExp(`(?<=^|[\\s,;=("'])(https?://)?${name}(?=$|[\\s,;)"'])`, 'gi');
    text = text.replace(pattern, (_, scheme?: string) => (scheme === undefined ? ownHost : ownOrigin));
  }
  return text.replace(WILDCARD, (source: string, parent: string) =>
    hosts.some(({ hostname }) => hostname.endsWith(parent.toLowerCase())) ? `${source} ${ownHost}` : source,
  );
}

const WILDCARD = /(?<=^|[\s,;])(?:https?:\/\/)?\*(\.[\w.-]+)(?=$|[\s,;])/gi;

const EMPTY = new Uint8Array(0);

function createHostRewriter(host: HostUrls, newBase: string, encoding: BodyEncoding): BodyRewriter {
  const hostname = new RegExp(host.hostname.replace(/[^\w-]/g, '\\$&'), 'gi');
  let held: Uint8Array = EMPTY;
  let sent = 0;

  const processChunk = (chunk: Uint8Array, last: boolean): Uint8Array => {
    const bytes = concatTwo(held, chunk);
    const decoded =
      encoding === 'form' ? decodeFormBytes(bytes, last) : { text: bytes, offsetOf: (at: number) => at };
    const { offsetOf } = decoded;
    const text = toByteString(decoded.text);
    // A URL that starts after this position can continue in the next chunk.
    const limit = last ? text.length : text.length - host.maxLength;
    const parts: Uint8Array[] = [];
    let from = sent;
    hostname.lastIndex = from;
    for (
      let found = hostname.exec(text);
      found !== null && found.index < limit;
      found = hostname.exec(text)
    ) {
      const match = matchUrlAt(text, found.index, host);
      if (match === undefined || match.start < from) {
        hostname.lastIndex = found.index + 1;
        continue;
      }
      const [start, end] = [offsetOf(match.start), offsetOf(match.end)];
      const url = toReplacementUrl(match, newBase);
      const isEncoded = end - start > match.end - match.start;
      parts.push(
        bytes.subarray(offsetOf(from), start),
        Buffer.from(isEncoded ? encodeURIComponent(url) : url),
      );
      from = match.end;
      hostname.lastIndex = from;
    }
    const until = last ? text.length : Math.max(from, limit - MAX_BEFORE);
    parts.push(bytes.subarray(offsetOf(from), last ? bytes.length : offsetOf(until)));
    const kept = Math.max(0, until - MAX_BEFORE);
    held = new Uint8Array(bytes.subarray(offsetOf(kept)));
    sent = until - kept;
    return concat(parts);
  };
  return { write: (chunk) => processChunk(chunk, false), end: () => processChunk(EMPTY, true) };
}

function concatTwo(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.length === 0 ? b : b.length === 0 ? a : concat([a, b]);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return concatChunks(
    parts,
    parts.reduce((sum, part) => sum + part.length, 0),
  );
}

interface DecodedFormBytes {
  readonly text: Uint8Array;
  readonly offsetOf: (at: number) => number;
}

function decodeFormBytes(bytes: Uint8Array, last: boolean): DecodedFormBytes {
  const text = new Uint8Array(bytes.length);
  const offsets = new Uint32Array(bytes.length + 1);
  let length = 0;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (byte === PERCENT && at + 2 >= bytes.length && !last) break;
    offsets[length] = at;
    const high = byte === PERCENT ? hexDigit(bytes[at + 1] ?? 0) : -1;
    const low = high < 0 ? -1 : hexDigit(bytes[at + 2] ?? 0);
    const isEscape = low >= 0;
    text[length] = isEscape ? high * 16 + low : byte === PLUS ? SPACE : byte;
    at += isEscape ? 3 : 1;
    length++;
  }
  offsets[length] = at;
  return { text: text.subarray(0, length), offsetOf: (position) => offsets[position] ?? at };
}

const MAX_PART_HEADER = 16 * 1024;

/** Rewrites the text fields of `multipart/form-data` while it streams, but not files. */
function createMultipartRewriter(boundary: string, createTextRewriter: () => BodyRewriter): BodyRewriter {
  // As in PHP (main/rfc1867.c), any line that begins with the boundary ends a part.
  const delimiter = `\n--${boundary}`;
  let held = '\n';
  let isAtStart = true;
  let isInHeader = false;
  let text: BodyRewriter | null = null;

  const process = (chunk: Uint8Array, isLast: boolean): Uint8Array => {
    const output: Uint8Array[] = [];
    const send = (length: number): void => {
      const bytes = Uint8Array.from(held.slice(0, length), (unit) => unit.charCodeAt(0));
      held = held.slice(length);
      output.push(text === null ? bytes : text.write(bytes));
    };
    const endText = (): void => {
      if (text !== null) output.push(text.end());
      text = null;
    };
    held += toByteString(chunk);
    for (;;) {
      if (isInHeader) {
        const header = /^\r?\n(?:[^\n]*\n)*?\r?\n/.exec(held)?.[0];
        const isPart = /^\r?(?:\n|$)/.test(held) && held.length <= MAX_PART_HEADER;
        if (header === undefined && isPart && !isLast) break;
        isInHeader = false;
        if (header === undefined) continue;
        send(header.length);
        text = isTextField(header) ? createTextRewriter() : null;
      } else {
        const at = held.indexOf(delimiter);
        if (at < 0) break;
        send(at);
        endText();
        send(delimiter.length);
        isInHeader = true;
      }
    }
    if (!isInHeader) send(isLast ? held.length : Math.max(0, held.length - delimiter.length + 1));
    if (isLast) endText();
    const bytes = concat(output);
    const start = isAtStart && bytes.length > 0 ? 1 : 0;
    isAtStart &&= start === 0;
    return bytes.subarray(start);
  };
  return { write: (chunk) => process(chunk, false), end: () => process(EMPTY, true) };
}

function isTextField(header: string): boolean {
  const unfolded = header.replaceAll(/\r?\n[ \t]+/g, ' ');
  const disposition = /^content-disposition:(.*)$/im.exec(unfolded)?.[1];
  return disposition !== undefined && parsePartDisposition(disposition).filename === undefined;
}

/** Replaces the gateway's URLs in requests: a client that saves what it read would store them. */
export class RequestRewriter {
  readonly #gatewayUrls: SiteUrls;
  readonly #storedBase: string;
  readonly #hostname: string;

  constructor(publicBase: string, { storedBase }: SiteUrls) {
    this.#gatewayUrls = createSiteUrls([{ url: publicBase }]);
    this.#storedBase = storedBase;
    this.#hostname = this.#gatewayUrls.hosts[0]?.hostname ?? '';
  }

  rewriteTarget(target: string): string {
    const queryStart = target.indexOf('?');
    if (queryStart < 0 || !target.toLowerCase().includes(this.#hostname, queryStart)) return target;
    const rewriter = createBodyRewriter(this.#gatewayUrls, this.#storedBase, 'form');
    return target.slice(0, queryStart + 1) + rewriteText(target.slice(queryStart + 1), rewriter);
  }

  /** In `Referer`, by which WordPress finds the page to return to, `Origin`, cookies and all others. In place. */
  rewriteHeaders(headers: string[], hasBody: boolean): void {
    for (let at = 0; at + 1 < headers.length; at += 2) {
      const [name, value = ''] = headers.slice(at, at + 2);
      if (name?.toLowerCase() === 'referer') {
        headers[at + 1] = rewriteUrlReference(value, this.#gatewayUrls, this.#storedBase);
      } else if (name?.toLowerCase() === 'origin' && value === this.#gatewayUrls.baseOrigin) {
        headers[at + 1] = new URL(this.#storedBase).origin;
      } else if (value.toLowerCase().includes(this.#hostname)) {
        const rewriter = createBodyRewriter(this.#gatewayUrls, this.#storedBase);
        headers[at + 1] = rewriteText(value, rewriter);
      }
    }
    if (hasBody && isRewritableRequestBody(headers)) removeFields(headers, BODY_BYTE_FIELDS);
  }

  createBodyRewriter(headers: readonly string[]): BodyRewriter | undefined {
    const create = (encoding: BodyEncoding): BodyRewriter =>
      createBodyRewriter(this.#gatewayUrls, this.#storedBase, encoding);
    const boundary = findBoundary(headers);
    if (boundary !== null) return createMultipartRewriter(boundary, () => create('literal'));
    return isRewritableRequestBody(headers) ? create(isFormBody(headers) ? 'form' : 'literal') : undefined;
  }
}
