export { discover } from './discover.ts';
export type { DiscoverOptions, DiscoveryProgress } from './options.ts';
export { type ReadIndex, type ReadIndexOptions, readIndex } from './read-index.ts';
export type { Selection } from './selection.ts';
export type {
  DiscoveredSite,
  IndexArgument,
  IndexEndpoint,
  IndexRoute,
  RootIndex,
  SiteAddress,
} from './site.ts';
