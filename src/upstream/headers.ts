import { believe, type Claims, type Client, isHost, type Peer, pushForwarded } from './forwarded.ts';
import { connectionOptions, dropFields } from './hop-by-hop.ts';
import type { HeaderRefusal } from './refusals.ts';
import { END_TO_END, REQUEST_FIELDS } from './request-fields.ts';
import type { Trust } from './trust.ts';

export type { HeaderRefusal } from './refusals.ts';
export { HEADER_REFUSALS } from './refusals.ts';
export type { Client, Peer };

/** What does not depend on the request: computed when a snapshot is built. */
export interface SiteForwarding {
  /** The site's own `Host`: `example.com`, `127.0.0.1:8090`. */
  readonly host: string;
  readonly trust: Trust;
  /** The path under which the site is mounted, without a trailing slash: empty or `/name`. */
  readonly mount: string;
  /** Whether answers are rewritten on the way, so that the site must not compress them. */
  readonly identity: boolean;
}

/** What the server knows of a request beside its headers. */
export interface Received {
  readonly peer: Peer;
  /** `1.1`, as in `Via`. */
  readonly httpVersion: string;
  readonly requestId: string;
}

/** How the body is delimited (RFC 9112 §6): not there, counted, or chunked. */
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' };

export type RequestHeaders =
  | {
      readonly kind: 'headers';
      /** Flat list name, value, name, value, as it goes to the site. */
      readonly headers: string[];
      readonly client: Client;
      readonly framing: Framing;
    }
  | { readonly kind: 'refused'; readonly refusal: HeaderRefusal };

/** The name in `Via` (RFC 9110 §7.6.3: a gateway MUST add one). */
const PSEUDONYM = 'waygate';
/** Gateways in front of gateways are fine; a site that resolves to its own gateway is not. */
const MAX_HOPS = 5;

/**
 * The header section as it goes to the site, made from the one received.
 *
 * @param raw flat list name, value, name, value (Node's `rawHeaders`, or `Headers` flattened)
 */
export function requestHeaders(
  raw: readonly string[],
  received: Received,
  site: SiteForwarding,
): RequestHeaders {
  const headers: string[] = ['Host', site.host];
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
    const name = raw[at] ?? '';
    const value = raw[at + 1] ?? '';
    // `X_HTTP_Method_Override` and `X-HTTP-Method-Override` are one variable in CGI: only the latter was looked at.
    if (name.includes('_')) continue;
    const treatment = REQUEST_FIELDS.get(name) ?? REQUEST_FIELDS.get(name.toLowerCase());
    switch (treatment) {
      case undefined:
        headers.push(name, value);
        break;
      case 'drop':
        break;
      case 'identity':
        if (!site.identity) headers.push(name, value);
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
  if (connection !== undefined && !dropNamed(headers, connection)) return refused('connection');

  if (length !== undefined) headers.push('Content-Length', length);
  if (site.identity) headers.push('Accept-Encoding', 'identity');
  const belief = believe(received.peer, claims, site.trust);
  pushForwarded(headers, received.peer, belief, site.mount);
  headers.push('Via', join(via, `${received.httpVersion} ${PSEUDONYM}`));
  headers.push('X-Request-Id', received.requestId);
  return { kind: 'headers', headers, client: belief.client, framing: framingOf(length, encoding) };
}

function refused(refusal: HeaderRefusal): RequestHeaders {
  return { kind: 'refused', refusal };
}

function join(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`;
}

function framingOf(length: string | undefined, encoding: string | undefined): Framing {
  if (encoding !== undefined) return { kind: 'chunked' };
  return length === undefined ? { kind: 'none' } : { kind: 'length', length: Number(length) };
}

/** @returns false where the `Connection` header names a field that belongs to the message */
function dropNamed(headers: string[], connection: string): boolean {
  const named = connectionOptions(connection);
  if (named === undefined) return true;
  for (const name of named) if (END_TO_END.has(name)) return false;
  dropFields(headers, named);
  return true;
}
