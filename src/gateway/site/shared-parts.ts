import { type Environment, silentLog, systemClock } from '../../base/ports.ts';
import { createLine, type Line } from '../../base/steps.ts';
import { HttpCache } from '../cache/http-cache.ts';
import type { Awaitable } from '../cache/store.ts';
import { MemoryStore } from '../cache/stores/memory-store.ts';
import { createBodyMemory } from '../exchange/request-body-validator.ts';
import type { NetworkBudget } from '../upstream/network-budget.ts';
import { createNetworkCheck } from '../upstream/networks.ts';
import type { TrustedProxyCheck } from '../upstream/request-headers.ts';
import { keep } from './keep.ts';
import { TokenAttempts } from './limiting/site-limits.ts';
import { PurgeNotifier } from './purge-notifier.ts';
import type { GatewayOptions } from './settings.ts';
import { TargetMemory } from './target-memos.ts';
import { SiteRecorder } from './traffic/site-recorder.ts';
import { Histogram } from './traffic/site-traffic.ts';

/** Values by metric with labels: `process_open_fds`, `waygate_x_total{side="y"}`. */
export type Reporter = () => Awaitable<readonly (readonly [series: string, value: number])[]>;

/** Sites that are read at once. */
const DISCOVERIES = 4;
/** Milliseconds after which a slow site lets another begin. */
const DISCOVERY_PATIENCE = 3_000;

/** What the sites of a gateway share. All but the options and what follows from them outlives a reload. */
export interface SharedParts extends Environment {
  readonly options: GatewayOptions;
  /** `null` if no proxy is trusted. */
  readonly trust: TrustedProxyCheck | null;
  readonly cache: HttpCache | null;
  readonly notifier: PurgeNotifier | null;
  readonly bodyMemory: NetworkBudget;
  /** Kept as long as the token is the same: no reload gives anybody more guesses. */
  readonly tokenAttempts: TokenAttempts;
  /** Requests for the gateway itself, and those that belong to no site. */
  readonly recorder: SiteRecorder;
  readonly eventLoopDelay: Histogram;
  readonly targets: TargetMemory;
  readonly reporters: Set<Reporter>;
  /** Side by side, the first of thirty sites would be read with the last, and all of them would be in memory. */
  readonly discovering: Line;
  /** During a stop, `/-/ready` asks load balancers for no more requests. Later requests are still served. */
  readonly drain: { isDraining: boolean };
}

/** @param before parts of the gateway that is replaced */
export function createSharedParts(options: GatewayOptions, before?: SharedParts): SharedParts {
  const { clock } = before ?? { clock: options.clock ?? systemClock };
  const { fetch = globalThis.fetch, log = silentLog, notify: receivers = [], random = Math.random } = options;
  const trust = options.trust?.length ? createNetworkCheck(options.trust) : null;
  const tokenAttempts = keep(before?.tokenAttempts, options.admin?.token, () => new TokenAttempts(clock));
  if (before !== undefined) return { ...before, options, trust, tokenAttempts };
  const notifier =
    receivers.length === 0 ? null : new PurgeNotifier({ receivers, fetch, clock, log, random });
  const cache = createCache(options);
  if (cache !== null) cache.onPurged = notifier && ((selection) => notifier.notify(selection));
  return {
    ...{ options, trust, clock, log, random, cache, notifier, tokenAttempts },
    bodyMemory: createBodyMemory(),
    recorder: new SiteRecorder(() => clock.now()),
    eventLoopDelay: new Histogram(),
    targets: new TargetMemory(),
    reporters: new Set(),
    discovering: createLine(DISCOVERIES, DISCOVERY_PATIENCE, clock),
    drain: { isDraining: false },
  };
}

function createCache({ cache = 'off', clock = systemClock }: GatewayOptions): HttpCache | null {
  if (cache === 'off') return null;
  return new HttpCache({ store: cache === 'memory' ? new MemoryStore({ clock }) : cache, clock });
}
