import { attemptEach, ConfigurationError } from '../errors.ts';
import type { IncomingRequestHead } from '../http/exchange.ts';
import { memoizeByString } from '../memoize.ts';

/** Returns whether an IP address, as a socket reports it, is that of a trusted proxy. */
export type TrustedProxyCheck = (address: string) => boolean;

interface Network {
  readonly bytes: Uint8Array;
  readonly bits: number;
}

/** Creates the check for trusted proxies from addresses and networks. Their forwarding fields are trusted. */
export function createTrustedProxyCheck(networks: readonly string[]): TrustedProxyCheck {
  return networks.length === 0 ? () => false : createNetworkCheck(networks, 'trust');
}

/**
 * Creates a function that tells whether an IP address is in one of the networks.
 *
 * The grammar is `node:net`'s `isIP`; that module itself is not available on all platforms of the portable app.
 * `ipaddr.js` does not fit: it reads `::10.0.0.1` as `10.0.0.1`, and `::ffff:010.0.0.1` without an error.
 *
 * @param networks such as `10.0.0.0/8`, `::1`, `fd00::/8`; IPv4-mapped IPv6 addresses are treated as IPv4
 * @param setting names the list in the error
 * @throws {ConfigurationError} when an entry is neither an address nor a network
 */
export function createNetworkCheck(
  networks: readonly string[],
  setting: string,
): (address: string) => boolean {
  const parsed = attemptEach(networks, (network, at) => parseNetwork(network, `${setting}[${at}]`));
  return (address) => {
    const bytes = parseIpAddress(address);
    return bytes !== undefined && parsed.some((network) => contains(network, bytes));
  };
}

function parseNetwork(text: string, setting: string): Network {
  const slash = text.indexOf('/');
  const head = slash < 0 ? text : text.slice(0, slash);
  const bytes = parseIpAddress(head);
  const width = bytes === undefined ? 0 : bytes.length * 8;
  const length = text.slice(slash + 1);
  const stated = slash < 0 ? width : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  // The address of ::ffff:10.0.0.0/104 is stored as IPv4, so the prefix length counts from there.
  const bits = slash >= 0 && width === 32 && head.includes(':') ? stated - 96 : stated;
  if (bytes === undefined || !(bits >= 0 && bits <= width)) {
    throw new ConfigurationError(
      `${setting}: "${text}" is neither an IP address nor a network such as 10.0.0.0/8 or fd00::/8`,
    );
  }
  return { bytes, bits };
}

function contains(network: Network, address: Uint8Array): boolean {
  if (network.bytes.length !== address.length) return false;
  const whole = network.bits >> 3;
  for (let at = 0; at < whole; at++) if (network.bytes[at] !== address[at]) return false;
  const rest = network.bits & 7;
  if (rest === 0) return true;
  const difference = (network.bytes[whole] ?? 0) ^ (address[whole] ?? 0);
  return difference >> (8 - rest) === 0;
}

/**
 * Parses an IP address to 4 or 16 bytes. An IPv4-mapped IPv6 address gives 4; a zone (`fe80::1%eth0`) is ignored.
 *
 * @returns `undefined` if the text is not an IP address
 */
export function parseIpAddress(text: string): Uint8Array | undefined {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text);
}

/** Four numbers without leading zeros, which some parsers read as octal. */
const DOTTED_DECIMAL = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/;

function parseIpv4(text: string): Uint8Array | undefined {
  const match = DOTTED_DECIMAL.exec(text);
  if (match === null) return undefined;
  const numbers = match.slice(1).map(Number);
  return numbers.every((number) => number < 256) ? Uint8Array.from(numbers) : undefined;
}

const MAX_IPV6_TEXT = 100;

function parseIpv6(text: string): Uint8Array | undefined {
  if (text.length > MAX_IPV6_TEXT) return undefined;
  const zone = text.indexOf('%');
  const [head, tail, ...more] = (zone < 0 ? text : text.slice(0, zone)).split('::');
  if (head === undefined || more.length > 0) return undefined;
  const left = parseGroups(head, tail === undefined);
  const right = tail === undefined ? [] : parseGroups(tail, true);
  if (left === undefined || right === undefined) return undefined;
  const missing = 16 - left.length - right.length;
  if (tail === undefined ? missing !== 0 : missing < 2) return undefined;
  const bytes = Uint8Array.from([...left, ...new Array<number>(missing).fill(0), ...right]);
  const isIpv4Mapped = bytes.slice(0, 12).join() === '0,0,0,0,0,0,0,0,0,0,255,255';
  return isIpv4Mapped ? bytes.slice(12) : bytes;
}

/** Parses colon-separated groups to bytes. If `last`, the last group may be a dotted IPv4 address. */
function parseGroups(text: string, last: boolean): number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const parts = text.split(':');
  for (const [position, part] of parts.entries()) {
    const ipv4 = last && position === parts.length - 1 ? parseIpv4(part) : undefined;
    if (ipv4 !== undefined) bytes.push(...ipv4);
    else if (/^[0-9a-f]{1,4}$/i.test(part)) {
      const value = Number.parseInt(part, 16);
      bytes.push(value >> 8, value & 0xff);
    } else return undefined;
  }
  return bytes;
}

