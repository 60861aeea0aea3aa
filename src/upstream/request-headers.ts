import { connectionOptions, dropFields } from '../http/fields.ts';
import { memoizeByString } from '../memoize.ts';
import {
  appendForwardedFields,
  type ClientIdentity,
  type ForwardedClaims,
  isHostHeader,
  type ResolvedClient,
  resolveClient,
} from './forwarded.ts';
import type { HeaderRefusal } from './request-header-rules.ts';
import { END_TO_END_FIELDS, REQUEST_FIELD_TREATMENTS } from './request-header-rules.ts';
import type { ProxyTrust } from './trusted-proxies.ts';

export type { HeaderRefusal } from './request-header-rules.ts';
export { HEADER_REFUSALS } from './request-header-rules.ts';
export type { ClientIdentity };

/** What does not depend on the request: computed when a snapshot is built. */
export interface UpstreamHeaderOptions {
  /** The site's own `Host`: `example.com`, `127.0.0.1:8090`. */
  readonly host: string;
  /** The path under which the site is mounted, without a trailing slash: empty or `/name`. */
  readonly mount: string;
  /** Whether answers are read or rewritten on the way, so that the site must not compress them. */
  readonly identityEncoding: boolean;
}

/** What the server knows of a request beside its headers. */
export interface Received {
  /** Flat list name, value, name, value (Node's `rawHeaders`, or `Headers` flattened). */
  readonly headers: readonly string[];
  /** `1.1`, as in `Via`. */
  readonly httpVersion: string;
  readonly peer: string;
  readonly protocol: 'http' | 'https';
}

/** How the body is delimited (RFC 9112 §6): not there, counted, or chunked. */
export type BodyFraming =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' };

/** The name in `Via` (RFC 9110 §7.6.3: a gateway MUST add one). */
const PSEUDONYM = 'waygate';
/** Gateways in front of gateways are fine; a site that resolves to its own gateway is not. */
const MAX_HOPS = 5;

type FieldTreatment = 'pass' | NonNullable<ReturnType<typeof REQUEST_FIELD_TREATMENTS.get>>;

/** `X_HTTP_Method_Override` and `X-HTTP-Method-Override` are one variable in CGI: only the latter was looked at. */
const treatmentOf = memoizeByString(
  (name): FieldTreatment =>
    name.includes('_') ? 'drop' : (REQUEST_FIELD_TREATMENTS.get(name.toLowerCase()) ?? 'pass'),
);

/** Whether the site gets a field as the caller wrote it, where `Connection` does not name it. */
export function isForwardedUnchanged(name: string): boolean {
  return treatmentOf(name) === 'pass';
}

/** The header section of a request, read once: who calls, how the body is delimited, and what the site is to get of it. */
export class RequestHeaders {
  readonly kind = 'read';
  readonly client: ClientIdentity;
  readonly framing: BodyFraming;
  readonly #received: Received;
  readonly #belief: ResolvedClient;
  readonly #via: string | undefined;
  readonly #named: ReadonlySet<string> | undefined;

  constructor(
    head: Received,
    resolved: ResolvedClient,
    framing: BodyFraming,
    via: string | undefined,
    connectionFields: ReadonlySet<string> | undefined,
  ) {
    this.client = resolved.client;
    this.framing = framing;
    this.#received = head;
    this.#belief = resolved;
    this.#via = via;
    this.#named = connectionFields;
  }

  /** Whether `Connection` keeps fields of the caller's from the site. */
  get hasConnectionFields(): boolean {
    return this.#named !== undefined;
  }

  /** The header section, a flat list, as it goes to the site: a new list. */
  toUpstream({ host, identityEncoding, mount }: UpstreamHeaderOptions, requestId: string): string[] {
    const { headers: raw, httpVersion, peer } = this.#received;
    const headers = ['Host', host];
    for (let at = 0; at + 1 < raw.length; at += 2) {
      const name = raw[at] ?? '';
      const treatment = treatmentOf(name);
      if (treatment === 'pass' || (treatment === 'identity' && !identityEncoding)) {
        headers.push(name, raw[at + 1] ?? '');
      }
    }
    if (this.#named !== undefined) dropFields(headers, this.#named);
    if (this.framing.kind === 'length') headers.push('Content-Length', String(this.framing.length));
    if (identityEncoding) headers.push('Accept-Encoding', 'identity');
    appendForwardedFields(headers, peer, this.#belief, mount);
    headers.push('Via', join(this.#via, `${httpVersion} ${PSEUDONYM}`), 'X-Request-Id', requestId);
    return headers;
  }
}

/** Reads a request's header section. */
export function readRequestHeaders(
  received: Received,
  trust: ProxyTrust,
): RequestHeaders | { readonly kind: 'refused'; readonly refusal: HeaderRefusal } {
  const { headers: raw } = received;
  const claims: ForwardedClaims = {
    host: undefined,
    forwarded: undefined,
    xFor: undefined,
    xHost: undefined,
    xProto: undefined,
    xPort: undefined,
    xPrefix: undefined,
  };
  let connection: string | undefined;
  let length: string | undefined;
  let encoding: string | undefined;
  let via: string | undefined;

  for (let at = 0; at + 1 < raw.length; at += 2) {
    const treatment = treatmentOf(raw[at] ?? '');
    const value = raw[at + 1] ?? '';
    switch (treatment) {
      case 'pass':
      case 'drop':
      case 'identity':
        break;
      case 'connection':
        connection = join(connection, value);
        break;
      case 'length':
        // Two of them, or a list, are how requests are smuggled (RFC 9112 §6.3).
        if (length !== undefined || !/^\d{1,15}$/.test(value)) return refused('length');
        length = value;
        break;
      case 'encoding':
        encoding = join(encoding, value);
        break;
      case 'via':
        via = join(via, value);
        break;
      case 'host':
        if (claims.host !== undefined) return refused('host');
        claims.host = value;
        break;
      default:
        claims[treatment] = join(claims[treatment], value);
    }
  }

  if (claims.host !== undefined && claims.host !== '' && !isHostHeader(claims.host)) return refused('host');
  if (encoding !== undefined) {
    if (length !== undefined) return refused('length');
    if (encoding.trim().toLowerCase() !== 'chunked') return refused('encoding');
  }
  if (via !== undefined && via.split(PSEUDONYM).length > MAX_HOPS) return refused('loop');
  const named = connection === undefined ? undefined : connectionOptions(connection);
  for (const name of named ?? []) if (END_TO_END_FIELDS.has(name)) return refused('connection');
  return new RequestHeaders(
    received,
    resolveClient(received, claims, trust),
    toFraming(length, encoding),
    via,
    named,
  );
}

function refused(refusal: HeaderRefusal): { readonly kind: 'refused'; readonly refusal: HeaderRefusal } {
  return { kind: 'refused', refusal };
}

function join(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`;
}

const NO_BODY: BodyFraming = { kind: 'none' };
const CHUNKED: BodyFraming = { kind: 'chunked' };

function toFraming(length: string | undefined, encoding: string | undefined): BodyFraming {
  if (encoding !== undefined) return CHUNKED;
  return length === undefined ? NO_BODY : { kind: 'length', length: Number(length) };
}
