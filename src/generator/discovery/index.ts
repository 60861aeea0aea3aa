export { discover, readRecordedSite } from './discover.ts';
export type { DiscoverOptions, DiscoveryProgress, RouteSelection } from './options.ts';
export type {
  DiscoveredSite,
  IndexArgument,
  IndexEndpoint,
  IndexRoute,
  RootIndex,
  SiteAddress,
} from './site.ts';
