import { isSameData } from '../../base/json.ts';
import { endsWithin } from '../../base/ports.ts';
import { runInSlices } from '../../base/steps.ts';
import { describeUnknownTools } from '../../generator/openapi/overlay.ts';
import { SiteCircuits } from '../upstream/site-circuits.ts';
import { SiteConcurrency } from '../upstream/site-concurrency.ts';
import { EVERYTHING } from '../wordpress/cache-names.ts';
import { createAgents, type SiteAgents } from './agent-tokens.ts';
import { SiteCaching } from './caching/site-caching.ts';
import { CorsPolicy } from './cors.ts';
import { keep } from './keep.ts';
import { createSiteAccess, type SiteAccess, SiteLimits, TokenAttempts } from './limiting/site-limits.ts';
import type { MountedSiteSettings } from './settings.ts';
import type { SharedParts } from './shared-parts.ts';
import { SitePlace } from './site-place.ts';
import {
  createInitialSnapshot,
  createSnapshotDiscovery,
  describeDocumentAddress,
  describeForeignLinks,
} from './snapshot/discover-snapshot.ts';
import { type DiscoveryState, NO_DISCOVERIES, SiteRuntime } from './snapshot/site-runtime.ts';
import { createSnapshot, type Snapshot } from './snapshot/snapshot.ts';
import { StoredDocument } from './snapshot/stored-document.ts';
import { TargetMemos } from './target-memos.ts';
import { SiteRecorder } from './traffic/site-recorder.ts';
import { SiteValidation } from './validating/site-validation.ts';

/** Milliseconds, while a gateway with another configuration serves. */
const MAX_DISCOVERY = 30_000;

const REDIRECT_PAST =
  'the site redirects to its `https` address or to its public host, so visitors leave the gateway. Set `url` to that address, or tell the site its host (`upstream.host`) and the protocol (`publicUrl` with https, or a proxy in `trust`)';

const ANY_CERTIFICATE =
  'upstream.insecure: any certificate of the site is accepted, so another server could act as the site';

/** A site behind the gateway: the parts that serve it. A reload keeps each part whose input is equal. */
export class MountedSite {
  readonly settings: MountedSiteSettings;
  readonly place: SitePlace;
  readonly access: SiteAccess;
  readonly cors: CorsPolicy | null;
  readonly targets: TargetMemos;
  readonly recorder: SiteRecorder;
  readonly validation: SiteValidation;
  readonly limits: SiteLimits | null;
  readonly concurrency: SiteConcurrency;
  readonly agents: SiteAgents | null;
  readonly caching: SiteCaching | null;
  /** Wrong signatures of messages by network. */
  readonly messageAttempts: TokenAttempts;
  /** `null` without a cache: only a cache can respond in place of the site. */
  readonly circuits: SiteCircuits | null;
  readonly runtime: SiteRuntime;
  /** What the site before has discovered from the same source. */
  readonly #learned: DiscoveryState;
  readonly #storedDocument: StoredDocument | undefined;
  /** Whether a reload has replaced it by one with other responses: those to its last requests are not stored. */
  isOutdated = false;
  #isRedirectNoted = false;
  #warnings: readonly string[] = [];

