import type { Diagnostic } from '../../../base/diagnostics.ts';
import { getAdditions } from '../../../base/document-extensions.ts';
import { ConfigurationError, DiscoveryError } from '../../../base/errors.ts';
import { hashParts } from '../../../base/hash.ts';
import type { JsonObject } from '../../../base/json.ts';
import { type Line, runInSlices, runSteps, type Steps } from '../../../base/steps.ts';
import { withoutCredentials } from '../../../generator/discovery/address.ts';
import { discoverWith } from '../../../generator/discovery/discover.ts';
import { describeReason } from '../../../generator/discovery/failures.ts';
import {
  type AskedRoutes,
  type EarlierAnswers,
  readRouteAdditions,
} from '../../../generator/discovery/route-options.ts';
import type { DiscoveredSite, SiteAddress } from '../../../generator/discovery/site.ts';
import {
  applyOverlayToGeneration,
  type GenerationReport,
  parseOverlayActions,
  toOpenApiInSteps,
} from '../../../generator/openapi/index.ts';
import { HostTable } from '../hosts.ts';
import type { MountedSiteSettings } from '../settings.ts';
import {
  createPlainProxySnapshot,
  createProvisionalSnapshot,
  createSnapshot,
  type Snapshot,
  type SnapshotDiagnostics,
} from './snapshot.ts';

/** Serves before discovery; `null` without `passthrough`. Only `discovery: off` makes a plain origin. */
export function createInitialSnapshot(settings: MountedSiteSettings): Snapshot | null {
  const { setting, snapshot, source } = settings;
  const siteUrl = withoutCredentials(snapshot.siteUrl);
  if (source.document !== undefined)
    return readSetting(`${setting}.document`, () => runSteps(createSnapshot(source.document, snapshot)));
  if (source.discovery === 'off') return createPlainProxySnapshot(siteUrl, snapshot);
  return snapshot.passthrough ? createProvisionalSnapshot(siteUrl, snapshot) : null;
}

/** Adds its place to what is wrong with the content of a file. */
function readSetting<T>(setting: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof ConfigurationError)) throw cause;
    throw new ConfigurationError(`${setting}: ${cause.message}`, { cause });
  }
}

interface Discovered {
  /** Hash of the index, whose text takes megabytes. */
  readonly index: string;
  readonly snapshot: Snapshot | null;
  /** The index lacked response types or a namespace, so the site is asked again. */
  readonly failure: DiscoveryError | null;
  /** Resources did not answer `OPTIONS`, so they are asked again. */
  readonly isUnfinished: boolean;
}

/**
 * Rejects if the index can't be read.
 * @param knownIndex hash of the last one; empty if there is none
 * @param known the served document; fields of its resources stay if these do not answer
 */
export type SnapshotDiscovery = (
  signal: AbortSignal,
  knownIndex: string,
  known: JsonObject | undefined,
) => Promise<Discovered>;

/** `null` if the document is stated, or there is none. @throws {ConfigurationError} for the overlay */
export function createSnapshotDiscovery(
  settings: MountedSiteSettings,
  discovering: Line = (task) => task(),
): SnapshotDiscovery | null {
  const { clock, log, setting, source, upstream } = settings;
  const { overlay } = source;
  if (overlay !== undefined) readSetting(`${setting}.overlay`, () => parseOverlayActions(overlay));
  if (source.discovery === 'off' || source.document !== undefined) return null;

  function reportRoot({ base, root }: SiteAddress): void {
    const { addedFields, configuredOrigin, findServer, tls } = upstream;
    const { isConfigured, origin } = findServer(new URL(root).origin);
    // The host gets clients' credentials, and the announcing page chooses it, so the operator is told.
    if (new URL(root).hostname !== new URL(base).hostname)
      log.warn(
        {},
        `the REST interface is at ${root}: routes are sent there, pages and files to ${base}. Make sure that this host is yours: it gets the credentials of clients`,
      );
    // Credentials and TLS settings are for one origin only.
    if (isConfigured || (addedFields === null && tls === undefined)) return;
    log.warn(
      { configured: configuredOrigin, discovered: origin },
      '`upstream` applies to the origin of `url` only, and the site is at another origin: set `url` to that one',
    );
  }

  let last: { readonly asked: AskedRoutes; readonly hash: string; readonly at: number } | undefined;

  const discoverOnce: SnapshotDiscovery = async (signal, knownIndex, known) => {
    const discoverOptions = { ...source.discover, signal, fetch: upstream.fetch };
    let hash = '';
    let isCurrent = false;
    const recall = async (read: IndexedSite): Promise<EarlierAnswers | undefined> => {
      hash = await runInSlices(hashIndex(read), clock, signal);
      if (last === undefined) {
        const additions = readRouteAdditions(known && getAdditions(known));
        return additions.size === 0 ? undefined : { asked: { additions, settled: new Set() }, isCurrent };
      }
      isCurrent = last.hash === hash && clock.now() - last.at < OPTIONS_LIFETIME;
      return { asked: last.asked, isCurrent };
    };
    const pace = last === undefined ? 'awaited' : 'unhurried';
    const site = await discoverWith(upstream.siteUrl, discoverOptions, recall, pace).catch(
      (error: unknown) => {
        throw error instanceof DiscoveryError ? upstream.redact(error) : error;
      },
    );
    const { asked } = site;
    last = { asked, hash, at: isCurrent && last !== undefined ? last.at : clock.now() };
    if (hash === '') hash = await runInSlices(hashIndex(site), clock, signal);
    const index = await runInSlices(hashParts(hash, asked.additions), clock, signal);
    const isKnown = index === knownIndex;
    const snapshot = isKnown ? null : await runInSlices(generateSnapshot(site, settings), clock, signal);
    if (snapshot !== null) reportRoot(snapshot.siteAddress);
    const { schemasFailure } = site;
    const failure =
      schemasFailure === undefined
        ? null
        : new DiscoveryError(`${schemasFailure} ${describeReason('incomplete')[0]}`, {
            reason: 'incomplete',
          });
    return { index, snapshot, failure, isUnfinished: asked.unread.length > 0 };
  };
  return (...given) => discovering(() => discoverOnce(...given));
}

