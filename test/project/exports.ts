/** What the package promises, entry by entry, sorted. A change here is a change that users see: CHANGELOG.md. */
export const EXPORTS: Readonly<Record<string, Entry>> = {
  waygate: {
    source: 'index.ts',
    values: [
      'ConfigurationError',
      'DiscoveryError',
      'applyOverlay',
      'createGateway',
      'discover',
      'stringifyDocument',
      'toOpenApi',
      'toTypes',
      'toYaml',
    ],
    types: [
      'Diagnostic',
      'DiscoverOptions',
      'DiscoveredSite',
      'Gateway',
      'GatewayOptions',
      'GenerationReport',
      'Overlaid',
      'OverlayChange',
      'SiteAddress',
      'SiteOptions',
    ],
  },
  'waygate/node': {
    source: 'node/index.ts',
    values: ['createCacheStore', 'nodeCodecs', 'nodeDecode', 'nodeTransport', 'serve', 'stateFolder'],
    types: ['AccessEntry', 'CacheStore', 'ListenerOptions', 'RunningServer', 'ServeOptions', 'CacheStoreOptions'],
  },
  'waygate/example': {
    source: 'example/index.ts',
    values: ['DEMO_USERS', 'boardSite', 'contentSite'],
    types: ['BoardSite', 'ContentSite', 'DemoUser', 'Role', 'Site', 'SiteClock', 'SiteOptions', 'User'],
  },
};

export interface Entry {
  /** Its file below src/. */
  readonly source: string;
  readonly values: readonly string[];
  readonly types: readonly string[];
}
