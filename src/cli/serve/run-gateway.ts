import { readBuild } from '../../base/build.ts';
import { ConfigurationError } from '../../base/errors.ts';
import type { Config, ServeFlags, SiteConfig } from '../../base/option-types.ts';
import { endsWithin } from '../../base/ports.ts';
import { type Gateway, systemClock } from '../../gateway/index.ts';
import { type RunningServer, serve } from '../../gateway/node/index.ts';
import { claimStateFolder, listUnusedStates, prepareStateFolder } from '../../gateway/node/state-folder.ts';
import { toOwnAddresses } from '../../gateway/site/options/mount-path.ts';
import type { Reporter } from '../../gateway/site/shared-parts.ts';
import { EVERYTHING } from '../../gateway/wordpress/tags.ts';
import { withoutCredentials } from '../../generator/discovery/redact.ts';
import { openGateway } from '../../open-gateway.ts';
import { locateStore } from '../config/config.ts';
import { createGatewayOptions, openStore, readSites } from '../config/gateway-settings.ts';
import type { CommandIo, ExitCode } from '../io.ts';
import { waitForStopSignal } from '../signals.ts';
import { createServeLogs, type ServeLogs } from './log.ts';
import { ConfigReload, type ReadConfig, type ServeRun } from './reload.ts';
import { readMergedConfig, requireValid } from './resolve-config.ts';

export async function runServe(io: CommandIo, flags: ServeFlags): Promise<ExitCode> {
  const merged = await readMergedConfig(flags, io.env);
  const config = await requireValid(merged);
  const logs = createServeLogs(config, io);
  // Node would end the process, e.g. for an unawaited call in a configuration's middleware.
  process.on('unhandledRejection', (err) => logs.log.error({ err }, 'a rejected promise was not handled'));
  const run = { flags, io, logs, merged };
  if (config.state === undefined) return runGatewayUntilSignal(config, run);
  await prepareStateFolder(config.state);
  const { hasCrashed, release } = await claimStateFolder(config.state);
  return runGatewayUntilSignal(config, { ...run, hasCrashed }).finally(release);
}

/** Resolves at SIGTERM or SIGINT when everything is closed. A second signal exits at once. */
async function runGatewayUntilSignal(config: Config, run: ServeRun): Promise<ExitCode> {
  const { io, logs } = run;
  refuseOldUnit(io.env);
  const cache = await openStore(config, logs.log);
  try {
    const started = { config, sites: await readSites(config), app: await run.merged.file?.createApp() };
    const create = (next: ReadConfig, before: Gateway | null): Gateway =>
      openGateway(
        reload.addTo(createGatewayOptions(next.config, next.sites, cache, logs.log)),
        before,
        next.app,
      );
    const reload: ConfigReload = new ConfigReload(run, started, {
      rediscover: () => gateway.rediscover(),
      async prepare(next) {
        const created = create(next, gateway);
        await created.getReady();
        return () => {
          server.replace(created);
          gateway = created;
        };
      },
    });
    let gateway = create(started, null);
    gateway.parts.reporters.add(createReporter(logs));
    const states = Array.from(gateway.context.sites.keys(), (name) => `document.${name}`);
    const files = config.state === undefined ? [] : await listUnusedStates(config.state, states);
    if (files.length > 0)
      logs.log.warn(
        { files },
        'files in the state folder are not used: of another version, or of a removed site',
      );
    if (run.hasCrashed === true) {
      void purgeForLostWrites(gateway);
      // The site might still be running a write that the ended process forwarded.
      for (const { caching, runtime } of gateway.context.sites.values())
        caching?.writes.purgeLater(() => runtime.snapshot, 'writes in progress when a process ended', 2);
    }
    const server = await serve({ gateway, log: logs.log, access: logs.logAccess });
    return await waitUntilStopped(config, run, gateway, server, reload);
  } finally {
    // An open connection would keep the process running.
    if (cache !== 'off') await cache.close();
  }
}

/** The watchdog of an earlier version's unit would end the gateway every 30 s (sd_watchdog_enabled(3)). */
function refuseOldUnit({ WATCHDOG_PID }: CommandIo['env']): void {
  if (WATCHDOG_PID !== String(process.pid)) return;
  throw new ConfigurationError(
    'WATCHDOG_PID: Type=notify and WatchdogSec were removed. Install deploy/systemd/waygate@.service of this version',
  );
}

