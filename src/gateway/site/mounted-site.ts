import { ConfigurationError } from '../../base/errors.ts';
import type { IncomingRequestHead } from '../../base/http/exchange.ts';
import { isSameData } from '../../base/json.ts';
import { type Environment, endsWithin, silentLog, systemClock } from '../../base/ports.ts';
import { runInSlices } from '../../base/steps.ts';
import { describeUnknownTools } from '../../generator/openapi/overlay.ts';
import { HttpCache } from '../cache/http-cache.ts';
import type { Awaitable } from '../cache/store.ts';
import { MemoryStore } from '../cache/stores/memory-store.ts';
import { createBodyMemory } from '../exchange/request-body-validator.ts';
import type { NetworkBudget } from '../upstream/network-budget.ts';
import { createNetworkCheck } from '../upstream/networks.ts';
import {
  type ClientIdentity,
  createBaseUrlLookup,
  type PublicAddress,
  RequestHeaders,
  type TrustedProxyCheck,
  toPublicAddress,
} from '../upstream/request-headers.ts';
import { SiteCircuits } from '../upstream/site-circuits.ts';
import { SiteConcurrency } from '../upstream/site-concurrency.ts';
import { EVERYTHING } from '../wordpress/cache-names.ts';
import { createAgents, type SiteAgents } from './agent-tokens.ts';
import { SiteCaching } from './caching/site-caching.ts';
import { CorsPolicy } from './cors.ts';
import { HostTable } from './hosts.ts';
import {
  type AccessCheck,
  createAccessCheck,
  createAdminCheck,
  createLimits,
  type SiteLimits,
  TokenAttempts,
} from './limiting/site-limits.ts';
import { PurgeNotifier } from './purge-notifier.ts';
import type { GatewayOptions, MountedSiteSettings, SiteOptions } from './settings.ts';
import {
  createInitialSnapshot,
  createSnapshotDiscovery,
  describeDocumentAddress,
  describeForeignLinks,
  pickDocumentSettings,
} from './snapshot/discover-snapshot.ts';
import { type DiscoveryState, NO_DISCOVERIES, SiteRuntime } from './snapshot/site-runtime.ts';
import { createSnapshot, pickSnapshotSettings, type Snapshot } from './snapshot/snapshot.ts';
import { StoredDocument } from './snapshot/stored-document.ts';
import { TargetMemory, TargetMemos } from './target-memos.ts';
import { Durations, Histogram } from './traffic/durations.ts';
import { SiteRecorder } from './traffic/site-recorder.ts';
import { SiteValidation } from './validating/site-validation.ts';

/** Values by metric with labels: `process_open_fds`, `waygate_x_total{side="y"}`. */
export type Reporter = () => Awaitable<readonly (readonly [series: string, value: number])[]>;

/** All but the options and what follows from them outlives a reload. */
export interface SharedParts extends Environment {
  readonly options: GatewayOptions;
  readonly trust: TrustedProxyCheck;
  readonly cache: HttpCache | null;
  readonly notifier: PurgeNotifier | null;
  readonly bodyMemory: NetworkBudget;
  /** Kept as long as the token is the same: no reload gives anybody more guesses. */
  readonly tokenAttempts: TokenAttempts;
  /** Durations of requests for the gateway itself, and without a target. */
  readonly durations: Durations;
  readonly eventLoopDelay: Histogram;
  readonly targets: TargetMemory;
  readonly reporters: Set<Reporter>;
  /** During a stop, `/-/ready` asks load balancers for no more requests. Later requests are still served. */
  readonly drain: { isDraining: boolean };
}

/** @param before parts of the gateway that is replaced */
export function createSharedParts(options: GatewayOptions, before?: SharedParts): SharedParts {
  const trust = createNetworkCheck(options.trust ?? [], 'trust');
  if (before !== undefined) {
    const isSameToken = before.options.admin?.token === options.admin?.token;
    const tokenAttempts = isSameToken ? before.tokenAttempts : new TokenAttempts(before.clock);
    return { ...before, options, trust, tokenAttempts };
  }
  const { clock = systemClock, fetch = globalThis.fetch, log = silentLog, random = Math.random } = options;
  const { notify: receivers = [] } = options;
  const notifier =
    receivers.length === 0 ? null : new PurgeNotifier({ receivers, fetch, clock, log, random });
  const cache = createCache(options);
  if (cache !== null) cache.onPurged = notifier && ((selection) => notifier.notify(selection));
  return {
    ...{ options, trust, clock, log, random, cache, notifier },
    bodyMemory: createBodyMemory(),
    tokenAttempts: new TokenAttempts(clock),
    durations: new Durations(),
    eventLoopDelay: new Histogram(),
    targets: new TargetMemory(),
    reporters: new Set(),
    drain: { isDraining: false },
  };
}

function createCache(options: GatewayOptions): HttpCache | null {
  const { cache = 'off', clock = systemClock } = options;
  if (cache === 'off') return null;
  return new HttpCache({ store: cache === 'memory' ? new MemoryStore({ clock }) : cache, clock });
}

