import { mkdtemp, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { Config } from '../../base/option-types.ts';
import { openSession } from '../../gateway/cache/stores/redis/connection.ts';
import { DEFAULT_PREFIX } from '../../gateway/cache/stores/redis/servers.ts';
import { checkRedisFiles } from '../config/gateway-settings.ts';
import { locateStore } from '../config/settings.ts';
import { type ReportProblem, reportErrors } from './problems.ts';

export async function checkServer(config: Config, offline: boolean, report: ReportProblem): Promise<void> {
  const { state } = config;
  await Promise.all([
    state === undefined ? undefined : checkStateFolder(resolve(state), report),
    reportErrors(report, 'redis', async () => {
      await checkRedisFiles(config);
      if (!offline) await checkRedis(config, report);
    }),
  ]);
}

async function checkStateFolder(folder: string, report: ReportProblem): Promise<void> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) {
    if (found.code === 'ENOENT' && dirname(folder) !== folder)
      await checkStateFolder(dirname(folder), report);
    else report('error', `state: ${messageOf(found)}`);
  } else if (!found.isDirectory()) report('error', `state: ${folder} is a file`);
  else {
    // Nothing can be created in some folders whose mode allows it: `/proc`, a full or a read-only disk.
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
    const name = `${location.prefix ?? DEFAULT_PREFIX}check`;
    const session = await openSession(location, () => {});
    // Nothing is written: Redis says whether it takes writes, and the user can use keys of this prefix.
    await session.send(['EVAL', "return redis.call('DEL', KEYS[1])", '1', name]);
    session.close();
  } catch (error) {
    report('error', `${setting}: Redis cannot be used: ${messageOf(error)}`);
  }
}