/**
 * Names the network of an IP address: `192.0.2.7`, `192.0.2.0/24`, `2001:db8:0:1::/64`.
 *
 * @param ipv4Prefix bits of an IPv4 address that are kept
 * @param ipv6Prefix bits of an IPv6 address that are kept
 * @returns the text itself if it is not an IP address
 */
export function nameNetwork(address: string, ipv4Prefix: number, ipv6Prefix: number): string {
  const bytes = parseIpAddress(address);
  if (bytes === undefined) return address;
  const bits = bytes.length === 4 ? ipv4Prefix : ipv6Prefix;
  const kept = bytes.map((byte, at) => byte & (0xff00 >> Math.min(8, Math.max(0, bits - at * 8))));
  const suffix = bits === bytes.length * 8 ? '' : `/${bits}`;
  if (kept.length === 4) return kept.join('.') + suffix;
  const groups = Array.from({ length: 8 }, (_, at) =>
    (((kept[at * 2] ?? 0) << 8) | (kept[at * 2 + 1] ?? 0)).toString(16),
  );
  const shown = groups.slice(0, Math.ceil(bits / 16));
  return shown.join(':') + (shown.length < 8 ? '::' : '') + suffix;
}

/** The client of a request: the connection's peer, or the client that trusted proxies report. */
export interface ClientIdentity {
  readonly address: string;
  readonly protocol: 'http' | 'https';
  /** Host as the client sent it, with its port if that is not the protocol's default port. */
  readonly host: string;
  /** The path under which a trusted proxy or an app mounts this gateway, without a trailing slash; usually empty. */
  readonly forwardedPrefix: string;
}

/** Unverified values of `Host`, `Forwarded` and `X-Forwarded-*`. Repeated lines are joined by commas. */
export type ForwardedClaims = Partial<
  Record<'host' | 'forwarded' | 'xFor' | 'xHost' | 'xProto' | 'xPort' | 'xPrefix', string>
>;

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

/**
 * Creates the function that returns the URL of a site as a client sees it. Most clients see the same one, so the last is memoized.
 *
 * @param mount path under which the site is mounted, without a trailing slash
 */
export function createBaseUrlLookup(
  publicUrl: string | undefined,
  mount: string,
): (client: ClientIdentity) => string {
  if (publicUrl !== undefined) {
    const publicBase = publicUrl.replace(/\/+$/, '') + mount;
    return () => publicBase;
  }
  let lastClient: ClientIdentity | undefined;
  let base = '';
  return (client) => {
    const { host, forwardedPrefix, protocol } = client;
    if (
      lastClient?.host !== host ||
      lastClient.protocol !== protocol ||
      lastClient.forwardedPrefix !== forwardedPrefix
    ) {
      lastClient = client;
      base = `${protocol}://${host}${forwardedPrefix}${mount}`;
    }
    return base;
  };
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
 * If any of `X-Forwarded-For`, `-Host` or `-Proto` is present, `Forwarded` (RFC 7239) is ignored: proxies that set the
 * former usually forward the client's own `Forwarded` unchanged.
 */
export function resolveClient(
  { peerAddress, prefix = '', protocol }: Pick<IncomingRequestHead, 'peerAddress' | 'prefix' | 'protocol'>,
  claims: ForwardedClaims,
  trust: TrustedProxyCheck,
): ResolvedClient {
  const address = unmapIpv4(peerAddress);
  if (trust(peerAddress)) return resolveClaims(protocol, address, prefix, claims, trust);
  const { host = '' } = claims;
  return {
    client: { address, protocol, host, forwardedPrefix: prefix },
    earlierHops: NO_HOPS,
  };
}

/** A configured public address replaces the host, protocol and prefix, whatever the request says. */
export function withPublicAddress(
  { address }: ClientIdentity,
  { host, prefix, protocol }: PublicAddress,
): ClientIdentity {
  return { address, protocol, host, forwardedPrefix: prefix };
}

/** @param peer IP address of a trusted proxy */
function resolveClaims(
  peerProtocol: 'http' | 'https',
  peer: string,
  prefix: string,
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
      forwardedPrefix:
        (claims.xPrefix !== undefined && PREFIX.test(claims.xPrefix) ? claims.xPrefix : '') + prefix,
    },
    earlierHops: info.chain,
  };
}

interface ForwardedInfo {
  readonly chain: readonly string[];
  readonly protocol: string | undefined;
  readonly host: string | undefined;
}

function parseXForwarded({ xFor = '', xHost = '', xProto = '' }: ForwardedClaims): ForwardedInfo {
  const [protocol] = splitList(xProto);
  return { chain: splitList(xFor), protocol: protocol?.toLowerCase(), host: splitList(xHost)[0] };
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
    ? [...earlierHops.map(withoutPort), address].map((hop) => `for=${formatNode(hop)}`)
    : ['for=unknown'];
  const host = client.host === '' ? '' : `;host="${client.host}"`;
  elements[0] = `${elements[0]}${host};proto=${client.protocol}`;
  headers.push('Forwarded', elements.join(', '));
}

/** RFC 7239 §6: an IPv6 address is enclosed in brackets and quotes. A text that is no IP address is `unknown` (§6.2). */
const formatNode = memoizeByString((address) => {
  if (parseIpAddress(address) === undefined) return 'unknown';
  return address.includes(':') ? `"[${address}]"` : address;
});
