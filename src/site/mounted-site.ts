import type { HttpCache } from '../cache/http-cache.ts';
import type { MaintenanceOptions, McpOptions } from '../config/option-types.ts';
import { withoutCredentials } from '../discovery/redact.ts';
import { ConfigurationError } from '../errors.ts';
import { PROBLEMS, type Problem } from '../exchange/problem.ts';
import type { IncomingRequestHead } from '../http/exchange.ts';
import { isSameData } from '../json.ts';
import { memoizeByString } from '../memoize.ts';
import { describeUnknownTools } from '../openapi/extend.ts';
import { type Clock, endsWithin, silentLog, systemClock, withFields } from '../ports.ts';
import type { OwnAddresses } from '../router/target.ts';
import { SiteStates } from '../state.ts';
import {
  createBaseUrlLookup,
  createNetworkCheck,
  type PublicAddress,
  type TrustedProxyCheck,
  toPublicAddress,
} from '../upstream/forwarded.ts';
import { type ClientIdentity, readRequestHeaders } from '../upstream/request-headers.ts';
import { SiteCircuits } from '../upstream/site-circuits.ts';
import { SiteConcurrency } from '../upstream/site-connections.ts';
import { EVERYTHING } from '../wordpress/tags.ts';
import { AgentTokens } from './agent-tokens.ts';
import { SiteCaching } from './caching/site-caching.ts';
import { CorsPolicy } from './cors.ts';
import {
  type AccessCheck,
  createAccessCheck,
  createAdminCheck,
  type GatewayLimits,
  type SiteLimits,
} from './limiting/site-limits.ts';
import type { GatewayOptions } from './options/gateway-options.ts';
import { HostTable, readHostEntry } from './options/hosts.ts';
import { toMount, toMountPath, toOwnAddresses, toPublicUrl, toSiteName } from './options/mount-path.ts';
import type { SiteOptions } from './options/site-options.ts';
import {
  createDocumentSnapshot,
  createInitialSnapshot,
  createSnapshotDiscovery,
  createStoredDocument,
  type SnapshotSettings,
} from './snapshot/discover-snapshot.ts';
import { describeDocumentAddress, describeForeignLinks } from './snapshot/site-links.ts';
import { SiteRuntime } from './snapshot/site-runtime.ts';
import { createSiteUpstream, type SiteUpstream } from './snapshot/site-upstream.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import type { StoredDocument } from './snapshot/stored-document.ts';
import { TargetMemos } from './target-memos.ts';
import { SiteRecorder } from './traffic/site-recorder.ts';
import { SiteValidation } from './validating/site-validation.ts';

export interface SiteDependencies {
  readonly options: GatewayOptions;
  readonly trust: TrustedProxyCheck;
  /** `null` if caching is off. */
  readonly cache: HttpCache | null;
  readonly limits: GatewayLimits;
}

/** A site with other settings takes nothing over. */
const INDEX_SETTINGS = ['url', 'document', 'overlay', 'extend', 'discovery', 'discover', 'upstream'] as const;
/** Milliseconds, while a gateway with another configuration serves. */
const MAX_DISCOVERY = 30_000;

const REDIRECT_PAST =
  'the site redirects to its `https` address or to its public host, so visitors leave the gateway. Set `url` to that address, or tell the site its host (`upstream.host`) and the protocol (`publicUrl` with https, or a proxy in `trust`)';

