import { memoizeByString } from '../../memoize.ts';
import { parseIpAddress } from '../../upstream/trusted-proxies.ts';
import type { BodyMemoryOptions } from '../options/gateway-options.ts';

/** The memory for request bodies that all requests of a gateway share. */
export interface BodyMemory {
  /** Starts to count the bytes of one request. @param client IP address */
  open(client: string): BodyReservation;
  stats(): BodyMemoryStats;
}

/** The bytes of one request. */
export interface BodyReservation {
  /** Reserves more bytes; `false` if that would exceed a limit. */
  grow(bytes: number): boolean;
  /** Returns all bytes. Idempotent. */
  release(): void;
}

/** Measurements for the metrics. */
export interface BodyMemoryStats {
  readonly bytes: number;
  readonly maxBytes: number;
  /** Bodies for which there was no memory. */
  readonly exceeded: number;
}

const DEFAULT_TOTAL_BYTES = 64 * 1024 * 1024;

export function createBodyMemory({
  total = DEFAULT_TOTAL_BYTES,
  perClient = Math.ceil(total / 2),
}: BodyMemoryOptions = {}): BodyMemory {
  const bytesByNetwork = new Map<string, number>();
  let totalBytes = 0;
  let exceeded = 0;
  return {
    open(client) {
      let network: string | undefined;
      let reserved = 0;
      return {
        grow(bytes) {
          network ??= toClientNetwork(client);
          const ofClient = bytesByNetwork.get(network) ?? 0;
          if (totalBytes + bytes > total || ofClient + bytes > perClient) {
            exceeded += 1;
            return false;
          }
          totalBytes += bytes;
          reserved += bytes;
          bytesByNetwork.set(network, ofClient + bytes);
          return true;
        },
        release() {
          if (network === undefined || reserved === 0) return;
          const rest = (bytesByNetwork.get(network) ?? 0) - reserved;
          if (rest > 0) bytesByNetwork.set(network, rest);
          else bytesByNetwork.delete(network);
          totalBytes -= reserved;
          reserved = 0;
        },
      };
    },
    stats: () => ({ bytes: totalBytes, maxBytes: total, exceeded }),
  };
}

/** A provider gives a client of IPv6 a network of 64 bits or more, so its addresses count as one client. */
export const toClientNetwork: (address: string) => string = memoizeByString((address) => {
  const bytes = parseIpAddress(address);
  return bytes === undefined ? address : bytes.subarray(0, 8).join('.');
});
