import { settleAll } from '../errors.ts';
import { findSiteKey, type Gateway, type GatewayInternals, getGatewayInternals } from './gateway.ts';
import { replaceParts } from './gateway-parts.ts';
import type { MountedSite } from './mounted-site.ts';

/** The replacement of a gateway by one that was created with other settings, and with its parts. */
export class Takeover {
  /** New sites, and those with other settings. */
  readonly added: ReadonlyMap<string, MountedSite>;
  readonly #gateway: Gateway;
  readonly #next: GatewayInternals;
  readonly #previous: GatewayInternals;

  constructor(gateway: Gateway, previous: GatewayInternals) {
    this.#gateway = gateway;
    this.#next = getGatewayInternals(gateway);
    this.#previous = previous;
    const { sites } = previous.context;
    this.added = new Map([...this.#next.context.sites].filter(([mount, site]) => sites.get(mount) !== site));
  }

  /**
   * Gets the sites ready that the gateway before does not have.
   *
   * @throws {ConfigurationError} when one cannot be served. Nothing has changed then
   */
  async prepare(): Promise<void> {
    const { sites } = this.#previous.context;
    try {
      await settleAll(Array.from(this.added, ([mount, site]) => site.prepare(sites.get(mount))));
    } catch (error) {
      await this.abandon();
      throw error;
    }
  }

  /** Ends the work of these sites: the gateway before stays. */
  async abandon(): Promise<void> {
    await Promise.all(Array.from(this.added.values(), (site) => site.stop()));
  }

  /** Begins the work of the next gateway, and ends that of the sites that it does not have. Requests in flight go on. */
  complete(): void {
    const { context, parts } = this.#next;
    replaceParts(parts, this.#previous.parts);
    if (parts.notifier !== null) parts.notifier.findSite = (scope) => findSiteKey(context.sites, scope);
    this.#next.reportChanges();
    for (const [mount, site] of this.#previous.context.sites) {
      if (context.sites.get(mount) !== site) void site.stop();
    }
    this.#gateway.start();
  }
}
