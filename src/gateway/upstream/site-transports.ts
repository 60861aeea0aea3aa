import type { LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatch, UpstreamTimeouts } from '../../base/http/exchange.ts';
import { DispatchTransport } from './dispatch-transport.ts';
import type { UpstreamServer, UpstreamTls } from './site-fetch.ts';

export interface TransportTarget {
  readonly origin: string;
  readonly timeouts: UpstreamTimeouts;
  readonly tls: UpstreamTls | undefined;
  /** For servers that the site leads to. */
  readonly lookup: LookupFunction | undefined;
}

export interface Transport {
  readonly send: Dispatch;
  close(): Promise<void>;
  destroy(): Promise<void>;
}

export type TransportFactory = (target: TransportTarget) => Transport;

/** Milliseconds for which a replaced site's connections stay open, so that requests can be repeated. */
const RETIRE_DELAY = 30_000;

export class SiteTransports {
  readonly #create: TransportFactory;
  readonly #settings: Omit<TransportTarget, 'origin'>;
  readonly #transports = new Map<string, Transport>();

  constructor(settings: Omit<TransportTarget, 'origin'>, create?: TransportFactory) {
    this.#create = create ?? ((target) => new DispatchTransport(target));
    this.#settings = settings;
  }

  /** TLS settings are for the configured server only. */
  get({ isConfigured, origin }: UpstreamServer): Dispatch {
    const known = this.#transports.get(origin);
    if (known !== undefined) return known.send;
    const { lookup, timeouts, tls } = this.#settings;
    const created = this.#create(
      isConfigured
        ? { origin, timeouts, tls, lookup: undefined }
        : { origin, timeouts, tls: undefined, lookup },
    );
    this.#transports.set(origin, created);
    return created.send;
  }

  /** Closes after the requests in flight, or after milliseconds: no client waits for a background refresh. */
  async close(grace: number): Promise<void> {
    const all = [...this.#transports.values()];
    const isLate = await Promise.race([this.#finish(), sleep(grace, true, { ref: false })]);
    if (isLate === true) await Promise.all(all.map((transport) => transport.destroy()));
  }

  /** Closes the connections later, after the requests in flight: another site serves in place of this one. */
  retire(): void {
    setTimeout(() => void this.#finish(), RETIRE_DELAY).unref();
  }

  async #finish(): Promise<void> {
    const all = [...this.#transports.values()];
    this.#transports.clear();
    await Promise.all(all.map((transport) => transport.close()));
  }
}