/** Milliseconds, while a gateway with another configuration serves. */
const MAX_DISCOVERY = 30_000;

const REDIRECT_PAST =
  'the site redirects to its `https` address or to its public host, so visitors leave the gateway. Set `url` to that address, or tell the site its host (`upstream.host`) and the protocol (`publicUrl` with https, or a proxy in `trust`)';

const ANY_CERTIFICATE =
  'upstream.insecure: any certificate of the site is accepted, so another server could act as the site';

interface SiteAccess {
  readonly clients: AccessCheck | null;
  readonly admin: AccessCheck | null;
}

interface SitePlace {
  readonly getBase: (client: ClientIdentity) => string;
  readonly address: PublicAddress | undefined;
  /** Hosts of a whole site that is told which host the client asked for. */
  readonly manyHosts: HostTable<true> | null;
}

export class MountedSite {
  readonly settings: MountedSiteSettings;
  readonly place: SitePlace;
  readonly runtime: SiteRuntime;
  readonly targets: TargetMemos;
  readonly validation: SiteValidation;
  readonly caching: SiteCaching | null;
  readonly limits: SiteLimits | null;
  readonly agents: SiteAgents | null;
  readonly access: SiteAccess;
  readonly cors: CorsPolicy | null;
  readonly concurrency: SiteConcurrency;
  /** `null` without a cache: only a cache can respond in place of the site. */
  readonly circuits: SiteCircuits | null;
  readonly recorder: SiteRecorder;
  readonly #trust: TrustedProxyCheck;
  /** What the site before has discovered with the same settings. */
  readonly #inherited: DiscoveryState;
  /** Snapshot of other settings with the same document; `null` if there is none. */
  readonly #outdated: Snapshot | null;
  readonly #storedDocument?: StoredDocument;
  /** Whether a reload has replaced it by one with other responses: those to its last requests are not stored. */
  isOutdated = false;
  #isRedirectNoted = false;
  #warnings: readonly string[] = [];

