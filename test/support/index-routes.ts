/**
 * A root index with these routes: methods by pattern, e.g. `{ '/wp/v2/posts': 'GET POST' }`. The namespace of a route is what its
 * pattern begins with, as far as a version.
 */
export function createRoutesIndex(
  routes: Readonly<Record<string, string>>,
  args: object = { id: { type: 'integer' } },
): object {
  const toRoute = ([pattern, text]: [string, string]): readonly [string, object] => {
    const methods = text.split(' ');
    const namespace = /^\/((?:[\w-]+\/)+?v\d+)\//.exec(pattern)?.[1] ?? '';
    return [
      pattern,
      { namespace, methods, endpoints: methods.map((method) => ({ methods: [method], args })) },
    ];
  };
  const listed = Object.entries({ '/': 'GET', ...routes }).map(toRoute);
  const namespaces = new Set(listed.map(([, route]) => String(Object(route).namespace)));
  namespaces.delete('');
  return { name: 'A site', namespaces: [...namespaces], routes: Object.fromEntries(listed) };
}
