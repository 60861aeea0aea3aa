import { groupBy } from '../../group-by.ts';
import { parseNamespace } from './namespaces.ts';

/**
 * Finds the namespaces that another one of the same plugin has replaced: `wc/v1` and `wc/v2` where there is `wc/v3`, and
 * `wc/store` where there is `wc/store/v1`. A later version with fewer routes is an addition (`wpcom/v3` beside `wpcom/v2`)
 * and replaces nothing.
 *
 * @param routes the namespace of each route
 * @returns the last version, by the name of each older one
 */
export function findSuccessors(
  routes: Iterable<{ readonly namespace: string }>,
): ReadonlyMap<string, string> {
  const namespaces = Array.from(
    groupBy([...routes], ({ namespace }) => namespace),
    ([name, ofName]) => ({ name, size: ofName.length, ...parseNamespace(name) }),
  );
  const successors = new Map<string, string>();
  for (const versions of groupBy(namespaces, ({ base }) => base).values()) {
    const sorted = [...versions].sort((one, other) => other.version - one.version);
    for (const [at, { name, size }] of sorted.entries()) {
      const later = sorted.slice(0, Math.min(at, MAX_VERSIONS)).find((other) => other.size >= size);
      if (later !== undefined) successors.set(name, later.name);
    }
  }
  return successors;
}

/** Versions of one plugin that are compared. No known plugin has as many. */
const MAX_VERSIONS = 20;