  /**
   * @param before the site of this name in the replaced gateway: parts with unchanged settings go on
   * @throws {ConfigurationError} when a setting, the stored document or the overlay is invalid
   */
  constructor(parts: SharedParts, settings: MountedSiteSettings, before?: MountedSite) {
    const { options: gateway, targets, trust } = parts;
    const { clock, hosts, log, mountPath, options, publicUrl, random, setting } = settings;
    this.settings = settings;
    this.#trust = trust;
    this.agents =
      findSame(before, options, 'mcp', 'discovery', 'document')?.agents ??
      createAgents(settings, gateway.fetch);
    this.caching =
      findSame(before, options, 'cache', 'url', 'upstream')?.caching ?? createCaching(parts, settings);
    this.circuits =
      this.caching && (findSame(before, options, 'url', 'upstream')?.circuits ?? new SiteCircuits(log));
    this.concurrency =
      findSame(before, options, 'concurrency')?.concurrency ??
      new SiteConcurrency(options.concurrency ?? {}, clock);
    this.limits = findSame(before, options, 'limits', 'mcp')?.limits ?? createLimits(settings);
    this.recorder = before?.recorder ?? new SiteRecorder(clock.now);
    this.validation = findSame(before, options, 'validation')?.validation ?? new SiteValidation(options, log);
    if (settings.upstream.tls?.insecure === true) log.warn({}, ANY_CERTIFICATE);
    this.targets = new TargetMemos(targets);
    const isSameDocument =
      before && isSameData(pickDocumentSettings(before.settings), pickDocumentSettings(settings));
    const discovery = isSameDocument ? before.runtime.known : NO_DISCOVERIES;
    this.#inherited = discovery;
    const known = discovery.snapshot;
    const isCurrent = known !== null && isSameData(known.settings, pickSnapshotSettings(settings));
    this.#outdated = isCurrent ? null : known;
    const discoverSnapshot = createSnapshotDiscovery(settings);
    if (gateway.state !== undefined && discoverSnapshot !== null)
      this.#storedDocument = new StoredDocument(gateway.state, settings, known?.documented != null);
    this.runtime = new SiteRuntime({
      discoverSnapshot,
      onReplaced: (snapshot) => {
        const warnings = [
          this.describeForeignLinks(snapshot) ?? [],
          this.#describeUnknownTools(snapshot),
        ].flat();
        for (const warning of warnings) if (!this.#warnings.includes(warning)) log.warn({}, warning);
        this.#warnings = warnings;
      },
      stored: this.#storedDocument,
      known: isCurrent
        ? discovery
        : { ...discovery, snapshot: createInitialSnapshot(settings), held: null, lastIndex: '' },
      rediscoveryInterval: options.rediscover,
      ...{ clock, log, random },
    });
    const declared = options.document === undefined ? null : this.runtime.snapshot;
    const misplaced = declared && describeDocumentAddress(declared.siteAddress, settings.upstream.siteUrl);
    if (misplaced) log.warn({}, `${setting}.document: ${misplaced}`);
    if (declared) for (const warning of this.#describeUnknownTools(declared)) log.warn({}, warning);
    this.access = {
      clients: createAccessCheck(options.access ?? {}, `${setting}.access`),
      admin: createAdminCheck(options.access ?? {}, `${setting}.access`),
    };
    this.cors = options.cors === undefined ? null : new CorsPolicy(options.cors, `${setting}.cors`);
    const manyHosts = createManyHosts(options, hosts);
    this.place = {
      getBase: createBaseUrlLookup(publicUrl, mountPath, manyHosts !== null),
      address: publicUrl === undefined ? undefined : toPublicAddress(publicUrl),
      manyHosts,
    };
  }

  ownsTarget(target: string): boolean {
    const [path = ''] = target.split('?', 1);
    const { docs, mcp, openapi } = this.settings.addresses;
    return [openapi, mcp, docs, `${docs}.md`].includes(path) || path.startsWith(`${docs}/`);
  }

  readBaseUrl(head: IncomingRequestHead): string {
    const { client, refusal } = new RequestHeaders(head, this.#trust);
    const { mountPath, publicUrl } = this.settings;
    const isNamed = refusal === null && (publicUrl !== undefined || client.host !== '');
    return isNamed ? this.place.getBase(client) : mountPath;
  }

  describeForeignLinks(snapshot: Snapshot | null = this.runtime.snapshot): string | null {
    if (snapshot === null || snapshot.isProvisional || !snapshot.isDiscovered) return null;
    return describeForeignLinks(snapshot.siteAddress, this.settings);
  }

  #describeUnknownTools({ requestValidators }: Snapshot): readonly string[] {
    const { options, setting } = this.settings;
    const names = describeUnknownTools(options.mcp, requestValidators?.getOperationsById().keys() ?? []);
    return names.map((warning) => `${setting}.mcp: ${warning}`);
  }

  get isStateFailing(): boolean {
    return this.#storedDocument?.isFailing === true;
  }

  /** Gets ready to serve: with the known document, or by reading the site. @throws {ConfigurationError} */
  async getReady(): Promise<void> {
    const { runtime, settings } = this;
    const { clock, setting, url } = settings;
    const { diagnostics = null, documented = null } = this.#outdated ?? {};
    if (documented !== null)
      runtime.renew(await runInSlices(createSnapshot(documented.document, settings, diagnostics), clock));
    await runtime.restore();
    // A site that was not served before either must not keep the others from a reload.
    if (runtime.isReady || this.#inherited !== NO_DISCOVERIES) return;
    await endsWithin(MAX_DISCOVERY, runtime.rediscover(), clock);
    if (runtime.isReady) return;
    const reason =
      runtime.lastDiscoveryError?.message ?? `it has not been read within ${MAX_DISCOVERY / 1_000} s`;
    throw new ConfigurationError(`${setting}.url: the site ${url} cannot be served: ${reason}`);
  }

  noteRedirectPast(): void {
    if (!this.#isRedirectNoted) this.settings.log.warn({}, REDIRECT_PAST);
    this.#isRedirectNoted = true;
  }

  /** @param grace milliseconds for requests */
  async stop(grace: number): Promise<void> {
    await Promise.all([this.#end(), this.settings.upstream.transports.close(grace)]);
  }

  /** Ends everything but the requests in flight and the state, with which `next` goes on. */
  async retire(next: MountedSite | undefined): Promise<void> {
    this.settings.upstream.transports.retire();
    await this.#end(next);
  }

  async #end(next?: MountedSite): Promise<void> {
    const { caching, runtime } = this;
    runtime.stop();
    this.targets.stop();
    await this.#storedDocument?.stop();
    if (caching === null || runtime.snapshot === null || caching === next?.caching) return;
    // Gateways that share the store would keep responses of a site still at work.
    if (caching.writes.isRepeating)
      await caching.cache.purge(caching.selectTags(runtime.snapshot, [EVERYTHING]), 'unconfirmed');
  }
}

/** A closure in the constructor would keep the site before in memory. */
function findSame(
  before: MountedSite | undefined,
  options: SiteOptions,
  ...names: readonly (keyof SiteOptions)[]
): MountedSite | undefined {
  return names.every((name) => isSameData(before?.settings.options[name], options[name]))
    ? before
    : undefined;
}

function createCaching(
  { cache, options: gateway }: SharedParts,
  settings: MountedSiteSettings,
): SiteCaching | null {
  const { cache: options = {} } = settings.options;
  if (cache === null || options === 'off') return null;
  const hasCacheInFront = (gateway.notify ?? []).some(({ to }) => to !== 'revalidate');
  return new SiteCaching(cache, options, hasCacheInFront, settings);
}

/** Sites with several names redirect by the host. An `upstream.host` that is none of them replaces it. */
function createManyHosts(
  { passthrough, upstream }: SiteOptions,
  hosts: readonly string[],
): SitePlace['manyHosts'] {
  if (passthrough !== true || !(hosts.length > 1 || hosts[0]?.startsWith('*.'))) return null;
  const table = new HostTable<true>();
  for (const host of hosts) table.set(host, true);
  const { host } = upstream ?? {};
  return host === undefined || table.find(host) || table.find(`www.${host}`) ? table : null;
}
