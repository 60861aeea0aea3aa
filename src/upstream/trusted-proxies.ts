import { ConfigurationError } from '../errors.ts';

/** Returns whether an IP address, as a socket reports it, is that of a trusted proxy. */
export type TrustedProxyCheck = (address: string) => boolean;

interface Network {
  readonly bytes: Uint8Array;
  readonly bits: number;
}

/**
 * Creates the check for trusted proxies from addresses and networks. Their forwarding fields are trusted.
 *
 * The grammar is `node:net`'s `isIP`; that module itself is not available on all platforms of the portable app.
 * `ipaddr.js` does not fit: it reads `::10.0.0.1` as `10.0.0.1`, and `::ffff:010.0.0.1` without an error.
 *
 * @param networks such as `10.0.0.0/8`, `::1`, `fd00::/8`; IPv4-mapped IPv6 addresses are treated as IPv4
 * @throws {ConfigurationError} when an entry is neither an address nor a network
 */
export function createTrustedProxyCheck(networks: readonly string[]): TrustedProxyCheck {
  if (networks.length === 0) return () => false;
  const parsed = networks.map(parseNetwork);
  return (address) => {
    const bytes = parseIpAddress(address);
    return bytes !== undefined && parsed.some((network) => contains(network, bytes));
  };
}

function parseNetwork(text: string): Network {
  const slash = text.indexOf('/');
  const head = slash < 0 ? text : text.slice(0, slash);
  const bytes = parseIpAddress(head);
  const width = bytes === undefined ? 0 : bytes.length * 8;
  const stated = slash < 0 ? width : parsePrefixLength(text.slice(slash + 1));
  // The address of ::ffff:10.0.0.0/104 is stored as IPv4, so the prefix length counts from there.
  const bits = slash >= 0 && width === 32 && head.includes(':') ? stated - 96 : stated;
  if (bytes === undefined || !(bits >= 0 && bits <= width)) {
    throw new ConfigurationError(
      `trust: "${text}" is neither an IP address nor a network such as 10.0.0.0/8 or fd00::/8`,
    );
  }
  return { bytes, bits };
}

function parsePrefixLength(text: string): number {
  return /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
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
  return isIpv4Mapped(bytes) ? bytes.slice(12) : bytes;
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

function isIpv4Mapped(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
}
