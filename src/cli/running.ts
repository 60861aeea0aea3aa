import { randomUUID } from 'node:crypto';
import type { CacheStore } from '../cache/store.ts';
import { createStore } from '../cache/stores/index.ts';
import type { CacheConfig } from '../config/cache.ts';
import type { Config, SiteConfig } from '../config/config.ts';
import { readStructuredFile } from '../config/file.ts';
import { createGateway, type SiteOptions, systemClock } from '../gateway/index.ts';
import { nodeCodecs, nodeDecode, serve, stateFolder } from '../node/index.ts';
import type { ExitCode } from './io.ts';
import type { Logs } from './log.ts';
import { readAuth } from './options.ts';
import { nextSignal, stopOnSignal } from './signals.ts';

/** Serves until a signal asks to stop; resolves when everything is closed. A second signal does not wait. */
export async function runUntilStopped(config: Config, { access, log }: Logs): Promise<ExitCode> {
  const cache = await openStore(config.cache, log);
  const gateway = createGateway({
    cache,
    codecs: nodeCodecs(),
    decode: nodeDecode,
    maxEntryBytes: config.cache.maxEntryBytes,
    sites: await Promise.all(config.sites.map(siteOptions)),
    trust: config.trust,
    log,
    admin: {
      elsewhere: config.admin.port !== undefined,
      ...(config.admin.token === undefined ? {} : { token: config.admin.token }),
    },
    ...(config.state === undefined ? {} : { state: stateFolder(config.state) }),
    ...(config.publicUrl === undefined ? {} : { publicUrl: config.publicUrl }),
  });
  const { port, host, shutdownGrace, admin } = config;
  const server = await serve(gateway, {
    port,
    host,
    shutdownGrace,
    log,
    access,
    ...(admin.port === undefined ? {} : { admin: { port: admin.port, host: admin.host } }),
  });
  log.info(
    {
      url: server.url,
      admin: server.adminUrl,
      sites: config.sites.map(({ name, url }) => ({ name, url: withoutCredentials(url) })),
    },
    'listening',
  );

  const again = (): void => void gateway.rediscover();
  process.on('SIGHUP', again);
  const signal = await nextSignal();
  process.off('SIGHUP', again);
  log.info({ signal }, 'stopping');
  log.flush();
  await stopOnSignal(async () => {
    await server.stop();
    if (cache !== 'off') await cache.close();
  });
  log.info({}, 'stopped');
  return 0;
}

async function openStore(
  { maxBytes, maxEntryBytes, store }: CacheConfig,
  log: Logs['log'],
): Promise<'off' | CacheStore> {
  if (store === 'off') return 'off';
  const memory = { maxBytes, maxEntryBytes };
  return createStore(store, { memory, clock: systemClock, log, random: randomUUID });
}

async function siteOptions(site: SiteConfig): Promise<SiteOptions> {
  const { include, exclude, headers, schemas, timeouts } = site;
  return {
    url: site.url,
    discovery: site.discovery,
    passthrough: site.passthrough,
    unknownRoutes: site.unknownRoutes,
    rewriteBodies: site.rewriteBodies,
    timeouts,
    validation: site.validation,
    cache: site.cache.enabled ? site.cache : 'off',
    ...(site.breaker === undefined ? {} : { breaker: site.breaker }),
    discover: {
      include,
      exclude,
      headers,
      schemas,
      auth: site.auth === undefined ? undefined : readAuth(site.auth),
    },
    ...(site.name === undefined ? {} : { name: site.name }),
    ...(site.rediscover === undefined ? {} : { rediscover: site.rediscover }),
    ...(site.document === undefined ? {} : { document: await readStructuredFile(site.document, 'document') }),
    ...(site.overlay === undefined ? {} : { overlay: await readStructuredFile(site.overlay, 'overlay') }),
  };
}

function withoutCredentials(url: string): string {
  const parsed = new URL(url);
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}
