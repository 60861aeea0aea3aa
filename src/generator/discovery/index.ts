export { discover, readRecordedSite } from './discover.ts';
export type { DiscoverOptions, DiscoveryProgress, RouteSelection } from './options.ts';
export { readIndex } from './read-index.ts';
export type {
  DiscoveredSite,
  IndexArgument,
  IndexEndpoint,
  IndexRoute,
  RootIndex,
  SiteAddress,
} from './site.ts';
