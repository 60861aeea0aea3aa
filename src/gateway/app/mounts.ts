import { ConfigurationError } from '../../errors.ts';
import type { SiteOptions } from '../options/gateway-options.ts';

/** One path segment that is spelled in one way only, and is none of the gateway's own. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._~-]*$/;

/**
 * `/name`, or empty for the site without a name.
 *
 * @throws ConfigurationError where the name is not one path segment
 */
export function mountPath({ name }: Pick<SiteOptions, 'name'>): string {
  if (name === undefined || name === '') return '';
  if (NAME.test(name)) return `/${name}`;
  throw new ConfigurationError(
    `sites: the name "${name}" must be one path segment of letters, digits, ".", "_", "~" and "-"`,
  );
}

/**
 * Finds what is mounted where, by the first segment of a path alone: the cost does not grow with the mounts.
 *
 * @returns finds the mounted thing whose name is the first segment of a path, with or without a query, else the one
 * without a name
 */
export function createMountTable<T>(mounted: ReadonlyMap<string, T>): (target: string) => T | undefined {
  const unnamed = mounted.get('');
  if (unnamed !== undefined && mounted.size === 1) return () => unnamed;
  return (target) => {
    const end = target.slice(1).search(/[/?]/);
    return mounted.get(end < 0 ? target : target.slice(0, end + 1)) ?? unnamed;
  };
}

/**
 * What stands before every path of a site for a browser that reads its documentation: the mount, below the path of the
 * gateway's public address where it has one.
 */
export function publicPath(publicUrl: string | undefined, mount: string): string {
  const path = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
  return path + mount;
}
