import type { HttpCache } from '../cache/http-cache.ts';
import { ConfigurationError } from '../errors.ts';
import type { IncomingRequestHead } from '../http/exchange.ts';
import type { Clock } from '../ports.ts';
import type { MountedSite } from './mounted-site.ts';
import type { Snapshot } from './snapshot/snapshot.ts';

/** Milliseconds between a purge and the requests: writes that follow each other are answered by one round. */
const DELAY = 20;
/** Milliseconds after which a site that had no document is looked at again. */
const RETRY_DELAY = 1_000;

/** Requests an address of a site as a visitor without a session does, and reads the response to its end. */
type WarmingRequest = (site: MountedSite, snapshot: Snapshot, head: IncomingRequestHead) => Promise<void>;

/**
 * Requests the addresses of `cache.warm` at the start and after each purge, in their order and one after the other. What is stored is
 * a hit and costs the site nothing. A purge begins a new round, so the first addresses come first.
 */
export class Warming {
  readonly #addresses: readonly { readonly site: MountedSite; readonly head: IncomingRequestHead }[];
  readonly #cache: HttpCache | null;
  readonly #request: WarmingRequest;
  readonly #clock: Clock;
  #state: 'idle' | 'started' | 'stopped' = 'idle';
  #isRunning = false;
  #position = 0;

  /** @throws {ConfigurationError} when a site has addresses, and neither it nor the gateway has a `publicUrl` */
  constructor(sites: Iterable<MountedSite>, cache: HttpCache | null, clock: Clock, request: WarmingRequest) {
    this.#addresses = [...sites].flatMap((site) => listHeads(site).map((head) => ({ site, head })));
    this.#cache = cache;
    this.#request = request;
    this.#clock = clock;
  }

  /** Idempotent. This object then follows the purges of the cache, and an earlier one no longer does. */
  start(): void {
    if (this.#cache === null || this.#state !== 'idle') return;
    this.#state = 'started';
    const isNeeded = this.#addresses.length > 0;
    this.#cache.onPurge = isNeeded ? () => this.#restart() : null;
    if (isNeeded) this.#restart();
  }

  stop(): void {
    this.#state = 'stopped';
  }

  #restart(): void {
    this.#position = 0;
    this.#schedule(DELAY);
  }

  #schedule(delay: number): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#clock.after(delay, () => void this.#run());
  }

  async #run(): Promise<void> {
    let isComplete = true;
    for (;;) {
      const next = this.#addresses[this.#position];
      if (next === undefined || this.#state !== 'started') break;
      this.#position += 1;
      const { head, site } = next;
      const { snapshot } = site.runtime;
      if (snapshot === null) isComplete = false;
      // A failure is among the problems of the site.
      else await this.#request(site, snapshot, head).catch(() => {});
    }
    this.#isRunning = false;
    if (isComplete || this.#state !== 'started') return;
    this.#position = 0;
    this.#schedule(RETRY_DELAY);
  }
}

/** What visitors of the addresses send. Pages have the public URL in them, so they are stored by it. */
function listHeads({ mountPath, options, publicUrl, setting }: MountedSite): readonly IncomingRequestHead[] {
  const { warm = [] } = options.cache === 'off' || options.cache === undefined ? {} : options.cache;
  if (warm.length === 0) return [];
  if (publicUrl === undefined) {
    throw new ConfigurationError(
      `${setting}.cache.warm needs publicUrl: responses are stored for the URL at which visitors reach the gateway`,
    );
  }
  const { host, protocol } = new URL(publicUrl);
  return warm.map((address) => ({
    method: 'GET',
    target: mountPath + address,
    headers: ['Host', host],
    peerAddress: '',
    protocol: protocol === 'https:' ? 'https' : 'http',
    httpVersion: '1.1',
  }));
}
