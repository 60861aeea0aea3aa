import type { Hono } from 'hono';
import { readBuild } from '../../base/build.ts';
import { ConfigurationError, messageOf, WaygateError } from '../../base/errors.ts';
import { isJsonObject, isSameData } from '../../base/json.ts';
import type { Config, ServeFlags, SiteConfig } from '../../base/option-types.ts';
import { endsWithin } from '../../base/ports.ts';
import type { CacheStore } from '../../gateway/cache/store.ts';
import {
  type Gateway,
  type ReloadReport,
  type ReloadResult,
  type SiteOptions,
  systemClock,
} from '../../gateway/index.ts';
import { type RunningServer, serve } from '../../gateway/node/index.ts';
import { claimStateFolder, listUnusedStates, prepareStateFolder } from '../../gateway/node/state-folder.ts';
import { toSiteName } from '../../gateway/site/hosts.ts';
import { toOwnAddresses } from '../../gateway/site/settings.ts';
import type { Reporter } from '../../gateway/site/shared-parts.ts';
import { EVERYTHING } from '../../gateway/wordpress/cache-names.ts';
import { withoutCredentials } from '../../generator/discovery/address.ts';
import { openGateway } from '../../open-gateway.ts';
import { createGatewayOptions, openStore, readSites } from '../config/gateway-settings.ts';
import { locateStore, SETTINGS } from '../config/settings.ts';
import { type CommandIo, type ExitCode, waitForStopSignal } from '../io.ts';
import { createServeLogs, type ServeLogs } from './log.ts';
import { type MergedConfig, readMergedConfig, requireValid, withPlaces } from './resolve-config.ts';

export async function runServe(io: CommandIo, flags: ServeFlags): Promise<ExitCode> {
  const merged = await readMergedConfig(flags, io.env);
  const config = await requireValid(merged);
  const logs = createServeLogs(config, io);
  // Node would end the process, e.g. for an unawaited call in a configuration's middleware.
  process.on('unhandledRejection', (err) => logs.log.error({ err }, 'a rejected promise was not handled'));
  const run = { flags, io, logs, merged };
  const { state } = config;
  return withPlaces(merged, async () => {
    if (state === undefined) return runGatewayUntilSignal(config, run);
    await prepareStateFolder(state);
    const { hasCrashed, release } = await claimStateFolder(state);
    return runGatewayUntilSignal(config, { ...run, hasCrashed }).finally(release);
  });
}

