import type { CacheStore } from '../../cache/store.ts';

import type { IncomingRequestHead } from '../../http/request-head.ts';
import type { Clock } from '../../ports.ts';
import type { DrainSwitch } from '../admin/site-operations.ts';
import type { MountedSite } from '../mounted-site.ts';

/** What the pages and actions of the console read and change. */
export interface ConsoleContext {
  /** By mount path. */
  readonly sites: ReadonlyMap<string, MountedSite>;
  /** Finds the site that serves a path of the gateway. */
  readonly findSite: (path: string) => MountedSite | undefined;
  /** `undefined` if all hosts are served. */
  readonly isServedHost: ((head: IncomingRequestHead) => boolean) | undefined;
  /** Path of the gateway's public URL, without trailing slash. */
  readonly publicPath: string;
  /** `null` if nothing is cached. */
  readonly store: CacheStore | null;
  readonly clock: Clock;
  /**
   * Returns the URL of a mount for a link, without slash at its end; `null` if it is unknown.
   *
   * @param root {@link ConsoleRequest.root}
   */
  readonly toSiteUrl: (root: string, mount: string) => string | null;
  readonly drain: DrainSwitch;
}
