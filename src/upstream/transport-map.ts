import type { UpstreamTimeouts } from '../http/exchange.ts';
import type { UpstreamTls } from './upstream-tls.ts';

/** Destination of a request, and how it is connected to. */
export interface TransportTarget {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly timeouts: UpstreamTimeouts;
  /** TLS settings, compared by identity; `undefined` for the platform's. */
  readonly tls?: UpstreamTls | undefined;
}

/** Holds one transport for each origin and TLS settings: a connection of one site is never used by another. */
export class TransportMap<Transport> {
  readonly #create: (target: TransportTarget) => Transport;
  readonly #default = new Map<string, Transport>();
  readonly #byTls = new Map<UpstreamTls, Map<string, Transport>>();

  /** @param create called once for each origin and TLS settings */
  constructor(create: (target: TransportTarget) => Transport) {
    this.#create = create;
  }

  get(target: TransportTarget): Transport {
    const { origin, tls } = target;
    const transports = tls === undefined ? this.#default : this.#getTransports(tls);
    const known = transports.get(origin);
    if (known !== undefined) return known;
    const created = this.#create(target);
    transports.set(origin, created);
    return created;
  }

  #getTransports(tls: UpstreamTls): Map<string, Transport> {
    const known = this.#byTls.get(tls) ?? new Map<string, Transport>();
    this.#byTls.set(tls, known);
    return known;
  }

  values(): readonly Transport[] {
    return [this.#default, ...this.#byTls.values()].flatMap((transports) => [...transports.values()]);
  }
}
