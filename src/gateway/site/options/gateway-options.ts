import type { AdminConfig, AlertConfig, Config } from '../../../base/option-types.ts';
import type { Clock, Log, StateStore } from '../../../base/ports.ts';
import type { CacheStore } from '../../cache/store.ts';
import type { TransportFactory } from '../../upstream/site-transports.ts';
import type { InProgram, SiteOptions } from './site-options.ts';

type ReadSettings = Pick<
  Config,
  'host' | 'hosts' | 'notify' | 'port' | 'publicUrl' | 'shutdownDelay' | 'shutdownGrace' | 'trust'
>;

/** A parsed configuration, with what its files and URLs name opened, and the environment. */
export interface GatewayOptions extends InProgram<ReadSettings> {
  /** Each name is unique; at most one site has neither a name nor hosts. */
  readonly sites: readonly SiteOptions[];
  readonly cache?: 'off' | 'memory' | CacheStore | undefined;
  /** Milliseconds after `stop()` for which idle connections stay open. @default 0 */
  readonly idleGrace?: number | undefined;
  readonly admin?: AdminOptions | undefined;
  /** For discovery, and to tell others what is purged. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly transport?: TransportFactory | undefined;
  readonly onStopped?: (() => Promise<void>) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
  /** @default documents are lost when the process ends */
  readonly state?: StateStore | undefined;
  readonly log?: Log | undefined;
}

export interface AdminOptions extends InProgram<Omit<AdminConfig, 'alerts'>> {
  readonly alerts?: InProgram<AlertConfig> | undefined;
  /** The last lines of the log, in JSON as pino writes it, for the timeline of the console. @default none */
  readonly listLogLines?: (() => readonly string[]) | undefined;
  /** Reads the configuration, for `POST /-/reload`. Never rejects. @default there is no such operation */
  readonly reload?: (() => Promise<ReloadResult>) | undefined;
}

export type ReloadResult = ReloadReport | { readonly problems: readonly string[] };

export interface ReloadReport {
  /** Settings with another value: `admin.token`, `sites.blog.cache.rules`; `sites.blog` if it is new. */
  readonly changed: readonly string[];
  /** Settings with another value from the next start on. */
  readonly needsRestart: readonly string[];
}
