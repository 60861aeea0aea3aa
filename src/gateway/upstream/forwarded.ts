import { randomBytes } from 'node:crypto';
import {
  convertIPv4BinaryToString,
  convertIPv4MappedIPv6ToIPv4,
  convertIPv4ToBinary,
  convertIPv6BinaryToString,
  convertIPv6ToBinary,
  isIPv4MappedIPv6,
} from 'hono/utils/ipaddr';
import { attemptEach, ConfigurationError } from '../../base/errors.ts';
import { digest } from '../../base/hash.ts';
import { hasField, type IncomingRequestHead } from '../../base/http/message.ts';
import { memoizeByString } from '../../base/memoize.ts';

export type TrustedProxyCheck = (address: string) => boolean;

export function createTrustedProxyCheck(networks: readonly string[]): TrustedProxyCheck {
  return networks.length === 0 ? () => false : createNetworkCheck(networks, 'trust');
}

/** IPv4-mapped IPv6 addresses count as IPv4. @throws {ConfigurationError} for an invalid entry */
export function createNetworkCheck(
  networks: readonly string[],
  setting: string,
): (address: string) => boolean {
  const parsed = attemptEach(networks, (network, at) => parseNetwork(network, `${setting}[${at}]`));
  return (text) => {
    const address = parseIpAddress(text);
    return (
      address !== undefined &&
      parsed.some(
        ({ rest, value, width }) => width === address.width && value >> rest === address.value >> rest,
      )
    );
  };
}

interface IpAddress {
  /** 32 or 128. An IPv4-mapped IPv6 address has 32. */
  readonly width: number;
  readonly value: bigint;
}

function parseNetwork(text: string, setting: string): IpAddress & { readonly rest: bigint } {
  const [head = '', length] = text.split(/\/(.*)/s);
  const address = parseIpAddress(head);
  const width = address?.width ?? 0;
  const declared = length === undefined ? width : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  // ::ffff:10.0.0.0/104 is stored as IPv4, so the prefix length counts from there.
  const bits = length !== undefined && width === 32 && head.includes(':') ? declared - 96 : declared;
  if (address === undefined || !(bits >= 0 && bits <= width)) {
    throw new ConfigurationError(
      `${setting}: "${text}" is neither an IP address nor a network such as 10.0.0.0/8 or fd00::/8`,
    );
  }
  return { ...address, rest: BigInt(width - bits) };
}

export function parseIpAddress(text: string): IpAddress | undefined {
  try {
    if (!text.includes(':')) return { width: 32, value: convertIPv4ToBinary(text) };
    const value = convertIPv6ToBinary(text);
    return isIPv4MappedIPv6(value)
      ? { width: 32, value: convertIPv4MappedIPv6ToIPv4(value) }
      : { width: 128, value };
  } catch {
    return undefined;
  }
}

/** An IPv4 address, or a /64 of IPv6 (`2001:db8:0:1::/64`), the least that providers give a client. Other texts stay. */
export const nameNetwork: (text: string) => string = memoizeByString((text) => {
  const address = parseIpAddress(text);
  if (address === undefined) return text;
  const { value, width } = address;
  if (width === 32) return convertIPv4BinaryToString(value);
  return `${convertIPv6BinaryToString((value >> 64n) << 64n)}/64`;
});

export interface ClientIdentity {
  readonly address: string;
  readonly protocol: 'http' | 'https';
  readonly host: string;
  /** Where a trusted proxy or an app mounts this gateway, without a trailing slash. */
  readonly forwardedPrefix: string;
}

export type ForwardedClaims = Partial<
  Record<'host' | 'xFor' | 'xHost' | 'xProto' | 'xPort' | 'xPrefix', string>
>;

export interface PublicAddress {
  readonly protocol: 'http' | 'https';
  readonly host: string;
  readonly prefix: string;
}

export function toPublicAddress(publicUrl: string): PublicAddress {
  const { host, pathname, protocol } = new URL(publicUrl);
  return { host, protocol: protocol === 'https:' ? 'https' : 'http', prefix: pathname.replace(/\/+$/, '') };
}

export function createBaseUrlLookup(
  publicUrl: string | undefined,
  mount: string,
  hasManyHosts = false,
): (client: ClientIdentity) => string {
  if (publicUrl !== undefined && hasManyHosts) {
    const { prefix, protocol } = toPublicAddress(publicUrl);
    return ({ host }) => `${protocol}://${host}${prefix}${mount}`;
  }
  if (publicUrl !== undefined) {
    const publicBase = publicUrl.replace(/\/+$/, '') + mount;
    return () => publicBase;
  }
  return ({ forwardedPrefix, host, protocol }) => `${protocol}://${host}${forwardedPrefix}${mount}`;
}

export interface ResolvedClient {
  readonly client: ClientIdentity;
  readonly isBehindProxy: boolean;
  /** From the client on, without the peer; empty if that is not trusted. */
  readonly earlierHops: readonly string[];
}

const NO_HOPS: readonly string[] = [];

/** RFC 3986 §3.2.2, §3.2.3, without percent-encoding. */
const HOST = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const PREFIX = /^(?:\/[A-Za-z0-9._~-]+)+$/;

/** Whether a text is a host with an optional port, as URLs name it: frameworks refuse `127.1`. */
export const isValidHostField: (text: string) => boolean = memoizeByString((text) => {
  if (text.length > 300 || !HOST.test(text) || !URL.canParse(`http://${text}`)) return false;
  return new URL(`http://${text}`).hostname === text.replace(/:\d+$/, '').toLowerCase();
});

