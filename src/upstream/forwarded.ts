import { type ProxyTrust, parseIpAddress } from './trusted-proxies.ts';

/** The other end of the connection, as the server sees it. */
export interface Connection {
  /** IP address, without port; empty where the platform does not say. */
  readonly peer: string;
  readonly protocol: 'http' | 'https';
}

/** The caller as believed: the peer itself, or what trusted proxies say of the one behind them. */
export interface ClientIdentity {
  readonly address: string;
  readonly protocol: 'http' | 'https';
  /** Host, with its port where that is not the protocol's own, as the caller wrote it. */
  readonly host: string;
  /** The path under which a trusted proxy mounts this gateway, without a trailing slash; mostly empty. */
  readonly prefix: string;
}

/** What a request says of the proxies before this one, each field's lines joined by commas, undefined where absent. */
export interface ForwardedClaims {
  host: string | undefined;
  forwarded: string | undefined;
  xFor: string | undefined;
  xHost: string | undefined;
  xProto: string | undefined;
  xPort: string | undefined;
  xPrefix: string | undefined;
}

/** The believed caller, with the addresses of the proxies it came through. */
export interface ResolvedClient {
  readonly client: ClientIdentity;
  /** What the request claimed of earlier hops, the first one first; empty where the peer is not trusted. */
  readonly chain: readonly string[];
}

const NO_HOPS: readonly string[] = [];

/** RFC 3986 §3.2.2 and §3.2.3, without what needs percent-encoding: none of it is used in real host names. */
const HOST = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const PREFIX = /^(?:\/[A-Za-z0-9._~-]+)+$/;

export function isHostHeader(text: string): boolean {
  return text.length <= 300 && HOST.test(text);
}

/**
 * Who is calling. `X-Forwarded-*`, any of them, counts before `Forwarded` (RFC 7239), and where there is the former the latter is
 * ignored: proxies that set the one mostly pass on whatever the caller wrote into the other.
 */
export function resolveClient(
  connection: Connection,
  claims: ForwardedClaims,
  trust: ProxyTrust,
): ResolvedClient {
  const address = unmapIpv4(connection.peer);
  const host = claims.host ?? '';
  if (!trust(connection.peer)) {
    return { client: { address, protocol: connection.protocol, host, prefix: '' }, chain: NO_HOPS };
  }
  const hasX = (claims.xFor ?? claims.xHost ?? claims.xProto) !== undefined;
  const said = hasX ? parseXForwarded(claims) : parseForwarded(claims.forwarded ?? '');
  const protocol =
    said.protocol === 'http' || said.protocol === 'https' ? said.protocol : connection.protocol;
  const believedHost = said.host !== undefined && isHostHeader(said.host) ? said.host : host;
  return {
    client: {
      address: firstUntrusted(address, said.chain, trust),
      protocol,
      host: withPort(believedHost, claims.xPort, protocol),
      prefix: claims.xPrefix !== undefined && PREFIX.test(claims.xPrefix) ? claims.xPrefix : '',
    },
    chain: said.chain,
  };
}

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

/** One pair of a forwarded-element (RFC 7239 §4); quoted strings without escapes, which addresses never need. */
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

/** `[2001:db8::1]:4711` and `192.0.2.1:80` without brackets and port (RFC 7239 §6). */
function withoutPort(text: string): string {
  return /^\[([^\]]*)\](?::\S*)?$/.exec(text)?.[1] ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\S*$/, '$1');
}

function firstUntrusted(peer: string, chain: readonly string[], trust: ProxyTrust): string {
  let believed = peer;
  for (const claimed of chain.toReversed()) {
    const address = withoutPort(claimed);
    if (parseIpAddress(address) === undefined) return believed;
    believed = unmapIpv4(address);
    if (!trust(address)) return believed;
  }
  return believed;
}

function withPort(host: string, port: string | undefined, protocol: 'http' | 'https'): string {
  if (port === undefined || !/^\d{1,5}$/.test(port) || /:\d+$/.test(host) || host === '') return host;
  return port === defaultPort(protocol) ? host : `${host}:${port}`;
}

function defaultPort(protocol: 'http' | 'https'): string {
  return protocol === 'https' ? '443' : '80';
}

/** `::ffff:127.0.0.1`, as a dual-stack socket names an IPv4 peer, without its mapping. */
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
 * The fields that tell the site who is calling, appended to a flat list. Both spellings are written from one belief, so
 * that a site cannot be told two stories.
 *
 * @param peer the other end of the connection: IP address
 * @param mount the path under which this gateway mounts the site, without a trailing slash
 */
export function appendForwardedFields(
  headers: string[],
  peer: string,
  belief: ResolvedClient,
  mount: string,
): void {
  const { client, chain } = belief;
  const address = unmapIpv4(peer) || 'unknown';
  const colon = /:(\d+)$/.exec(client.host);
  headers.push('X-Forwarded-For', chain.length === 0 ? address : `${chain.join(', ')}, ${address}`);
  headers.push('X-Forwarded-Host', client.host);
  headers.push('X-Forwarded-Proto', client.protocol);
  headers.push('X-Forwarded-Port', colon?.[1] ?? defaultPort(client.protocol));
  const prefix = client.prefix + mount;
  if (prefix !== '') headers.push('X-Forwarded-Prefix', prefix);
  const elements = chain.map((hop) => `for=${forwardedNode(withoutPort(hop))}`);
  elements.push(`for=${formatNode(address)}`);
  const told = client.host === '' ? '' : `;host="${client.host}"`;
  elements[0] = `${elements[0]}${told};proto=${client.protocol}`;
  headers.push('Forwarded', elements.join(', '));
}

/** Whatever a proxy claims that is no address is `unknown` (RFC 7239 §6.2). */
function forwardedNode(claimed: string): string {
  return parseIpAddress(claimed) === undefined ? 'unknown' : formatNode(claimed);
}

/** RFC 7239 §6: IPv6 in brackets and quotes. */
function formatNode(address: string): string {
  return address.includes(':') ? `"[${address}]"` : address;
}