function createReporter({ countLost }: ServeLogs): Reporter {
  const { commit, version } = readBuild();
  const build = `waygate_build_info{version="${version}",commit="${commit}",runtime="Node ${process.versions.node}"}`;
  return () => [
    [build, 1],
    ['waygate_log_lost_lines_total', countLost()],
  ];
}

async function waitUntilStopped(
  config: Config,
  { io, logs: { log } }: ServeRun,
  gateway: Gateway,
  { adminUrl, cutOff, stop, url }: RunningServer,
  reload: ConfigReload,
): Promise<ExitCode> {
  const { isInteractive, writeErr } = io;
  const sites = config.sites.map(({ name, url: site }) => ({
    name,
    url: withoutCredentials(new URL(site).href),
  }));
  log.info({ ...readBuild(), url, admin: adminUrl, sites }, 'listening');
  if (isInteractive) writeErr(describeStart(config, url, adminUrl));
  // Resolves with the first discovery, which is running.
  void endsWithin(PATIENCE, gateway.rediscover(), systemClock).then((isRead) => {
    if (isInteractive && !isRead) writeErr('Reading the sites …\n');
  });
  // The handler stays while the gateway stops: without one, the signal would kill the process.
  process.on('SIGHUP', () => void reload.reload());
  const signal = await waitForStopSignal(async () =>
    log.warn({ requests: await cutOff() }, 'requests were cut off: a second signal'),
  );
  reload.stop();
  log.info({ signal }, 'stopping');
  log.flush();
  await stop();
  log.info({}, 'stopped');
  return 0;
}

const PATIENCE = 2_000;

const MODE_TEXTS = {
  off: 'off',
  observe: 'observe (nothing is refused)',
  enforce: 'enforce (invalid requests are refused by known rules)',
  strict: 'strict (whatever the document forbids is refused)',
} as const;

/** @param url of the gateway, without a final slash @param adminUrl of the separate listener for `/-/`, if any */
function describeStart(config: Config, url: string, adminUrl: string | undefined): string {
  const { admin, sites } = config;
  const consoleUrl = `${adminUrl ?? url}/-/console/`;
  const lines = [
    `waygate listens at ${url}`,
    ...sites.flatMap((site) => describeSite(site, describeStore(config), url)),
    '',
    `  console      ${admin.token === undefined ? 'closed: set WAYGATE_ADMIN_TOKEN to open it' : consoleUrl}`,
  ];
  return `${lines.join('\n')}\n`;
}

function describeSite(site: SiteConfig, store: string, url: string): string[] {
  const { discovery, document, hosts, name, validation } = site;
  const { docs, mcp, openapi } = toOwnAddresses(site);
  const byPath = name === undefined ? url : `${url}/${name}`;
  const mount = hosts === undefined ? byPath : (site.publicUrl ?? toUrlAtHost(hosts, url));
  const hasDocument = discovery !== 'off' || document !== undefined;
  return [
    '',
    `  ${mount}/ → ${withoutCredentials(new URL(site.url).href)}`,
    ...(hasDocument ? [`  reference    ${mount}${docs}`, `  document     ${mount}${openapi}`] : []),
    ...(hasDocument && mcp !== null ? [`  agents       ${mount}${mcp}`] : []),
    ...(hasDocument ? [`  validation   ${MODE_TEXTS[validation.mode ?? 'off']}`] : []),
    `  cache        ${store}`,
  ];
}

function toUrlAtHost(hosts: readonly string[], url: string): string {
  const host = hosts.find((entry) => !entry.startsWith('*')) ?? hosts[0] ?? '';
  const { port, protocol } = new URL(url);
  return `${protocol}//${host}${port === '' || /:\d+$/.test(host) ? '' : `:${port}`}`;
}

function describeStore(config: Config): string {
  const store = locateStore(config);
  return store === 'off' || store === 'memory' ? store : 'redis';
}

/** Purges everything after a crash: lost writes might have changed stored content. */
async function purgeForLostWrites({ context, parts }: Gateway): Promise<void> {
  const { cache } = parts;
  if (cache === null) return;
  const sites = [...context.sites.values()];
  await cache.purge({ kind: 'all' }, 'unconfirmed');
  // The ended process might not have told receivers of `notify` about its purges.
  for (const { caching, runtime } of sites) {
    const selection = runtime.snapshot && caching?.selectTags(runtime.snapshot, [EVERYTHING]);
    if (selection) parts.notifier?.notify(selection);
  }
}
