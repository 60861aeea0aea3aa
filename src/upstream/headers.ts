import { memoizeByString } from '../memoize.ts';
import { type Belief, believe, type Claims, type Client, isHost, pushForwarded } from './forwarded.ts';
import { connectionOptions, dropFields } from './hop-by-hop.ts';
import type { HeaderRefusal } from './refusals.ts';
import { END_TO_END, REQUEST_FIELDS } from './request-fields.ts';
import type { Trust } from './trust.ts';

export type { HeaderRefusal } from './refusals.ts';
export { HEADER_REFUSALS } from './refusals.ts';
export type { Client };

/** What does not depend on the request: computed when a snapshot is built. */
export interface SiteForwarding {
  /** The site's own `Host`: `example.com`, `127.0.0.1:8090`. */
  readonly host: string;
  /** The path under which the site is mounted, without a trailing slash: empty or `/name`. */
  readonly mount: string;
  /** Whether answers are read or rewritten on the way, so that the site must not compress them. */
  readonly identity: boolean;
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
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' };

/** The name in `Via` (RFC 9110 §7.6.3: a gateway MUST add one). */
const PSEUDONYM = 'waygate';
/** Gateways in front of gateways are fine; a site that resolves to its own gateway is not. */
const MAX_HOPS = 5;

type Treatment = 'pass' | NonNullable<ReturnType<typeof REQUEST_FIELDS.get>>;

/** `X_HTTP_Method_Override` and `X-HTTP-Method-Override` are one variable in CGI: only the latter was looked at. */
const treatmentOf = memoizeByString(
  (name): Treatment => (name.includes('_') ? 'drop' : (REQUEST_FIELDS.get(name.toLowerCase()) ?? 'pass')),
);

/** Whether the site gets a field as the caller wrote it, where `Connection` does not name it. */
export function isPassedOn(name: string): boolean {
  return treatmentOf(name) === 'pass';
}

/** The header section of a request, read once: who calls, how the body is delimited, and what the site is to get of it. */
export class RequestFields {
  readonly kind = 'read';
  readonly client: Client;
  readonly framing: Framing;
  readonly #received: Received;
  readonly #belief: Belief;
  readonly #via: string | undefined;
  readonly #named: ReadonlySet<string> | undefined;

  constructor(
    received: Received,
    belief: Belief,
    framing: Framing,
    via: string | undefined,
    named: ReadonlySet<string> | undefined,
  ) {
    this.client = belief.client;
    this.framing = framing;
    this.#received = received;
    this.#belief = belief;
    this.#via = via;
    this.#named = named;
  }

  /** Whether `Connection` keeps fields of the caller's from the site. */
  get namesFields(): boolean {
    return this.#named !== undefined;
  }

  /** The header section, a flat list, as it goes to the site: a new list. */
  toSite({ host, identity, mount }: SiteForwarding, requestId: string): string[] {
    const { headers: raw, httpVersion, peer } = this.#received;
    const headers = ['Host', host];
    for (let at = 0; at + 1 < raw.length; at += 2) {
      const name = raw[at] ?? '';
      const treatment = treatmentOf(name);
      if (treatment === 'pass' || (treatment === 'identity' && !identity)) {
        headers.push(name, raw[at + 1] ?? '');
      }
    }
    if (this.#named !== undefined) dropFields(headers, this.#named);
    if (this.framing.kind === 'length') headers.push('Content-Length', String(this.framing.length));
    if (identity) headers.push('Accept-Encoding', 'identity');
    pushForwarded(headers, peer, this.#belief, mount);
    headers.push('Via', join(this.#via, `${httpVersion} ${PSEUDONYM}`), 'X-Request-Id', requestId);
    return headers;
  }
}

/** Reads a request's header section. */
export function readFields(
  received: Received,
  trust: Trust,
): RequestFields | { readonly kind: 'refused'; readonly refusal: HeaderRefusal } {
  const { headers: raw } = received;
  const claims: Claims = {
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

  if (claims.host !== undefined && claims.host !== '' && !isHost(claims.host)) return refused('host');
  if (encoding !== undefined) {
    if (length !== undefined) return refused('length');
    if (encoding.trim().toLowerCase() !== 'chunked') return refused('encoding');
  }
  if (via !== undefined && via.split(PSEUDONYM).length > MAX_HOPS) return refused('loop');
  const named = connection === undefined ? undefined : connectionOptions(connection);
  for (const name of named ?? []) if (END_TO_END.has(name)) return refused('connection');
  return new RequestFields(
    received,
    believe(received, claims, trust),
    framingOf(length, encoding),
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

const NO_BODY: Framing = { kind: 'none' };
const CHUNKED: Framing = { kind: 'chunked' };

function framingOf(length: string | undefined, encoding: string | undefined): Framing {
  if (encoding !== undefined) return CHUNKED;
  return length === undefined ? NO_BODY : { kind: 'length', length: Number(length) };
}