type IndexedSite = Pick<DiscoveredSite, 'address' | 'index'>;

/** Milliseconds after which an unchanged index's resources are asked for their fields again. */
const OPTIONS_LIFETIME = 60 * 60_000;

function hashIndex({ address, index: { routes, ...rest } }: IndexedSite): Steps<string> {
  return hashParts([address, rest], routes);
}

function* generateSnapshot(site: DiscoveredSite, settings: MountedSiteSettings): Steps<Snapshot> {
  const { extend, overlay } = settings.source;
  const generation = yield* toOpenApiInSteps(site);
  yield;
  const { document, report } = yield* applyOverlayToGeneration(generation, overlay, extend);
  const diagnostics = listDiagnostics(report);
  yield;
  return yield* createSnapshot(document, settings.snapshot, diagnostics);
}

/** A defective index can have one for each argument. */
const MAX_DIAGNOSTICS = 1_000;

function listDiagnostics({ diagnostics, rules }: GenerationReport): SnapshotDiagnostics {
  const isWarning = ({ severity }: Diagnostic): boolean => severity === 'warning';
  const warnings = diagnostics.filter(isWarning);
  const others = diagnostics.filter((diagnostic) => !isWarning(diagnostic));
  return { counts: rules, listed: [...warnings, ...others].slice(0, MAX_DIAGNOSTICS) };
}

/**
 * Says which settings keep visitors at the gateway: WordPress writes `home` and `siteurl` into every link, form and script.
 * @param address the one that the site states for itself @returns `null` if the links lead to the gateway, or nobody knows
 */
export function describeForeignLinks(
  address: SiteAddress,
  { options, publicUrl, servedHosts, upstream }: MountedSiteSettings,
): string | null {
  if (options.passthrough !== true) return null;
  const { aliases = [], base } = address;
  const served = new HostTable<true>();
  for (const host of servedHosts) served.set(host, true);
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  const isKnown = servedHosts.length > 0 || publicHost !== undefined;
  const declared = (aliases.length === 0 ? [base] : aliases).map((url) => new URL(url));
  const foreign = declared.find(({ host, origin }) =>
    // Links to the connected address lead past the gateway anyway.
    isKnown ? host !== publicHost && served.find(host) === undefined : origin === upstream.configuredOrigin,
  );
  if (foreign === undefined) return describeRedirectLoop(address);
  return (
    `the pages of the site link to ${foreign.origin}, so visitors leave the gateway, and the editor cannot save. ` +
    'Either set `WP_HOME` and `WP_SITEURL` of the site to the address of the gateway, ' +
    'and in the gateway `publicUrl` to the same address and `upstream.host` to its host, ' +
    'or, for a trial, let the public name of the site lead to the gateway by a line in the hosts file of your machine ' +
    '(docs/operators/whole-site.md).'
  );
}

/** @returns what is wrong with the address of a stated document; `null` if nothing is */
export function describeDocumentAddress(
  { root }: SiteAddress,
  { setting, snapshot: { siteUrl } }: Pick<MountedSiteSettings, 'setting' | 'snapshot'>,
): string | null {
  const { host, origin } = new URL(root);
  // With `upstream.host` the URL has the protocol of the connection and the host of the document.
  if (new URL(siteUrl).host === host) return null;
  return (
    `${setting}.document: the document belongs to ${origin}. Requests for its routes go there, with the credentials of clients, not to \`url\`. ` +
    'Set `url` to that address, or `upstream.host` to its host.'
  );
}

/** `redirect_canonical()` puts the port of `home` behind the request's host: both must be the same. */
function describeRedirectLoop({ aliases: [home] = [], base }: SiteAddress): string | null {
  if (home === undefined) return null;
  const [own, forwarded] = [new URL(home), new URL(base)];
  if (new URL(`${own.protocol}//${forwarded.host}`).port === own.port) return null;
  return (
    `the site calls itself ${own.host}, but gets requests for ${forwarded.host}. Because the ports differ, WordPress redirects each page to itself. ` +
    `Set \`upstream.host\` to ${own.host}, or \`WP_HOME\` and \`WP_SITEURL\` of the site to the address of the gateway and \`upstream.host\` to its host.`
  );
}
