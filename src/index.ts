export type { TanstackFramework } from './client/companions.ts';
export { type ClientGenerationOptions, toClient } from './client/index.ts';
export { createGateway } from './config/create-gateway.ts';
export type {
  AccessOptions,
  CorsOptions,
  GatewaySettings,
  GeneratedFile,
  GeneratedSite,
  LimitRule,
  NotifyOptions,
  RouteCacheRule,
  SiteCacheOptions,
  SiteLimitOptions,
  ValidationOptions,
  WaygateConfig,
  WriteRule,
} from './config/option-types.ts';
export { defineConfig, defineGateway, type GatewayConfig } from './define-config.ts';
export type { Diagnostic } from './diagnostics.ts';
export {
  type DiscoveredSite,
  type DiscoverOptions,
  type DiscoveryProgress,
  discover,
  type IndexArgument,
  type IndexEndpoint,
  type IndexRoute,
  type RootIndex,
  type RouteSelection,
  type SiteAddress,
} from './discovery/index.ts';
export {
  ConfigurationError,
  type DiscoveryAttempt,
  DiscoveryError,
  WaygateError,
  type WaygateErrorCode,
} from './errors.ts';
export type { Gateway, Log } from './gateway/index.ts';
export { type RequestMeaning, resolveRequest } from './gateway/request-meaning.ts';
export { type FileOptions, type GenerateOptions, type GenerationResult, generate } from './generate.ts';
export type { BasicCredentials } from './http/basic-credentials.ts';
export type { Json, JsonObject, JsonType } from './json.ts';
export { createMock } from './mock/index.ts';
export type {
  EmbeddableRelation,
  LinkConvention,
  ResourceConvention,
} from './model/conventions/resource-conventions.ts';
export type {
  ArgumentField,
  BodyModel,
  BulkLists,
  EmbeddedRelation,
  KnownResponse,
  PathParameter,
  ResourceContext,
  ResponseModel,
  RouteOperation,
  SiteCounts,
  SiteModel,
  SiteOperation,
  SitePath,
  SiteResource,
} from './model/site.ts';
export {
  applyOverlay,
  type GeneratedDocument,
  type GenerationReport,
  type OpenApiDocument,
  type OverlayChange,
  type OverlayResult,
  stringifyDocument,
  toOpenApi,
} from './openapi/index.ts';
export type { PhpArray, PhpValue } from './php/query.ts';
export {
  type NamespaceReport,
  type OverlayAction,
  type ReconcileOptions,
  type ReconcileReport,
  type ReconcileResult,
  type ResponseCounts,
  reconcile,
  type SampleCounts,
  type SkippedOperation,
  type StopReason,
  type UnsentReason,
  type UntypedOperationReport,
} from './reconcile/index.ts';
export { type TypesOptions, toTypes } from './types/index.ts';
export type { ValidationMode } from './validation/request/result.ts';
export type { FindingSeverity, ResponseFinding, ResponseFindingKind } from './validation/response/finding.ts';
export type {
  CountedFinding,
  OperationFindings,
  ResponseValidationReport,
  SkipReason,
} from './validation/response/validator.ts';
