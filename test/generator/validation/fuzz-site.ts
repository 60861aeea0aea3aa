import { startReplay } from '../../../scripts/fuzz/replay.mjs';
import { type Summary, summarize } from '../../../scripts/fuzz/report.mjs';
import { type FuzzOptions, fuzz, type Replay } from '../../../scripts/fuzz/run.mjs';
import { startNodeGateway } from '../../support/gateway.ts';

/** Generated requests. */
type FuzzRequests = Pick<FuzzOptions, 'aim' | 'authorization' | 'count' | 'namespaces' | 'seed'> & {
  readonly mode?: 'enforce' | 'strict';
};

/** A site that generated requests are sent to directly, and through gateways. It executes each request once. */
export class FuzzedSite {
  readonly #site: string;
  readonly #replay: Replay;

  private constructor(site: string, replay: Replay) {
    this.#site = site;
    this.#replay = replay;
  }

  static async start(site: string): Promise<FuzzedSite> {
    return new FuzzedSite(site, await startReplay(site));
  }

  /** Compares the site with a new gateway that enforces its rules. */
  async compare({ mode = 'enforce', ...requests }: FuzzRequests): Promise<Summary> {
    const index: unknown = await (await fetch(`${this.#site}index.php?rest_route=/`)).json();
    const gateway = await startNodeGateway({ sites: [{ url: this.#url, validation: { mode } }] });
    try {
      const findings = await fuzz({
        ...requests,
        index,
        site: this.#site,
        gateway: `${gateway.origin}/`,
        replay: this.#replay,
        prefix: 'wp-json',
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
