import { startReplay } from '../../../scripts/fuzz/replay.mjs';
import { type Summary, summarize } from '../../../scripts/fuzz/report.mjs';
import { type FuzzOptions, fuzz, type Replay, type SiteResponse } from '../../../scripts/fuzz/run.mjs';
import type { ValidationMode } from '../../../src/generator/validation/request/result.ts';
import { startNodeGateway } from '../../support/gateway.ts';

/** Generated requests. */
export type FuzzRequests = Pick<
  FuzzOptions,
  'aim' | 'authorization' | 'bodyless' | 'count' | 'namespaces' | 'parallel' | 'seed'
>;

/** A site that generated requests are sent to directly, and through gateways. It executes each request once. */
export class FuzzedSite {
  readonly #site: string;
  readonly #replay: Replay;
  readonly #responses = new Map<FuzzRequests, Map<number, SiteResponse>>();

  private constructor(site: string, replay: Replay) {
    this.#site = site;
    this.#replay = replay;
  }

  static async start(site: string): Promise<FuzzedSite> {
    return new FuzzedSite(site, await startReplay(site));
  }

  /** Compares the site with a new gateway. */
  async compare(requests: FuzzRequests, mode: ValidationMode = 'enforce'): Promise<Summary> {
    const index: unknown = await (await fetch(`${this.#site}index.php?rest_route=/`)).json();
    const responses = this.#responses.get(requests) ?? new Map<number, SiteResponse>();
    this.#responses.set(requests, responses);
    const gateway = await startNodeGateway({ sites: [{ url: this.#url, validation: { mode } }] });
    try {
      const findings = await fuzz({
        ...requests,
        index,
        site: this.#site,
        gateway: `${gateway.origin}/`,
        replay: this.#replay,
        prefix: 'wp-json',
        responses,
      });
      return summarize(findings);
    } finally {
      await gateway.stop();
    }
  }

  close(): Promise<void> {
    return this.#replay.close();
  }

  get #url(): string {
    return `${this.#replay.origin}/`;
  }
}
