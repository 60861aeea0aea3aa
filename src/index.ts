export type { Diagnostic } from './base/diagnostics.ts';
export {
  ConfigurationError,
  type DiscoveryAttempt,
  DiscoveryError,
  WaygateError,
  type WaygateErrorCode,
} from './base/errors.ts';
export type { BasicCredentials } from './base/http/basic-credentials.ts';
export type { Json, JsonObject, JsonType } from './base/json.ts';
export type {
  AccessSettings,
  CorsOptions,
  GatewaySettings,
  GeneratedFile,
  GeneratedSite,
  LimitRuleSettings,
  NotifyOptions,
  RouteCacheRuleSettings,
  SiteCacheSettings,
  SiteLimitSettings,
  ValidationSettings,
  WaygateConfig,
  WriteRule,
} from './base/option-types.ts';
export type { PhpArray, PhpValue } from './base/php/request.ts';
export { createGateway } from './create-gateway.ts';
export { createMock } from './create-mock.ts';
export { defineConfig, defineGateway, type GatewayConfig } from './define-config.ts';
export type { Gateway, Log } from './gateway/index.ts';
export { type RequestMeaning, resolveRequest } from './gateway/request-meaning.ts';
export { type FileOptions, type GenerateOptions, type GenerationResult, generate } from './generate.ts';
export { type ClientGenerationOptions, type TanstackFramework, toClient } from './generator/client/index.ts';
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
} from './generator/discovery/index.ts';
export type {
  EmbeddableRelation,
  LinkConvention,
  ResourceConvention,
} from './generator/model/conventions/resource-conventions.ts';
export type {
  ArgumentField,
  BodyModel,
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
} from './generator/model/site.ts';
export {
  applyOverlay,
  type GeneratedDocument,
  type GenerationReport,
  type OpenApiDocument,
  type OverlayChange,
  type OverlayResult,
  stringifyDocument,
  toOpenApi,
} from './generator/openapi/index.ts';
export {
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
} from './generator/reconcile/index.ts';
export { type TypesOptions, toTypes } from './generator/types/index.ts';
export type { ValidationMode } from './generator/validation/request/result.ts';
export type {
  FindingSeverity,
  ResponseFinding,
  ResponseFindingKind,
} from './generator/validation/response/schema.ts';
export type {
  CountedFinding,
  OperationFindings,
  ResponseValidationReport,
  SkipReason,
} from './generator/validation/response/validator.ts';
