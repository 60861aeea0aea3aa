/**
 * Creates a WordPress root index like that of a site with many plugins.
 *
 * @param {number} routes number of routes
 * @param {string} base the site's address, without a trailing slash
 */
export function rootIndex(routes, base) {
  const namespaces = new Set(['bench/v1']);
  /** @type {Record<string, object>} */
  const entries = {};
  for (let number = 0; number < routes; number++) {
    const namespace = `bench/v${1 + (number % 20)}`;
    namespaces.add(namespace);
    entries[`/${namespace}/resource-${number}/(?P<id>[\\d]+)`] = {
      namespace,
      methods: ['GET', 'POST'],
      endpoints: [
        {
          methods: ['GET'],
          args: { id: { type: 'integer' }, context: { type: 'string', enum: ['view', 'edit'] } },
        },
        {
          methods: ['POST'],
          args: { id: { type: 'integer' }, title: { type: 'string' }, text: { type: 'string' } },
        },
      ],
    };
  }
  return {
    name: 'Bench',
    description: '',
    url: base,
    home: base,
    namespaces: [...namespaces],
    authentication: {},
    routes: entries,
  };
}

/**
 * Returns paths of routes spread evenly over the index, relative to the REST API's root.
 *
 * @param {number} routes
 * @param {number} count
 */
export function samplePaths(routes, count) {
  return Array.from({ length: Math.min(count, routes) }, (_, position) => {
    const number = Math.floor((position * routes) / Math.min(count, routes));
    return `/bench/v${1 + (number % 20)}/resource-${number}/${position + 1}?context=view`;
  });
}
