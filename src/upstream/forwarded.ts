import type { IncomingRequestHead } from '../http/request-head.ts';
import { parseIpAddress, type TrustedProxyCheck } from './trusted-proxies.ts';

/** The client of a request: the connection's peer, or the client that trusted proxies report. */
export interface ClientIdentity {
  readonly address: string;
  readonly protocol: 'http' | 'https';
  /** Host as the client sent it, with its port if that is not the protocol's default port. */
  readonly host: string;
  /** The path under which a trusted proxy mounts this gateway, without a trailing slash; usually empty. */
  readonly forwardedPrefix: string;
}

/** Unverified values of `Host`, `Forwarded` and `X-Forwarded-*`. Repeated lines are joined by commas. */
export interface ForwardedClaims {
  host: string | undefined;
  forwarded: string | undefined;
  xFor: string | undefined;
  xHost: string | undefined;
  xProto: string | undefined;
  xPort: string | undefined;
  xPrefix: string | undefined;
}

/** The URL under which clients reach the gateway, as a site is told. */
export interface PublicAddress {
  readonly protocol: 'http' | 'https';
  /** With its port if that is not the protocol's default port. */
  readonly host: string;
  /** Path without a trailing slash; usually empty. */
  readonly prefix: string;
}

/** Returns the parts of a public URL. */
export function toPublicAddress(publicUrl: string): PublicAddress {
  const { host, pathname, protocol } = new URL(publicUrl);
  return { host, protocol: protocol === 'https:' ? 'https' : 'http', prefix: pathname.replace(/\/+$/, '') };
}

/** The client, with the addresses of the proxies that forwarded its request. */
export interface ResolvedClient {
  readonly client: ClientIdentity;
  /** Addresses of earlier hops, the first hop first; empty if the peer is not trusted. */
  readonly earlierHops: readonly string[];
}

const NO_HOPS: readonly string[] = [];

/** Host and port (RFC 3986 §3.2.2, §3.2.3). Percent-encoding is refused, because real host names do not use it. */
const HOST = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const PREFIX = /^(?:\/[A-Za-z0-9._~-]+)+$/;

/** Whether a text is a host with an optional port. */
export function isValidHostField(text: string): boolean {
  return text.length <= 300 && HOST.test(text);
}

/**
 * Determines a request's client. Forwarding fields are ignored unless the peer is a trusted proxy.
 * A configured public address replaces the host, protocol and prefix, whatever the request says.
 * If any of `X-Forwarded-For`, `-Host` or `-Proto` is present, `Forwarded` (RFC 7239) is ignored: proxies that set the
 * former usually forward the client's own `Forwarded` unchanged.
 */
export function resolveClient(
  connection: Pick<IncomingRequestHead, 'peerAddress' | 'protocol'>,
  claims: ForwardedClaims,
  trust: TrustedProxyCheck,
  publicAddress?: PublicAddress,
): ResolvedClient {
  const address = unmapIpv4(connection.peerAddress);
  const { host: claimedHost = '' } = claims;
  const isTrusted = trust(connection.peerAddress);
  const resolved = isTrusted
    ? resolveClaims(connection.protocol, address, claims, trust)
    : {
        client: { address, protocol: connection.protocol, host: claimedHost, forwardedPrefix: '' },
        earlierHops: NO_HOPS,
      };
  if (publicAddress === undefined) return resolved;
  const { host, prefix, protocol } = publicAddress;
  return {
    ...resolved,
    client: { address: resolved.client.address, protocol, host, forwardedPrefix: prefix },
  };
}

/** @param peer IP address of a trusted proxy */
function resolveClaims(
  peerProtocol: 'http' | 'https',
  peer: string,
  claims: ForwardedClaims,
  trust: TrustedProxyCheck,
): ResolvedClient {
  const { host = '' } = claims;
  const hasX = (claims.xFor ?? claims.xHost ?? claims.xProto) !== undefined;
  const info = hasX ? parseXForwarded(claims) : parseForwarded(claims.forwarded ?? '');
  const protocol = info.protocol === 'http' || info.protocol === 'https' ? info.protocol : peerProtocol;
  const clientHost = info.host !== undefined && isValidHostField(info.host) ? info.host : host;
  return {
    client: {
      address: firstUntrusted(peer, info.chain, trust),
      protocol,
      host: withPort(clientHost, claims.xPort, protocol),
      forwardedPrefix: claims.xPrefix !== undefined && PREFIX.test(claims.xPrefix) ? claims.xPrefix : '',
    },
    earlierHops: info.chain,
  };
}