/** One site: its settings, and the parts that handle its requests. */
export class MountedSite {
  readonly options: SiteOptions;
  /** Name in messages: `sites[0]`. */
  readonly setting: string;
  /** E.g. `/content`; empty for the unnamed site, the name of a site by host. */
  readonly mount: string;
  /** Prefix of request targets: `/content`; empty for the unnamed site and for a site by host. */
  readonly mountPath: string;
  /** Own addresses of the gateway below the mount. */
  readonly addresses: OwnAddresses;
  /** Lower case; empty for a site by path. */
  readonly hosts: readonly string[];
  /** Without credentials. */
  readonly url: string;
  readonly upstream: SiteUpstream;
  readonly trust: TrustedProxyCheck;
  /** `undefined` if requests name it. */
  readonly publicUrl: string | undefined;
  readonly publicAddress: PublicAddress | undefined;
  /** Whether the site's URLs in text bodies become the gateway's. */
  readonly rewriteBodies: boolean;
  readonly runtime: SiteRuntime;
  readonly targets: TargetMemos = new TargetMemos();
  readonly validation: SiteValidation;
  readonly caching: SiteCaching | null;
  /** `null` without limits of the site or the gateway. */
  readonly limits: SiteLimits | null;
  /** Tokens that agents can send; `null` if they send credentials of the site alone. */
  readonly agentTokens: AgentTokens | null;
  /** `null` without tools for agents. */
  readonly agents: McpOptions | null;
  /** `null` without limits. */
  readonly agentLimits: SiteLimits | null;
  /** Clients that can send requests; `null` for all. */
  readonly access: AccessCheck | null;
  /** Clients that can use the administration; `null` for all. */
  readonly admin: AccessCheck | null;
  /** Clients that a site in maintenance serves, and the response to others. */
  readonly maintenance: { readonly isAllowed: AccessCheck; readonly problem: Problem } | null;
  /** `null` if the site decides. */
  readonly cors: CorsPolicy | null;
  readonly concurrency: SiteConcurrency;
  /** `null` without `passthrough`. */
  readonly circuits: SiteCircuits | null;
  /** Traffic and problems of the last hours. */
  readonly recorder: SiteRecorder;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Returns the gateway's URL as a client sees it. */
  readonly getPublicBase: (client: ClientIdentity) => string;
  /** Hosts of a whole site that is told which one the client has asked for. */
  readonly manyHosts: HostTable<true> | null;
  readonly #storedDocument: StoredDocument | undefined;
  readonly #settings: SnapshotSettings;
  readonly #states: SiteStates;
  readonly #clock: Clock;
  /** Lower case; empty for any. */
  readonly #servedHosts: readonly string[];
  readonly #warn: (message: string) => void;
  #isRedirectNoted = false;
  /** Warnings about the last document, not repeated with each. */
  #warnings: readonly string[] = [];

