import type { SiteOptions } from './options.ts';

/** `/name`, or empty for the site without a name. */
export function mountOf({ name }: Pick<SiteOptions, 'name'>): string {
  return name === undefined || name === '' ? '' : `/${name}`;
}

/**
 * Finds what is mounted where, by the first segment of a path alone: the cost does not grow with the mounts.
 *
 * @returns the mounted thing whose name is the path's first segment, else the one without a name
 */
export function createMounts<T>(mounted: ReadonlyMap<string, T>): (path: string) => T | undefined {
  const unnamed = mounted.get('');
  return (path) => {
    const end = path.indexOf('/', 1);
    return mounted.get(end < 0 ? path : path.slice(0, end)) ?? unnamed;
  };
}