/** The values of the forwarding fields, parsed from either format. */
interface ForwardedInfo {
  readonly chain: readonly string[];
  readonly protocol: string | undefined;
  readonly host: string | undefined;
}

function parseXForwarded(claims: ForwardedClaims): ForwardedInfo {
  return {
    chain: splitList(claims.xFor ?? ''),
    protocol: splitList(claims.xProto ?? '')[0]?.toLowerCase(),
    host: splitList(claims.xHost ?? '')[0],
  };
}

/** One pair of a forwarded-element (RFC 7239 §4). Quoted strings with escapes do not match; addresses need none. */
const PAIR = /(?:^|[;,])[ \t]*(for|host|proto)=(?:"([^"\\]*)"|([^\s;,"]*))/gi;

function parseForwarded(text: string): ForwardedInfo {
  const chain: string[] = [];
  let protocol: string | undefined;
  let host: string | undefined;
  for (const [, name, quoted, token] of text.matchAll(PAIR)) {
    const value = quoted ?? token ?? '';
    if (name?.toLowerCase() === 'for') chain.push(withoutPort(value));
    else if (name?.toLowerCase() === 'host') host ??= value;
    else protocol ??= value.toLowerCase();
  }
  return { chain, protocol, host };
}

/** Removes brackets and port from a node: `[2001:db8::1]:4711`, `192.0.2.1:80` (RFC 7239 §6). */
function withoutPort(text: string): string {
  return /^\[([^\]]*)\](?::\S*)?$/.exec(text)?.[1] ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\S*$/, '$1');
}

/** Returns the first address, from the peer backwards, that is not a trusted proxy; the earliest if all are trusted. */
function firstUntrusted(peer: string, chain: readonly string[], trust: TrustedProxyCheck): string {
  let nearest = peer;
  for (const claimed of chain.toReversed()) {
    const address = withoutPort(claimed);
    if (parseIpAddress(address) === undefined) return nearest;
    nearest = unmapIpv4(address);
    if (!trust(address)) return nearest;
  }
  return nearest;
}

function withPort(host: string, port: string | undefined, protocol: 'http' | 'https'): string {
  if (port === undefined || !/^\d{1,5}$/.test(port) || /:\d+$/.test(host) || host === '') return host;
  return port === defaultPort(protocol) ? host : `${host}:${port}`;
}

function defaultPort(protocol: 'http' | 'https'): string {
  return protocol === 'https' ? '443' : '80';
}

/** Converts `::ffff:127.0.0.1`, as a dual-stack socket reports an IPv4 peer, to `127.0.0.1`. */
function unmapIpv4(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/**
 * Appends `X-Forwarded-*` and `Forwarded` to a flat header list. Both describe the same values, so
 * sites that read only one of them get the same result.
 *
 * @param peer IP address of the connection's peer
 * @param mount the path under which this gateway mounts the site, without a trailing slash
 * @param tellsClient whether the fields contain the addresses of the client and of the proxies
 */
export function appendForwardedFields(
  headers: string[],
  peer: string,
  resolved: ResolvedClient,
  mount: string,
  tellsClient: boolean,
): void {
  const { client, earlierHops } = resolved;
  const address = unmapIpv4(peer) || 'unknown';
  const colon = /:(\d+)$/.exec(client.host);
  if (tellsClient) {
    headers.push(
      'X-Forwarded-For',
      earlierHops.length === 0 ? address : `${earlierHops.join(', ')}, ${address}`,
    );
  }
  headers.push('X-Forwarded-Host', client.host);
  headers.push('X-Forwarded-Proto', client.protocol);
  headers.push('X-Forwarded-Port', colon?.[1] ?? defaultPort(client.protocol));
  const prefix = client.forwardedPrefix + mount;
  if (prefix !== '') headers.push('X-Forwarded-Prefix', prefix);
  const elements = tellsClient
    ? [...earlierHops.map((hop) => `for=${forwardedNode(withoutPort(hop))}`), `for=${formatNode(address)}`]
    : ['for=unknown'];
  const host = client.host === '' ? '' : `;host="${client.host}"`;
  elements[0] = `${elements[0]}${host};proto=${client.protocol}`;
  headers.push('Forwarded', elements.join(', '));
}

/** Formats a claimed hop; a value that is not an IP address becomes `unknown` (RFC 7239 §6.2). */
function forwardedNode(claimed: string): string {
  return parseIpAddress(claimed) === undefined ? 'unknown' : formatNode(claimed);
}

/** RFC 7239 §6: an IPv6 address is enclosed in brackets and quotes. */
function formatNode(address: string): string {
  return address.includes(':') ? `"[${address}]"` : address;
}
