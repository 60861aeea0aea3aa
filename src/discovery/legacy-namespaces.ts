import { groupBy } from '../group-by.ts';

/**
 * Lists the namespaces that another one of the same plugin has replaced: `wc/v1` and `wc/v2` where there is `wc/v3`. A later
 * version with fewer routes is an addition (`wpcom/v3` beside `wpcom/v2`) and replaces nothing.
 *
 * @param routes the namespace of each route
 */
export function listLegacyNamespaces(routes: Iterable<{ readonly namespace: string }>): readonly string[] {
  const counts = Array.from(
    groupBy([...routes], ({ namespace }) => namespace),
    ([name, ofName]) => ({ name, routes: ofName.length }),
  );
  const versions = counts.flatMap(({ name, routes: size }) => {
    const [, plugin, version] = /^(.+)\/v(\d{1,4})$/.exec(name) ?? [];
    return plugin === undefined ? [] : [{ name, plugin, version: Number(version), size }];
  });
  return versions
    .filter(({ plugin, size, version }) =>
      versions.some((other) => other.plugin === plugin && other.version > version && other.size >= size),
    )
    .map(({ name }) => name);
}
