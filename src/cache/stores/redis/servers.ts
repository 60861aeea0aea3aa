import type { RedisOptions } from '../../../../generated/option-types.d.ts';
import { ConfigurationError } from '../../../errors.ts';

/** Settings that have an effect with sentinels only. */
const OF_SENTINELS = ['master', 'database', 'sentinelUsername', 'sentinelPassword'] as const;

/**
 * Checks where Redis is.
 *
 * @param servers a URL, or options
 * @throws {ConfigurationError} when options are invalid, missing, or contradict each other. The message contains no URL, which may
 * have a password.
 */
export function toRedisOptions(servers: string | RedisOptions): RedisOptions {
  const options = typeof servers === 'string' ? { url: servers } : servers;
  const problems = findRedisProblems(options);
  if (problems.length > 0) throw new ConfigurationError(problems.join('; '), { problems });
  return options;
}

/** Returns a sentence for each problem, which begins with its location. */
export function findRedisProblems(options: RedisOptions): readonly string[] {
  const { cert, key } = options.tls ?? {};
  const { cluster, master, password, passwordFile, sentinels, tls, url, username } = options;
  const isStated = (...values: readonly unknown[]): boolean => values.some((value) => value !== undefined);
  const checks: readonly (readonly [isWrong: boolean, problem: string])[] = [
    [
      [url, sentinels, cluster].filter((form) => isStated(form)).length !== 1,
      'redis: state one of url, sentinels and cluster',
    ],
    [
      url !== undefined && !isRedisUrl(url),
      'redis.url: must be a URL such as redis://host:6379/0, rediss://host:6380 or unix:///run/redis/redis.sock?db=0',
    ],
    [
      ![...(sentinels ?? []), ...(cluster ?? [])].every((address) => toAddress(address, 0) !== null),
      `redis.${sentinels === undefined ? 'cluster' : 'sentinels'}: must be hosts such as redis.example.com:6379`,
    ],
    [sentinels !== undefined && master === undefined, 'redis.master: sentinels need the name of the master'],
    ...OF_SENTINELS.map(
      (name) =>
        [sentinels === undefined && isStated(options[name]), `redis.${name}: is for sentinels only`] as const,
    ),
    [isStated(password) && isStated(passwordFile), 'redis.password: passwordFile states it too'],
    [
      /^\w+:\/\/[^/]*@/.test(url ?? '') && isStated(username, password, passwordFile),
      'redis.url: state the user in the URL or beside it, not both',
    ],
    [isStated(tls) && url?.startsWith('rediss:') === false, 'redis.tls: the URL must begin with rediss://'],
    [isStated(cert) !== isStated(key), 'redis.tls: cert and key are needed together'],
  ];
  return checks.flatMap(([isWrong, problem]) => (isWrong ? [problem] : []));
}

/** Whether the client takes a URL, whose parts it decodes. */
function isRedisUrl(url: string): boolean {
  if (/^unix:\/\/(?:[^:@/]*(?::[^@/]*)?@)?\/[^?#]+(?:\?db=\d+)?$/.test(url)) return isDecodable(url);
  if (!/^rediss?:\/\//i.test(url) || !URL.canParse(url)) return false;
  const { hostname, password, pathname, username } = new URL(url);
  return hostname !== '' && /^\/?\d*$/.test(pathname) && [username, password].every(isDecodable);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Parses a host with an optional port; `null` if it is something else. */
export function toAddress(text: string, defaultPort: number): { host: string; port: number } | null {
  const url =
    /^[^/?#@\\]+$/.test(text) && URL.canParse(`redis://${text}`) ? new URL(`redis://${text}`) : null;
  if (url === null || url.hostname === '') return null;
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || defaultPort) };
}

/** Returns the prefix of all keys. In a cluster it has a hash tag, which puts all keys into one slot: scripts need that. */
export function toKeyPrefix(
  { cluster, prefix: stated }: RedisOptions,
  prefix: string = stated ?? 'waygate:',
): string {
  const hasHashTag = /^[^{]*\{[^}]/.test(prefix);
  return cluster === undefined || hasHashTag ? prefix : `{${prefix}}`;
}
