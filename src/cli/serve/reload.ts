import type { Hono } from 'hono';
import { ConfigurationError, messageOf, WaygateError } from '../../base/errors.ts';
import { isJsonObject, isSameData } from '../../base/json.ts';
import type { Config, ServeFlags } from '../../base/option-types.ts';
import type { GatewayOptions, ReloadReport, ReloadResult, SiteOptions } from '../../gateway/index.ts';
import { toSiteName } from '../../gateway/site/options/mount-path.ts';
import { readSites } from '../config/gateway-settings.ts';
import { SETTINGS } from '../config/settings.ts';
import type { CommandIo } from '../io.ts';
import type { ServeLogs } from './log.ts';
import { type MergedConfig, readMergedConfig, requireValid } from './resolve-config.ts';

export interface ReadConfig {
  readonly config: Config;
  readonly sites: readonly SiteOptions[];
  readonly app: Hono | undefined;
}

interface ReloadedGateway {
  /** @returns a function that serves the configuration @throws {ConfigurationError} if it can't be served: nothing has changed */
  prepare(next: ReadConfig): Promise<() => void | Promise<void>>;
  rediscover(): Promise<void>;
}

export interface ServeRun {
  readonly flags: ServeFlags;
  readonly io: CommandIo;
  readonly merged: MergedConfig;
  readonly logs: ServeLogs;
  /** Whether the last process crashed, so that the site might still run its write. @default false */
  readonly hasCrashed?: boolean;
}

const STOPPING = 'the gateway is stopping';

/** On SIGHUP and `POST /-/reload`, uses all settings that need no restart, or changes nothing. */
export class ConfigReload {
  readonly #run: ServeRun;
  readonly #gateway: ReloadedGateway;
  readonly #started: Config;
  #current: ReadConfig;
  #running: Promise<unknown> = Promise.resolve();
  /** The reload after the running one, which several callers share. */
  #following: Promise<ReloadResult> | null = null;
  #isStopped = false;

  constructor(run: ServeRun, started: ReadConfig, gateway: ReloadedGateway) {
    this.#run = run;
    this.#gateway = gateway;
    this.#started = started.config;
    this.#current = started;
  }

  addTo(options: GatewayOptions): GatewayOptions {
    const { listLines: listLogLines } = this.#run.logs;
    const admin = { ...options.admin, listLogLines, reload: () => this.reload() };
    return { ...options, admin };
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
      const { needsRestart } = result;
      if (needsRestart.length > 0)
        log.warn({ needsRestart }, 'these settings change with the next start only');
    }
    void this.#gateway.rediscover();
    return result;
  }

  async #replace(): Promise<ReloadReport> {
    const { env } = this.#run.io;
    const merged = await readMergedConfig(this.#run.flags, env);
    const read = await requireValid(merged);
    const app = await merged.file?.createApp();
    try {
      const kept = pickStartSettings(this.#started);
      const config = { ...read, ...kept, admin: { ...read.admin, ...kept.admin } };
      const next = { config, sites: await readSites(config), app };
      const use = await this.#gateway.prepare(next);
      if (this.#isStopped) throw new ConfigurationError(STOPPING);
      await use();
      this.#run.logs.configure(config);
      const changed = [
        ...(app === this.#current.app ? [] : ['app']),
        ...listDifferences(toNamedSettings(this.#current), toNamedSettings(next)),
      ];
      const needsRestart = listDifferences(kept, pickStartSettings(read));
      this.#current = next;
      return { changed, needsRestart };
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      const problems = error.problems.map((problem) => merged.locator.describe(problem));
      throw new ConfigurationError(error.message, { cause: error, problems });
    }
  }
}

/** Settings that only a restart changes. */
function pickStartSettings({ admin, cache, host, notify, port, redis, state }: Config) {
  return { admin: { host: admin.host, port: admin.port }, cache, host, notify, port, redis, state };
}

function toNamedSettings({ config, sites }: ReadConfig): object {
  return { ...config, sites: Object.fromEntries(sites.map((site) => [toSiteName(site), site])) };
}

/** A file's content, such as a document, is compared as a whole. */
function isFromFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return SETTINGS.serve.properties?.['sites']?.items?.properties?.[name]?.format === 'path';
}

/** @returns paths of settings without values, because some are secrets */
function listDifferences(one: unknown, other: unknown, prefix = ''): readonly string[] {
  if (isSameData(one, other)) return [];
  const path = prefix.slice(0, -1);
  if (!isJsonObject(one) || !isJsonObject(other) || isFromFile(path)) return [path];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) => listDifferences(one[name], other[name], `${prefix}${name}.`));
}
