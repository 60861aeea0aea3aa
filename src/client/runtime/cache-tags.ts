import { buildPath } from './client.ts';
import { resourceOf } from './resources.ts';

/** Next.js refuses longer tags. */
const MAX_LENGTH = 256;

/** Lists the cache tags of an operation: its resource, and its path with the values filled in. */
export function listCacheTags(
  path: string,
  values: Readonly<Record<string, unknown>> = {},
  slashes: readonly string[] = [],
): string[] {
  const tags = [resourceOf(path), buildPath(path, values, slashes)];
  return [...new Set(tags)].filter((tag) => tag.length <= MAX_LENGTH);
}