  /**
   * @param before the site of this name in the replaced gateway. No function here can name it: it would stay in memory
   * @throws {ConfigurationError} when the stored document or the overlay is invalid
   */
  constructor(parts: SharedParts, settings: MountedSiteSettings, before?: MountedSite) {
    const { cache, options: gateway, targets, trust } = parts;
    const { clock, log, options, source } = settings;
    const { agents, caching, limits, server } = settings.inputs;
    this.settings = settings;
    this.place = new SitePlace(settings, trust);
    this.access = createSiteAccess(options.access);
    this.cors = options.cors === undefined ? null : new CorsPolicy(options.cors);
    this.targets = new TargetMemos(targets);
    this.recorder = before?.recorder ?? new SiteRecorder(clock.now);
    this.validation = keep(before?.validation, options.validation, (input) => new SiteValidation(input, log));
    this.limits = limits && keep(before?.limits, limits, (input) => new SiteLimits(input, settings));
    this.concurrency = keep(
      before?.concurrency,
      options.concurrency ?? {},
      (input) => new SiteConcurrency(input, clock),
    );
    this.agents =
      agents && keep(before?.agents, agents, (input) => createAgents(input, gateway.fetch, settings));
    this.caching =
      cache && caching && keep(before?.caching, caching, (input) => new SiteCaching(cache, input, settings));
    this.messageAttempts = keep(before?.messageAttempts, caching?.webhook, () => new TokenAttempts(clock));
    this.circuits = this.caching && keep(before?.circuits, server, () => new SiteCircuits(log));
    if (settings.upstream.tls?.insecure === true) log.warn({}, ANY_CERTIFICATE);
    const isSameSource = before !== undefined && isSameData(before.settings.source, source);
    this.#learned = isSameSource ? before.runtime.known : NO_DISCOVERIES;
    const discoverSnapshot = createSnapshotDiscovery(settings, parts.discovering);
    const stored =
      gateway.state && discoverSnapshot
        ? new StoredDocument(gateway.state, settings, this.#learned.snapshot?.documented != null)
        : undefined;
    this.#storedDocument = stored;
    this.runtime = new SiteRuntime({
      ...{ clock, log, random: settings.random, discoverSnapshot, stored },
      onReplaced: (snapshot) => this.#warn(snapshot, this.describeForeignLinks(snapshot)),
      known: withCurrentSnapshot(this.#learned, settings),
      rediscoveryInterval: options.rediscover,
    });
    if (this.caching !== null && discoverSnapshot !== null)
      this.caching.indexHealth.read = () =>
        this.runtime.rediscover().then(() => this.runtime.lastDiscoveryError === null);
    const declared = source.document === undefined ? null : this.runtime.snapshot;
    if (declared !== null) this.#warn(declared, describeDocumentAddress(declared.siteAddress, settings));
  }

  ownsTarget(target: string): boolean {
    const [path = ''] = target.split('?', 1);
    const { docs, mcp, openapi } = this.settings.addresses;
    return [openapi, mcp, docs, `${docs}.md`].includes(path) || path.startsWith(`${docs}/`);
  }

  describeForeignLinks(snapshot: Snapshot | null = this.runtime.snapshot): string | null {
    if (snapshot === null || snapshot.isProvisional || !snapshot.isDiscovered) return null;
    return describeForeignLinks(snapshot.siteAddress, this.settings);
  }

  /** Logs what is wrong with a document, unless that was so before. */
  #warn(snapshot: Snapshot, fault: string | null): void {
    const { log, options, setting } = this.settings;
    const operations = snapshot.requestValidators?.getOperationsById().keys() ?? [];
    const unknown = describeUnknownTools(options.mcp, operations);
    const warnings = [fault ?? [], unknown.map((tool) => `${setting}.mcp: ${tool}`)].flat();
    for (const warning of warnings) if (!this.#warnings.includes(warning)) log.warn({}, warning);
    this.#warnings = warnings;
  }

  get isStateFailing(): boolean {
    return this.#storedDocument?.isFailing === true;
  }

  /** Gets ready to serve: with the known document, or by reading the site. @returns why it cannot be served yet */
  async getReady(): Promise<readonly string[]> {
    const { runtime, settings } = this;
    const { clock, setting, url } = settings;
    const { snapshot } = this.#learned;
    if (snapshot?.documented && snapshot !== runtime.snapshot) {
      const { diagnostics, documented } = snapshot;
      const renewed = createSnapshot(documented.document, settings.snapshot, diagnostics);
      runtime.renew(await runInSlices(renewed, clock));
    }
    await runtime.restore();
    // The site was not served before either.
    if (runtime.isReady || this.#learned !== NO_DISCOVERIES) return [];
    await endsWithin(MAX_DISCOVERY, runtime.rediscover(), clock);
    if (runtime.isReady) return [];
    const reason =
      runtime.lastDiscoveryError?.message ?? `it has not been read within ${MAX_DISCOVERY / 1_000} s`;
    return [`${setting}.url: the site ${url} cannot be served: ${reason}`];
  }

  noteRedirectPast(): void {
    if (!this.#isRedirectNoted) this.settings.log.warn({}, REDIRECT_PAST);
    this.#isRedirectNoted = true;
  }

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

/** A snapshot that other settings made is replaced by the one that a start would have. */
function withCurrentSnapshot(learned: DiscoveryState, settings: MountedSiteSettings): DiscoveryState {
  const { snapshot } = learned;
  if (snapshot !== null && isSameData(snapshot.settings, settings.snapshot)) return learned;
  return { ...learned, snapshot: createInitialSnapshot(settings), held: null, lastIndex: '' };
}
