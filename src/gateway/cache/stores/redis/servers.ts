import type { RedisOptions } from '../../../../base/option-types.ts';

export const DEFAULT_PREFIX = 'waygate:';

export function findRedisConflicts({ ca, cert, key, passwordFile, url }: RedisOptions): readonly string[] {
  const conflicts: Readonly<Record<string, boolean>> = {
    'redis.passwordFile: give the password in it or in the URL, not both':
      passwordFile !== undefined && /^\w+:\/\/[^/]*:[^/]*@/.test(url),
    'redis.url: must begin with rediss://, because redis has files for TLS':
      (ca ?? cert ?? key) !== undefined && !url.startsWith('rediss:'),
    'redis.cert: cert and key are needed together': (cert === undefined) !== (key === undefined),
  };
  return Object.keys(conflicts).filter((sentence) => conflicts[sentence]);
}

export function isRedisUrl(url: string): boolean {
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