/** Proxies that set `X-Forwarded-*` forward the client's own `Forwarded` (RFC 7239), so it is not read. */
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
    isBehindProxy: false,
    earlierHops: NO_HOPS,
  };
}

export function withPublicAddress(
  { address }: ClientIdentity,
  { host, prefix, protocol }: PublicAddress,
): ClientIdentity {
  return { address, protocol, host, forwardedPrefix: prefix };
}

function resolveClaims(
  peerProtocol: 'http' | 'https',
  peer: string,
  prefix: string,
  claims: ForwardedClaims,
  trust: TrustedProxyCheck,
): ResolvedClient {
  const { host = '', xFor = '', xHost = '', xProto = '' } = claims;
  const { address, hops } = findClient(peer, splitList(xFor), trust);
  const [named] = splitList(xProto.toLowerCase());
  const protocol = named === 'http' || named === 'https' ? named : peerProtocol;
  const [claimedHost] = splitList(xHost);
  const clientHost = claimedHost !== undefined && isValidHostField(claimedHost) ? claimedHost : host;
  return {
    client: {
      address,
      protocol,
      host: withPort(clientHost, claims.xPort, protocol),
      forwardedPrefix:
        (claims.xPrefix !== undefined && PREFIX.test(claims.xPrefix) ? claims.xPrefix : '') + prefix,
    },
    isBehindProxy: true,
    earlierHops: hops,
  };
}

function withoutPort(text: string): string {
  return /^\[([^\]]*)\](?::\S*)?$/.exec(text)?.[1] ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\S*$/, '$1');
}

/** Finds the last untrusted address, else the first one. Earlier hops are the client's own claim. */
function findClient(
  peer: string,
  chain: readonly string[],
  trust: TrustedProxyCheck,
): { readonly address: string; readonly hops: readonly string[] } {
  let found = { address: peer, hops: NO_HOPS };
  for (let at = chain.length - 1; at >= 0; at -= 1) {
    const address = withoutPort(chain[at] ?? '');
    if (parseIpAddress(address) === undefined) break;
    found = { address: unmapIpv4(address), hops: chain.slice(at) };
    if (!trust(address)) break;
  }
  return found;
}

function withPort(host: string, port: string | undefined, protocol: 'http' | 'https'): string {
  if (port === undefined || !/^\d{1,5}$/.test(port) || /:\d+$/.test(host) || host === '') return host;
  return port === defaultPort(protocol) ? host : `${host}:${port}`;
}

function defaultPort(protocol: 'http' | 'https'): string {
  return protocol === 'https' ? '443' : '80';
}

function unmapIpv4(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

const ADDRESS_FIELDS = ['X-Real-IP', 'True-Client-IP', 'CF-Connecting-IP'];

const ADDRESS_IN_LIST = /(?:^|,)\s*(?:\d+\.\d+\.\d+\.\d+|\[?[\da-f]*:[\da-f:]*)/i;

/** Whether a field claims an address other than the client's, e.g. `CF-Connecting-IP`, whatever its name. */
export function claimsOtherAddress(name: string, value: string, client: ClientIdentity): boolean {
  if (!ADDRESS_IN_LIST.test(value) || /version$/i.test(name)) return false;
  const own = parseIpAddress(client.address)?.value;
  return splitList(value).some((item) => {
    const claimed = parseIpAddress(withoutPort(item))?.value;
    return claimed !== undefined && claimed !== own;
  });
}

const FOREIGN_NETWORKS = ['192.0.2', '203.0.113'];

/**
 * Addresses of foreign visitors, by target (RFC 5737). A single one would be refused for asking too often. Without a secret anybody
 * could choose targets that share one, to have it locked out.
 */
export function createForeignAddresses(): (target: string) => string {
  const secret = randomBytes(16);
  return (target) => {
    const number = digest(secret, target).readUInt32LE(0) % (FOREIGN_NETWORKS.length * 254);
    return `${FOREIGN_NETWORKS[Math.floor(number / 254)]}.${(number % 254) + 1}`;
  };
}

export function appendForwardedFields(
  headers: string[],
  peer: string,
  resolved: Pick<ResolvedClient, 'client' | 'earlierHops'>,
  mount: string,
  foreign: string | undefined,
): void {
  const { client } = resolved;
  const earlierHops = foreign === undefined ? resolved.earlierHops : NO_HOPS;
  const address = foreign ?? (unmapIpv4(peer) || 'unknown');
  const colon = /:(\d+)$/.exec(client.host);
  headers.push('X-Forwarded-For', [...earlierHops, address].join(', '));
  if (foreign !== undefined)
    for (const name of ADDRESS_FIELDS)
      if (!hasField(headers, name.toLowerCase())) headers.push(name, foreign);
  headers.push('X-Forwarded-Host', client.host);
  headers.push('X-Forwarded-Proto', client.protocol);
  headers.push('X-Forwarded-Port', colon?.[1] ?? defaultPort(client.protocol));
  const prefix = client.forwardedPrefix + mount;
  if (prefix !== '') headers.push('X-Forwarded-Prefix', prefix);
  const elements = [...earlierHops.map(withoutPort), address].map((hop) => `for=${formatNode(hop)}`);
  const host = client.host === '' ? '' : `;host="${client.host}"`;
  elements[0] = `${elements[0]}${host};proto=${client.protocol}`;
  headers.push('Forwarded', elements.join(', '));
}

/** RFC 7239 §6. */
const formatNode = memoizeByString((address) => {
  if (parseIpAddress(address) === undefined) return 'unknown';
  return address.includes(':') ? `"[${address}]"` : address;
});
