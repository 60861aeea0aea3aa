import { ConfigurationError } from '../../../../base/errors.ts';
import type { RedisOptions } from '../../../../base/option-types.ts';

export const DEFAULT_PREFIX = 'waygate:';

/** @throws {ConfigurationError} for invalid options, without the URL, which can have a password */
export function toRedisOptions(servers: string | RedisOptions): RedisOptions {
  const options = typeof servers === 'string' ? { url: servers } : servers;
  const problems = findRedisProblems(options);
  if (problems.length > 0) throw new ConfigurationError(problems.join('; '), { problems });
  return options;
}

export function findRedisProblems(options: RedisOptions): readonly string[] {
  const { ca, cert, key, passwordFile, url = '' } = options;
  const problems: string[] = [];
  if (!isRedisUrl(url))
    problems.push(
      'redis.url: must be a URL such as redis://host:6379/0, rediss://host:6380 or unix:///run/redis/redis.sock?db=0',
    );
  if (passwordFile !== undefined && /^\w+:\/\/[^/]*:[^/]*@/.test(url))
    problems.push('redis.passwordFile: give the password in it or in the URL, not both');
  if ((ca ?? cert ?? key) !== undefined && !url.startsWith('rediss:'))
    problems.push('redis.url: must begin with rediss://, because redis has files for TLS');
  if ((cert === undefined) !== (key === undefined))
    problems.push('redis.cert: cert and key are needed together');
  return problems;
}

function isRedisUrl(url: string): boolean {
  try {
    decodeURIComponent(url);
  } catch {
    return false;
  }
  if (/^unix:\/\/(?:[^:@/]*(?::[^@/]*)?@)?\/[^?#]+(?:\?db=\d+)?$/.test(url)) return true;
  if (!/^rediss?:\/\//i.test(url) || !URL.canParse(url)) return false;
  const { hostname, pathname } = new URL(url);
  return hostname !== '' && /^\/?\d*$/.test(pathname);
}