  /**
   * @param previous the site whose place it takes
   * @throws {ConfigurationError} when the site's name, stored document or overlay is invalid
   */
  constructor(options: SiteOptions, dependencies: SiteDependencies, previous?: MountedSite) {
    const { cache, limits, options: gatewayOptions, trust } = dependencies;
    const { clock = systemClock, log = silentLog, random = Math.random } = gatewayOptions;
    this.options = options;
    this.#clock = clock;
    const setting = `sites[${gatewayOptions.sites.indexOf(options)}]`;
    this.setting = setting;
    this.mount = toMount(options);
    this.mountPath = toMountPath(options);
    this.addresses = toOwnAddresses(options);
    this.hosts = (options.hosts ?? []).map((host, at) => readHostEntry(host, `${setting}.hosts[${at}]`));
    const publicUrl = toPublicUrl(options, gatewayOptions.publicUrl, setting);
    this.publicUrl = publicUrl;
    this.url = withoutCredentials(options.url);
    this.upstream = createSiteUpstream(options, gatewayOptions);
    const settings = { options, gateway: gatewayOptions, upstream: this.upstream };
    this.#settings = settings;
    this.trust = trust;
    this.publicAddress = publicUrl === undefined ? undefined : toPublicAddress(publicUrl);
    this.rewriteBodies = options.rewriteBodies ?? false;
    this.now = clock.now;
    const siteLog = withFields(log, { site: this.mount === '' ? this.url : this.mount });
    this.#warn = (message) => siteLog.warn({}, message);
    const states = new SiteStates(gatewayOptions.state, toSiteName(options), this.url, clock, log);
    this.#states = states;
    const environment = { clock, log: siteLog, random, states };
    this.#servedHosts =
      this.hosts.length > 0 ? this.hosts : (gatewayOptions.hosts ?? []).map((host) => host.toLowerCase());
    const discover = createSnapshotDiscovery(settings);
    this.validation = new SiteValidation(options, siteLog);
    this.#storedDocument = createStoredDocument(settings, states);
    this.runtime = new SiteRuntime({
      discoverSnapshot: discover,
      onReplaced: (snapshot) => {
        const warnings = [
          this.describeForeignLinks(snapshot) ?? [],
          this.#describeUnknownTools(snapshot),
        ].flat();
        for (const warning of warnings) if (!this.#warnings.includes(warning)) this.#warn(warning);
        this.#warnings = warnings;
      },
      stored: this.#storedDocument,
      initialSnapshot: createInitialSnapshot(settings),
      rediscoveryInterval: options.rediscover,
      clock,
      random,
      log: siteLog,
    });
    const declared = options.document === undefined ? null : this.runtime.snapshot;
    const misplaced = declared && describeDocumentAddress(declared.siteAddress, this.upstream.siteUrl);
    if (misplaced) this.#warn(`${setting}.document: ${misplaced}`);
    if (declared) for (const warning of this.#describeUnknownTools(declared)) this.#warn(warning);
    const { cache: cacheOptions = {} } = options;
    this.caching =
      cache === null || cacheOptions === 'off' ? null : new SiteCaching(cache, cacheOptions, environment);
    this.limits = limits.createSiteLimits(options.limits ?? {}, this.mount, setting, siteLog);
    const { mcp = false } = options;
    this.agents = mcp === true ? {} : mcp || null;
    const oauth = this.agents?.oauth;
    this.agentTokens = oauth ? new AgentTokens(oauth, gatewayOptions.fetch ?? globalThis.fetch) : null;
    this.agentLimits = limits.createAgentLimits(this.agents?.limits ?? {}, this.mount, setting, siteLog);
    this.access = createAccessCheck(options.access ?? {}, `${setting}.access`);
    this.admin = createAdminCheck(options.access ?? {}, `${setting}.access`);
    this.maintenance = createMaintenance(options.maintenance ?? false, `${setting}.maintenance.allow`);
    this.cors =
      options.cors === undefined
        ? null
        : new CorsPolicy(options.cors, `${setting}.cors`, this.agents !== null);
    this.recorder = previous?.recorder ?? new SiteRecorder(clock.now);
    // No function here can refer to the site before, which would stay in memory.
    this.concurrency =
      previous !== undefined && isSameData(previous.options.concurrency, options.concurrency)
        ? previous.concurrency
        : new SiteConcurrency(options.concurrency ?? {}, clock);
    // The cache can respond in place of the site.
    const { breaker = this.caching !== null } = options;
    this.circuits = breaker ? new SiteCircuits(siteLog, clock) : null;
    this.manyHosts = createManyHosts(options, this.hosts);
    this.getPublicBase = createBaseUrlLookup(publicUrl, this.mountPath, this.manyHosts !== null);
  }

  /** Whether a target below `/-/` is one of the site. */
  ownsTarget(target: string): boolean {
    const [path = ''] = target.split('?', 1);
    const { docs, mcp, openapi, types } = this.addresses;
    return [openapi, types, mcp, docs, `${docs}.md`].includes(path) || path.startsWith(`${docs}/`);
  }

  /** Returns the public base for the documentation; the mount if no valid host is named. */
  readBaseUrl(head: IncomingRequestHead): string {
    const { client, refusal } = readRequestHeaders(head, this.trust);
    const isNamed = refusal === null && (this.publicUrl !== undefined || client.host !== '');
    return isNamed ? this.getPublicBase(client) : this.mountPath;
  }

  /** Says which settings keep visitors at the gateway. */
  describeForeignLinks(snapshot: Snapshot | null = this.runtime.snapshot): string | null {
    if (snapshot === null || snapshot.isProvisional || !snapshot.isDiscovered) return null;
    const { options, publicUrl, upstream } = this;
    const { configuredOrigin } = upstream;
    return describeForeignLinks(
      snapshot.siteAddress,
      options,
      configuredOrigin,
      publicUrl,
      this.#servedHosts,
    );
  }

  #describeUnknownTools({ requestValidators }: Snapshot): readonly string[] {
    const { mcp } = this.options;
    const names = describeUnknownTools(mcp, requestValidators?.getOperationsById().keys() ?? []);
    return names.map((warning) => `${this.setting}.mcp: ${warning}`);
  }

  /** Logs once. */
  noteRedirectPast(): void {
    if (!this.#isRedirectNoted) this.#warn(REDIRECT_PAST);
    this.#isRedirectNoted = true;
  }

  get areStatesFailing(): boolean {
    return this.#states.isFailing();
  }

  /** Idempotent. */
  start(): void {
    this.runtime.start();
  }

  /**
   * Gets ready with what the previous site knows, or by reading the site.
   * @throws {ConfigurationError} when the site cannot be served
   */
  async prepare(previous: MountedSite | undefined): Promise<void> {
    const { runtime } = this;
    const readsSame = (name: (typeof INDEX_SETTINGS)[number]): boolean =>
      isSameData(previous?.options[name], this.options[name]);
    const document = INDEX_SETTINGS.every(readsSame)
      ? previous?.runtime.snapshot?.documented?.document
      : undefined;
    if (document !== undefined) runtime.snapshot = await createDocumentSnapshot(document, this.#settings);
    await runtime.restore();
    if (!runtime.isReady) await endsWithin(MAX_DISCOVERY, runtime.rediscover(), this.#clock);
    if (runtime.isReady) return;
    const reason =
      runtime.lastDiscoveryError?.message ?? `it has not been read within ${MAX_DISCOVERY / 1_000} s`;
    throw new ConfigurationError(`${this.setting}.url: the site ${this.url} cannot be served: ${reason}`);
  }

  /** Never rejects: an error is logged, and the last good snapshot stays. */
  async rediscover(): Promise<void> {
    await this.runtime.rediscover();
  }

  /**
   * Resolves when the document is stored.
   * @param grace milliseconds that requests to the site can take. @default another site takes its place, and
   * its connections stay for a while
   */
  async stop(grace?: number): Promise<void> {
    this.runtime.stop();
    const { transports } = this.upstream;
    if (grace === undefined) transports.retire();
    await Promise.all([this.#storeRest(), grace !== undefined && transports.close(grace)]);
  }

  async #storeRest(): Promise<void> {
    const { caching, runtime } = this;
    await this.#storedDocument?.stop();
    // Others that share the store would keep what was read while the site worked on.
    if (runtime.snapshot === null || caching?.writes.isRepeating !== true) return;
    await caching.cache.purge(caching.selectTags(runtime.snapshot, [EVERYTHING]), 'unconfirmed');
  }
}

/** Sites with several names redirect by the host. An `upstream.host` that is none of them replaces it. */
function createManyHosts(
  { passthrough, upstream }: SiteOptions,
  hosts: readonly string[],
): MountedSite['manyHosts'] {
  if (passthrough !== true || !(hosts.length > 1 || hosts[0]?.startsWith('*.'))) return null;
  const table = new HostTable<true>();
  for (const host of hosts) table.set(host, true);
  const { host } = upstream ?? {};
  return host === undefined || table.find(host) || table.find(`www.${host}`) ? table : null;
}

function createMaintenance(
  declared: boolean | MaintenanceOptions,
  setting: string,
): MountedSite['maintenance'] {
  if (declared === false) return null;
  const { allow = [] } = declared === true ? {} : declared;
  const headers = { 'retry-after': '300' };
  const isAllowed = memoizeByString(createNetworkCheck(allow, setting));
  return { isAllowed, problem: { ...PROBLEMS.maintenance, headers } };
}
