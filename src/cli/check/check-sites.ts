import { DiscoveryError } from '../../base/errors.ts';
import { formatDuration } from '../../base/format.ts';
import type { Config } from '../../base/option-types.ts';
import { silentLog } from '../../base/ports.ts';
import type { GatewayOptions, SiteOptions } from '../../gateway/index.ts';
import { OWN_FOLDER } from '../../gateway/router/target.ts';
import {
  type MountedSiteSettings,
  readMountedSiteSettings,
} from '../../gateway/site/mounted-site-settings.ts';
import type { SiteUpstream } from '../../gateway/site/site-upstream.ts';
import {
  createInitialSnapshot,
  createSnapshotDiscovery,
} from '../../gateway/site/snapshot/discover-snapshot.ts';
import { describeDocumentAddress, describeForeignLinks } from '../../gateway/site/snapshot/site-links.ts';
import type { Snapshot } from '../../gateway/site/snapshot/snapshot.ts';
import { openGateway } from '../../open-gateway.ts';
import { createGatewayOptions, readSite } from '../config/gateway-settings.ts';
import { checkPages } from './check-pages.ts';
import { checkRules } from './check-rules.ts';
import { type ReportProblem, reportErrors } from './problems.ts';

export async function checkSites(config: Config, offline: boolean, report: ReportProblem): Promise<number> {
  const read = await Promise.all(
    config.sites.map((site, at) => reportErrors(report, `sites[${at}]`, () => readSite(site, at))),
  );
  // A site whose files are missing keeps its position, which messages name.
  const sites = config.sites.map(({ hosts, name, url }, at): SiteOptions => read[at] ?? { hosts, name, url });
  const options = createGatewayOptions(config, sites, 'off', silentLog);
  const own = { ...options, trust: [], notify: [] };
  await reportErrors(report, 'sites', () => void openGateway(own));
  const counts = await Promise.all(
    config.sites.map(async (site, at) => {
      const siteOptions = read[at];
      if (siteOptions === undefined) return 0;
      const setting = `sites[${at}]`;
      const snapshot = await reportErrors(report, `${setting}.url`, () =>
        checkSite(siteOptions, own, offline, report),
      );
      if (!snapshot) return 0;
      checkRules(site, setting, snapshot, report);
      const document = snapshot.documented?.document ?? siteOptions.document;
      if (!offline) await checkPages({ ...siteOptions, document }, own, setting, report);
      return snapshot.operationCount;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

const DISCOVERY_TIMEOUT = 60_000;

async function checkSite(
  options: SiteOptions,
  gateway: GatewayOptions,
  offline: boolean,
  report: ReportProblem,
): Promise<Snapshot | null> {
  const settings = readMountedSiteSettings(options, gateway);
  const { setting, upstream } = settings;
  const stored = options.document === undefined ? null : createInitialSnapshot(settings);
  const misplaced = stored && describeDocumentAddress(stored.siteAddress, upstream.siteUrl);
  if (misplaced) report('warning', `${setting}.document: ${misplaced}`);
  await checkOwnAddresses(settings, offline, report);
  if (offline) return stored;
  const discover = createSnapshotDiscovery({ ...settings, options: { ...options, document: undefined } });
  const discovered = await reportErrors(report, `${setting}.url`, async () => {
    const limit = new AbortController();
    const timeout = options.timeouts?.headers ?? DISCOVERY_TIMEOUT;
    const error = new DiscoveryError(`could not be read within ${formatDuration(timeout)}`, {
      reason: 'timeout',
    });
    const timer = setTimeout(() => limit.abort(error), timeout);
    try {
      const { failure, snapshot } = (await discover?.(limit.signal, '')) ?? {};
      if (failure) throw failure;
      return snapshot ?? null;
    } finally {
      clearTimeout(timer);
    }
  });
  const warning = discovered && describeForeignLinks(discovered.siteAddress, settings);
  if (warning) report('warning', `${setting}.url: ${warning}`);
  return discovered ?? stored;
}

async function checkOwnAddresses(
  { addresses: { docs, mcp, openapi }, options, setting, upstream }: MountedSiteSettings,
  offline: boolean,
  report: ReportProblem,
): Promise<void> {
  if (options.passthrough !== true) return;
  for (const [name, path] of Object.entries({ docs, openapi, 'mcp.path': mcp })) {
    if (path === null || path.startsWith(OWN_FOLDER)) continue;
    if (!offline && (await isMissing(upstream, path))) continue;
    const hidden = name === 'docs' ? `${path} and everything below it` : path;
    report(
      'warning',
      `${setting}.${name}: clients get the gateway's response, and not the site's, at ${hidden}`,
    );
  }
}

async function isMissing({ fetch, siteUrl }: SiteUpstream, path: string): Promise<boolean> {
  const signal = AbortSignal.timeout(DISCOVERY_TIMEOUT);
  try {
    const response = await fetch(siteUrl.replace(/\/*$/, path), { redirect: 'manual', signal });
    await response.body?.cancel();
    return response.status === 404 || response.status === 410;
  } catch {
    return false;
  }
}
