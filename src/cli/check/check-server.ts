import { lookup } from 'node:dns/promises';
import { mkdtemp, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DEFAULT_PREFIX, toRedisOptions } from '../../cache/stores/redis/servers.ts';
import { openSession } from '../../cache/stores/redis/session.ts';
import { locateStore } from '../../config/config.ts';
import type { Config } from '../../config/option-types.ts';
import { ConfigurationError, messageOf } from '../../errors.ts';
import { Gateway } from '../../gateway/index.ts';
import { readCertificate } from '../../node/certificates.ts';
import { type ReportProblem, reportErrors } from './problems.ts';

/** Checks what all sites share: certificate, networks of proxies, state folder, Redis, notified systems. */
export async function checkServer(config: Config, offline: boolean, report: ReportProblem): Promise<void> {
  const { admin, host, notify, state, trust } = config;
  const isAny = /^(?:0\.0\.0\.0|::)$/.test(host) || /^(?:0\.0\.0\.0|::)$/.test(admin.host);
  if (admin.port === config.port && admin.port !== 0 && (isAny || admin.host === host))
    report('error', `admin.port: ${admin.port} is the port of the sites, too: only one listener can have it`);
  const sites = [{ url: 'http://localhost' }];
  await reportErrors(report, '', () => void new Gateway({ sites, trust }));
  await Promise.all([
    checkCertificate(config, report),
    state === undefined ? undefined : checkStateFolder(resolve(state), report),
    ...(offline
      ? []
      : [
          checkRedis(config, report),
          checkHost(host, 'host', report),
          checkHost(admin.host, 'admin.host', report),
          ...notify.map(({ url }, at) => checkHost(new URL(url).hostname, `notify[${at}].url`, report)),
        ]),
  ]);
}

const DAY = 86_400_000;
/** Days before a certificate's end. Automatic renewal, which begins 30 days before, has failed then. */
const EXPIRY_WARNING = 14;

async function checkCertificate(config: Config, report: ReportProblem): Promise<void> {
  const { hosts, publicUrl, sites, tls } = config;
  if (tls === undefined) return;
  const read = await reportErrors(report, 'tls', () => readCertificate(tls));
  if (read === undefined) return;
  const { defect, x509 } = read;
  const days = Math.floor((Date.parse(x509.validTo) - Date.now()) / DAY);
  if (defect !== null) report('error', defect);
  else if (days < EXPIRY_WARNING) report('warning', `tls.cert: ${tls.cert} expires on ${x509.validTo}`);
  const served = [...hosts, ...sites.flatMap((site) => site.hosts ?? [])].filter(
    (host) => !host.startsWith('*'),
  );
  const names = [...served, ...(publicUrl === undefined ? [] : [new URL(publicUrl).host])];
  for (const name of new Set(names.map((host) => host.replace(/:\d+$/, '')))) {
    if (x509.checkHost(name) === undefined)
      report('warning', `tls.cert: the certificate is not for the host ${name}`);
  }
}

/** The folder is created at the start, so what exists above it counts. */
async function checkStateFolder(folder: string, report: ReportProblem): Promise<void> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) {
    if (found.code === 'ENOENT' && dirname(folder) !== folder)
      await checkStateFolder(dirname(folder), report);
    else report('error', `state: ${messageOf(found)}`);
  } else if (!found.isDirectory()) report('error', `state: ${folder} is a file`);
  else {
    // The mode of some folders doesn't say that nothing can be created there: `/proc`, a read-only or a full
    // disk.
    await mkdtemp(join(folder, '.waygate-check-')).then(rmdir, (error: unknown) =>
      report('error', `state: ${folder} cannot be written: ${messageOf(error)}`),
    );
  }
}

async function checkRedis(config: Config, report: ReportProblem): Promise<void> {
  const location = locateStore(config);
  if (location === 'off' || location === 'memory') return;
  const setting = config.redis === undefined ? 'cache.store' : 'redis';
  try {
    const servers = toRedisOptions(location);
    const name = `${servers.prefix ?? DEFAULT_PREFIX}check`;
    const session = await openSession(servers, () => {});
    // Nothing is written: Redis says whether it takes writes, and the user can use keys of this prefix.
    await session.send(['EVAL', "return redis.call('DEL', KEYS[1])", '1', name]);
    session.close();
  } catch (error) {
    if (!(error instanceof ConfigurationError))
      report('error', `${setting}: Redis cannot be used: ${messageOf(error)}`);
  }
}

/** A URL writes an address in brackets. */
export async function checkHost(host: string, setting: string, report: ReportProblem): Promise<void> {
  await lookup(host.replace(/^\[|\]$/g, '')).catch((error: unknown) =>
    report('error', `${setting}: the host ${host} has no address: ${messageOf(error)}`),
  );
}
