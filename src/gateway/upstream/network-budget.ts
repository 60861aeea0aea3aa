import { LRUCache } from 'lru-cache';
import { type Clock, systemClock } from '../../base/ports.ts';
import { nameNetwork } from './networks.ts';

export interface NetworkLimits {
  readonly ofNetwork: number;
  /** Units that all networks can hold together. @default no limit */
  readonly ofAll?: number;
  /** Milliseconds from a network's first unit until it has the whole budget again. @default units are given back one by one */
  readonly window?: number;
}

/** The part of a budget that one network has taken. */
export interface NetworkShare {
  /** `192.0.2.1`, `2001:db8::/64`. */
  readonly network: string;
  taken: number;
  /** End of the window, in milliseconds since the epoch. */
  readonly end: number;
}

interface ShareMap {
  get(network: string): NetworkShare | undefined;
  set(network: string, share: NetworkShare): unknown;
  delete(network: string): unknown;
}

/** Bytes of shares in windows. The least recently used one is forgotten, so a client that goes on asking stays counted. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Bytes of a share without its network's name, with its place in the cache. */
const SHARE_BYTES = 160;

/** Requests, bytes or places of which each network gets a limited part: an IPv4 address, or an IPv6 network of 64 bits. */
export class NetworkBudget {
  readonly limits: NetworkLimits;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #shares: ShareMap;
  /** Units of all networks that have not been given back; 0 with a window. */
  held = 0;
  refused = 0;

  constructor(limits: NetworkLimits, clock: Pick<Clock, 'now'> = systemClock) {
    this.limits = limits;
    this.#clock = clock;
    // Units that are given back bound the number of shares themselves, and must not be forgotten before.
    this.#shares =
      limits.window === undefined
        ? new Map()
        : new LRUCache({
            maxSize: MAX_BYTES,
            sizeCalculation: ({ network }: NetworkShare) => SHARE_BYTES + 2 * network.length,
          });
  }

  find(client: string): NetworkShare {
    const { window = Number.POSITIVE_INFINITY } = this.limits;
    const network = nameNetwork(client);
    const known = this.#shares.get(network);
    const now = this.#clock.now();
    // The window is not over, and the clock was not set back.
    const isCurrent = known && now < known.end && !(now < known.end - window);
    return isCurrent ? known : { network, taken: 0, end: now + window };
  }

  /** @returns whether the units are taken: all of them or none */
  take(client: string, units = 1): boolean {
    const { ofAll = Number.POSITIVE_INFINITY, ofNetwork, window } = this.limits;
    const share = this.find(client);
    if (share.taken + units > ofNetwork || this.held + units > ofAll) {
      this.refused += 1;
      return false;
    }
    // It is not stored yet.
    if (share.taken === 0) this.#shares.set(share.network, share);
    share.taken += units;
    if (window === undefined) this.held += units;
    return true;
  }

  giveBack(client: string, units = 1): void {
    const share = this.find(client);
    this.held -= units;
    share.taken -= units;
    if (share.taken <= 0) this.#shares.delete(share.network);
  }
}
