import {
  convertIPv4BinaryToString,
  convertIPv4MappedIPv6ToIPv4,
  convertIPv4ToBinary,
  convertIPv6BinaryToString,
  convertIPv6ToBinary,
  isIPv4MappedIPv6,
} from 'hono/utils/ipaddr';
import { memoizeByString } from '../../base/memoize.ts';
import type { Network } from '../../base/option-types.ts';

/** IPv4-mapped IPv6 addresses count as IPv4. */
export function createNetworkCheck(networks: readonly Network[]): (address: string) => boolean {
  if (networks.length === 0) return () => false;
  return memoizeByString((text) => {
    const address = parseIpAddress(text);
    const bits = address === undefined ? '' : writeBits(address);
    return networks.some(({ prefix }) => bits.startsWith(prefix));
  });
}

interface IpAddress {
  /** 32 or 128. An IPv4-mapped IPv6 address has 32. */
  readonly width: number;
  readonly value: bigint;
}

/** @returns `undefined` for what is neither an IP address nor a network such as 10.0.0.0/8 */
export function parseNetwork(text: string): Network | undefined {
  const [head = '', length] = text.split(/\/(.*)/s);
  const address = parseIpAddress(head);
  const width = address?.width ?? 0;
  const declared = length === undefined ? width : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  // ::ffff:10.0.0.0/104 is stored as IPv4, so the prefix length counts from there.
  const bits = length !== undefined && width === 32 && head.includes(':') ? declared - 96 : declared;
  return address && bits >= 0 && bits <= width
    ? { prefix: writeBits(address).slice(0, 2 + bits) }
    : undefined;
}

const writeBits = ({ value, width }: IpAddress): string =>
  `${width === 32 ? 4 : 6}:${value.toString(2).padStart(width, '0')}`;

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
