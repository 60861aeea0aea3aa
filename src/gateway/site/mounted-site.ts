import { ConfigurationError } from '../../base/errors.ts';
import type { IncomingRequestHead } from '../../base/http/exchange.ts';
import { isSameData } from '../../base/json.ts';
import type { McpOptions } from '../../base/option-types.ts';
import { endsWithin } from '../../base/ports.ts';
import { runInSlices } from '../../base/steps.ts';
import { describeUnknownTools } from '../../generator/openapi/extend.ts';
import {
  createBaseUrlLookup,
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
  createLimits,
  type SiteLimits,
} from './limiting/site-limits.ts';
import type { MountedSiteSettings } from './mounted-site-settings.ts';
import { HostTable } from './options/hosts.ts';
import type { SiteOptions } from './options/site-options.ts';
import type { SharedParts } from './shared-parts.ts';
import { createInitialSnapshot, createSnapshotDiscovery } from './snapshot/discover-snapshot.ts';
import { describeDocumentAddress, describeForeignLinks } from './snapshot/site-links.ts';
import { SiteRuntime } from './snapshot/site-runtime.ts';
import { createSnapshot, type Snapshot } from './snapshot/snapshot.ts';
import { StoredDocument } from './snapshot/stored-document.ts';
import { TargetMemos } from './target-memos.ts';
import { SiteRecorder } from './traffic/site-recorder.ts';
import { SiteValidation } from './validating/site-validation.ts';

const INDEX_SETTINGS = ['url', 'document', 'overlay', 'extend', 'discovery', 'discover', 'upstream'] as const;
/** Milliseconds, while a gateway with another configuration serves. */
const MAX_DISCOVERY = 30_000;

const REDIRECT_PAST =
  'the site redirects to its `https` address or to its public host, so visitors leave the gateway. Set `url` to that address, or tell the site its host (`upstream.host`) and the protocol (`publicUrl` with https, or a proxy in `trust`)';

const ANY_CERTIFICATE =
  'upstream.insecure: any certificate of the site is accepted, so another server could act as the site';

interface SiteAgents {
  readonly options: McpOptions;
  /** Tokens that agents can send; `null` if they send credentials of the site alone. */
  readonly tokens: AgentTokens | null;
  readonly limits: SiteLimits | null;
}

interface SiteAccess {
  /** `null` for all clients. */
  readonly clients: AccessCheck | null;
  readonly admin: AccessCheck | null;
}

interface SitePlace {
  readonly getBase: (client: ClientIdentity) => string;
  readonly address: PublicAddress | undefined;
  /** Hosts of a whole site that is told which one the client has asked for. */
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
  readonly circuits: SiteCircuits | null;
  readonly recorder: SiteRecorder;
  readonly #trust: TrustedProxyCheck;
  readonly #storedDocument?: StoredDocument;
  #isRedirectNoted = false;
  #warnings: readonly string[] = [];

