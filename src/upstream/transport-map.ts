import type { UpstreamTimeouts } from '../http/exchange.ts';

/** How the certificate of a site is verified. Without these settings, the authorities that the platform trusts apply. */
export interface UpstreamTls {
  /** Certificates in PEM that are trusted instead of the platform's authorities. */
  readonly ca?: string | undefined;
  /** Whether any certificate is accepted. The connection is then encrypted, and the server is not authenticated. */
  readonly insecure?: boolean | undefined;
}

/** Destination of a request, and how it is connected to. */
export interface TransportTarget {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly timeouts: UpstreamTimeouts;
  /** TLS settings, compared by identity; `undefined` for the platform's. */
  readonly tls?: UpstreamTls | undefined;
}

/**
 * Holds one transport for each origin, TLS settings and timeouts: a connection of one site is never used by another, and
 * each site has its own timeouts.
 */
export class TransportMap<Transport> {
  readonly #create: (target: TransportTarget) => Transport;
  /** Timeouts and TLS settings are compared by identity: each site has one object, and a text would be built per request. */
  readonly #transports = new Map<UpstreamTimeouts, Map<UpstreamTls | undefined, Map<string, Transport>>>();

  /** @param create called once for each origin, TLS settings and timeouts */
  constructor(create: (target: TransportTarget) => Transport) {
    this.#create = create;
  }

  get(target: TransportTarget): Transport {
    const { origin, timeouts, tls } = target;
    const known = this.#transports.get(timeouts)?.get(tls)?.get(origin);
    if (known !== undefined) return known;
    const byTls =
      this.#transports.get(timeouts) ?? new Map<UpstreamTls | undefined, Map<string, Transport>>();
    const byOrigin = byTls.get(tls) ?? new Map<string, Transport>();
    const created = this.#create(target);
    this.#transports.set(timeouts, byTls.set(tls, byOrigin.set(origin, created)));
    return created;
  }

  values(): readonly Transport[] {
    return [...this.#transports.values()].flatMap((byTls) =>
      [...byTls.values()].flatMap((byOrigin) => [...byOrigin.values()]),
    );
  }
}
