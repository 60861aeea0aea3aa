/** The arguments of the route of {@link createSmallIndex}. */
export type SmallArguments = Readonly<Record<string, unknown>>;

/** A root index with one route besides `/`: quick to generate from. */
export function createSmallIndex(
  args: SmallArguments = { order: { type: 'string', enum: ['asc', 'desc'] } },
  name = 'Site A',
): Record<string, unknown> {
  return {
    name,
    description: '',
    url: 'http://127.0.0.1',
    home: 'http://127.0.0.1',
    namespaces: ['demo/v1'],
    authentication: [],
    routes: {
      '/demo/v1/notes': { namespace: 'demo/v1', methods: ['GET'], endpoints: [{ methods: ['GET'], args }] },
    },
  };
}
