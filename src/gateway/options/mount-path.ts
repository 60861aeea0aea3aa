import { ConfigurationError } from '../../errors.ts';
import type { SiteOptions } from './site-options.ts';

/** One path segment that needs no percent-encoding, and differs from `-`, the prefix of the gateway's operations. */
const SITE_NAME = /^[A-Za-z0-9][A-Za-z0-9._~-]*$/;

/**
 * Returns the path that a site is mounted at: `/name`, or empty for the site without a name.
 *
 * @throws {ConfigurationError} when the name is not a path segment
 */
export function toMountPath({ name }: Pick<SiteOptions, 'name'>): string {
  if (name === undefined || name === '') return '';
  if (SITE_NAME.test(name)) return `/${name}`;
  throw new ConfigurationError(
    `sites: the name "${name}" must be one path segment of letters, digits, ".", "_", "~" and "-"`,
  );
}

/**
 * Returns the path of a mount as browsers see it, without trailing slash: the mount path, below the path of the gateway's
 * public URL if that has one.
 */
export function toPublicPath(publicUrl: string | undefined, mount: string): string {
  const path = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
  return path + mount;
}