/** Resolves at SIGTERM or SIGINT when everything is closed. A second signal exits at once. */
async function runGatewayUntilSignal(config: Config, run: ServeRun): Promise<ExitCode> {
  const { hasCrashed, io, logs, merged } = run;
  refuseOldUnit(io.env);
  const sites = await readSites(config);
  const cache = await openStore(config, logs.log);
  try {
    const started = { config, sites, app: await merged.file?.createApp() };
    const reload = new ConfigReload(run, started, cache, (next) => server.replace(next));
    const { gateway } = reload;
    gateway.parts.reporters.add(createReporter(logs));
    const states = Array.from(gateway.context.sites.keys(), (name) => `document.${name}`);
    const files = config.state === undefined ? [] : await listUnusedStates(config.state, states);
    if (files.length > 0)
      logs.log.warn(
        { files },
        'files in the state folder are not used: of another version, or of a removed site',
      );
    if (hasCrashed === true) {
      void purgeForLostWrites(gateway);
      // The site might still be running a write that the ended process forwarded.
      for (const { caching, runtime } of gateway.context.sites.values())
        caching?.writes.purgeLater(() => runtime.snapshot, 'writes in progress when a process ended', 2);
    }
    const server = await serve({ gateway, log: logs.log, access: logs.logAccess });
    return await waitUntilStopped(config, run, server, reload);
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
  void endsWithin(PATIENCE, reload.gateway.rediscover(), systemClock).then((isRead) => {
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

interface ReadConfig {
  readonly config: Config;
  readonly sites: readonly SiteOptions[];
  readonly app: Hono | undefined;
}

interface ServeRun {
  readonly flags: ServeFlags;
  readonly io: CommandIo;
  readonly merged: MergedConfig;
  readonly logs: ServeLogs;
  /** Whether the last process crashed, so that the site might still run its write. @default false */
  readonly hasCrashed?: boolean;
}

const STOPPING = 'the gateway is stopping';

/** On SIGHUP and `POST /-/reload`, uses all settings that need no restart, or changes nothing. */
class ConfigReload {
  /** The gateway that serves. */
  gateway: Gateway;
  readonly #run: ServeRun;
  readonly #cache: 'off' | CacheStore;
  readonly #use: (next: Gateway) => void;
  readonly #started: Config;
  #current: ReadConfig;
  #running: Promise<unknown> = Promise.resolve();
  /** The reload after the running one, which several callers share. */
  #following: Promise<ReloadResult> | null = null;
  #isStopped = false;

  constructor(run: ServeRun, started: ReadConfig, cache: 'off' | CacheStore, use: (next: Gateway) => void) {
    this.#run = run;
    this.#cache = cache;
    this.#use = use;
    this.#started = started.config;
    this.#current = started;
    this.gateway = this.#open(started, null);
  }

  #open({ app, config, sites }: ReadConfig, before: Gateway | null): Gateway {
    const { listLines: listLogLines, log } = this.#run.logs;
    const options = createGatewayOptions(config, sites, this.#cache, log);
    const admin = { ...options.admin, listLogLines, reload: () => this.reload() };
    return openGateway({ ...options, admin }, before, app);
  }

  /** Waits for a running reload, which might have read the files before they were changed. Never rejects. */
  reload(): Promise<ReloadResult> {
    this.#following ??= this.#running.then(() => {
      this.#following = null;
      const running = this.#reloadOnce();
      this.#running = running;
      return running;
    });
    return this.#following;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #reloadOnce(): Promise<ReloadResult> {
    if (this.#isStopped) return { problems: [STOPPING] };
    const { log } = this.#run.logs;
    const result = await this.#replace().catch((error: unknown): ReloadResult => {
      if (!(error instanceof WaygateError)) log.error({ err: error }, 'the reload failed');
      return { problems: error instanceof ConfigurationError ? error.problems : [messageOf(error)] };
    });
    if ('problems' in result) {
      const { problems } = result;
      log.error(
        { problems },
        `the configuration is refused, and nothing has changed: ${problems.join('; ')}`,
      );
    } else {
      log.info(result, 'the configuration was reloaded');
      const { needsRestart, unread } = result;
      if (needsRestart.length > 0)
        log.warn({ needsRestart }, 'these settings change with the next start only');
      for (const problem of unread) log.warn({}, `the new settings are used, but ${problem}`);
    }
    void this.gateway.rediscover();
    return result;
  }

  async #replace(): Promise<ReloadReport> {
    const { env } = this.#run.io;
    const merged = await readMergedConfig(this.#run.flags, env);
    const read = await requireValid(merged);
    const app = await merged.file?.createApp();
    return withPlaces(merged, async () => {
      const kept = pickStartSettings(this.#started);
      const config = { ...read, ...kept, admin: { ...read.admin, ...kept.admin } };
      const next = { config, sites: await readSites(config), app };
      const gateway = this.#open(next, this.gateway);
      const unread = await gateway.getReady();
      if (this.#isStopped) throw new ConfigurationError(STOPPING);
      this.#use(gateway);
      this.gateway = gateway;
      this.#run.logs.configure(config);
      const changed = [
        ...(app === this.#current.app ? [] : ['app']),
        ...listDifferences(toNamedSettings(this.#current), toNamedSettings(next)),
      ];
      const needsRestart = listDifferences(kept, pickStartSettings(read));
      this.#current = next;
      return { changed, needsRestart, unread };
    });
  }
}

function pickStartSettings({ admin, cache, host, notify, port, redis, state }: Config) {
  return { admin: { host: admin.host, port: admin.port }, cache, host, notify, port, redis, state };
}

/** As the file writes them, but for the contents of a site's files in place of their paths. */
function toNamedSettings({ config, sites }: ReadConfig): object {
  const named = config.sites.map((site, at) => {
    const { document, overlay } = sites[at] ?? {};
    return [toSiteName(site), { ...site, document, overlay }];
  });
  return { ...config, sites: Object.fromEntries(named) };
}

/** Whether a setting's value is compared as a whole: a file's content such as a document, or a rate. */
function isWhole([, , ...names]: readonly string[]): boolean {
  const site = SETTINGS.serve.properties?.['sites']?.items;
  return names.reduce((setting, name) => setting?.properties?.[name], site)?.format !== undefined;
}

/** @returns paths of settings without values, because some are secrets */
function listDifferences(one: unknown, other: unknown, path: readonly string[] = []): readonly string[] {
  if (isSameData(one, other)) return [];
  if (!isJsonObject(one) || !isJsonObject(other) || isWhole(path)) return [path.join('.')];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) => listDifferences(one[name], other[name], [...path, name]));
}
