export type { Diagnostic } from './diagnostics.ts';
export { type DiscoverOptions, discover } from './discovery/index.ts';
export type { DiscoveredSite, SiteAddress } from './discovery/site.ts';
export { ConfigurationError, DiscoveryError } from './errors.ts';
export { createGateway, type Gateway, type GatewayOptions, type SiteOptions } from './gateway/index.ts';
export {
  applyOverlay,
  type GenerationReport,
  type Overlaid,
  type OverlayChange,
  stringifyDocument,
  toOpenApi,
  toYaml,
} from './openapi/index.ts';
export { toTypes } from './types/index.ts';