  /** @throws {ConfigurationError} when the site's name, stored document or overlay is invalid */
  constructor(
    settings: MountedSiteSettings,
    { cache, options: gateway, targets, trust }: SharedParts,
    previous?: MountedSite,
  ) {
    const { clock, hosts, log, mountPath, options, publicUrl, random, setting } = settings;
    this.settings = settings;
    this.#trust = trust;
    if (settings.upstream.tls?.insecure === true && previous?.settings.upstream.tls?.insecure !== true)
      log.warn({}, ANY_CERTIFICATE);
    this.targets = new TargetMemos(targets);
    this.validation = new SiteValidation(options, log);
    const discoverSnapshot = createSnapshotDiscovery(settings);
    if (gateway.state !== undefined && discoverSnapshot !== null)
      this.#storedDocument = new StoredDocument(gateway.state, settings);
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
      initialSnapshot: createInitialSnapshot(settings),
      rediscoveryInterval: options.rediscover,
      ...{ clock, log, random },
    });
    const declared = options.document === undefined ? null : this.runtime.snapshot;
    const misplaced = declared && describeDocumentAddress(declared.siteAddress, settings.upstream.siteUrl);
    if (misplaced) log.warn({}, `${setting}.document: ${misplaced}`);
    if (declared) for (const warning of this.#describeUnknownTools(declared)) log.warn({}, warning);
    const { cache: cacheOptions = {} } = options;
    const hasCacheInFront = (gateway.notify ?? []).some(({ to }) => to !== 'revalidate');
    this.caching =
      cache === null || cacheOptions === 'off'
        ? null
        : new SiteCaching(cache, cacheOptions, hasCacheInFront, settings);
    this.limits = createLimits(options.limits ?? {}, settings);
    this.agents = createAgents(settings, gateway.fetch);
    this.access = {
      clients: createAccessCheck(options.access ?? {}, `${setting}.access`),
      admin: createAdminCheck(options.access ?? {}, `${setting}.access`),
    };
    this.cors = options.cors === undefined ? null : new CorsPolicy(options.cors, `${setting}.cors`);
    this.recorder = previous?.recorder ?? new SiteRecorder(clock.now);
    this.concurrency = new SiteConcurrency(options.concurrency ?? {}, clock);
    // The cache can respond in place of the site.
    this.circuits = this.caching === null ? null : new SiteCircuits(log);
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

  /** Returns the public base for the documentation; the mount path if no valid host is named. */
  readBaseUrl(head: IncomingRequestHead): string {
    const { client, refusal } = readRequestHeaders(head, this.#trust);
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

  /** Takes over what the previous site knows, or reads the site. @throws {ConfigurationError} */
  async prepare(previous: MountedSite | undefined): Promise<void> {
    const { runtime, settings } = this;
    const { clock, options, setting, url } = settings;
    const readsSame = (name: (typeof INDEX_SETTINGS)[number]): boolean =>
      isSameData(previous?.settings.options[name], options[name]);
    const document = INDEX_SETTINGS.every(readsSame)
      ? previous?.runtime.snapshot?.documented?.document
      : undefined;
    if (document !== undefined)
      runtime.snapshot = await runInSlices(createSnapshot(document, settings), clock);
    await runtime.restore();
    if (!runtime.isReady) await endsWithin(MAX_DISCOVERY, runtime.rediscover(), clock);
    if (runtime.isReady) return;
    const reason =
      runtime.lastDiscoveryError?.message ?? `it has not been read within ${MAX_DISCOVERY / 1_000} s`;
    throw new ConfigurationError(`${setting}.url: the site ${url} cannot be served: ${reason}`);
  }

  noteRedirectPast(): void {
    if (!this.#isRedirectNoted) this.settings.log.warn({}, REDIRECT_PAST);
    this.#isRedirectNoted = true;
  }

  /** @param grace milliseconds for requests. @default connections stay a while for the next site */
  async stop(grace?: number): Promise<void> {
    this.runtime.stop();
    this.targets.stop();
    const { transports } = this.settings.upstream;
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
): SitePlace['manyHosts'] {
  if (passthrough !== true || !(hosts.length > 1 || hosts[0]?.startsWith('*.'))) return null;
  const table = new HostTable<true>();
  for (const host of hosts) table.set(host, true);
  const { host } = upstream ?? {};
  return host === undefined || table.find(host) || table.find(`www.${host}`) ? table : null;
}

function createAgents(
  settings: MountedSiteSettings,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): SiteAgents | null {
  const { mcp = false } = settings.options;
  if (mcp === false) return null;
  const { discovery, document } = settings.options;
  if (discovery === 'off' && document === undefined)
    throw new ConfigurationError(`${settings.setting}.mcp: needs discovery, or a "document"`);
  const options = mcp === true ? {} : mcp;
  const { limits = {}, oauth } = options;
  return {
    options,
    tokens: oauth ? new AgentTokens(oauth, fetch) : null,
    limits: createLimits(limits, settings, 'mcp'),
  };
}
