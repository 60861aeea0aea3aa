import { splitNames } from '../../src/glob.ts';

/** Types of the interfaces that users implement or receive in both entries. */
const SHARED = `
  AdminHandler Awaitable CacheStore Clock CompressedResponse ContentCoding ContentDecoder ContentEncoder
  Dispatch Exchange Gateway IdentityResponse IncomingRequestHead Json JsonObject Lease
  Log PurgeMode PurgeSelection RepeatedResponse RequestHead ResponseHead
  ResponseSink
  SharedCounts SharedStoreState StateStore StoreReport StoredResponse
  TransportFactory UpstreamFailure UpstreamFailureKind UpstreamRequest UpstreamTimeouts UpstreamTls
`;

/** What the package promises, entry by entry. A change here is a change that users see: CHANGELOG.md. */
export const EXPORTS: Readonly<Record<string, Entry>> = {
  waygate: entry(
    'index.ts',
    `
      ConfigurationError DiscoveryError WaygateError applyOverlay applyPurge createGateway createMock defineConfig
      discover generate isSelected reconcile stringifyDocument toClient toOpenApi toTypes toValidators toYaml
    `,
    `${SHARED}
      AccessOptions AdminOptions ArgumentField BasicCredentials BodyMemoryOptions
      BodyModel BulkLists ClientGenerationOptions ConcurrencyOptions CorsOptions
      CountedFinding Diagnostic DiscoverOptions DiscoveredSite DiscoveryAttempt DiscoveryProgress DocsAsset
      DocsAssets DocsAssetsLoader DocsCoding DocumentOptions EmbeddableRelation EmbeddedRelation FewSamples
      FileOptions FindingSeverity GatewayOptions GenerateOptions GeneratedDocument GeneratedFile GeneratedSite
      GeneratedSiteUpstream GenerationReport GenerationResult IndexArgument IndexEndpoint
      InProgram IndexRoute JsonType KnownResponse LimitOptions LimitRule LinkConvention MockOptions
      NotifyOptions OpenApiDocument OperationCounts OperationFindings OverlayAction OverlayChange
      OverlayResult PathParameter ReadIndexOptions ReloadReport ReloadResult ReconcileOptions ReconcileReport ReconcileResult
      ResourceContext ResourceConvention ResponseCounts ResponseFinding ResponseFindingKind ResponseModel
      ResponseValidationReport RootIndex RouteCacheKeyRule RouteCacheRule RouteOperation RouteSelection
      RouteValidationMode SampleCounts SharedSiteSettings SiteAddress SiteCacheOptions SiteCounts SiteLimitOptions SiteModel
      SiteOperation SiteOptions SitePath SiteResource SkipReason SkippedOperation StopReason
      TanstackFramework TypesOptions UntypedOperationReport UpstreamOptions ValidationMode ValidationOptions
      ValidatorsOptions WaygateConfig WaygateErrorCode WebSocketOptions WriteRule
    `,
  ),
  'waygate/node': entry(
    'node/index.ts',
    `
      connectRedisCounts createCacheStore nodeDecode nodeEncoders nodeHash nodeTransport serve stateFolder
    `,
    `${SHARED}
      AccessLogEntry BodyRate CacheOutcome CacheStoreOptions ListenerOptions ListeningSockets
      MemoryStoreOptions OpenCacheStore RedisCounts RedisOptions RedisTierOptions RedisTlsOptions RequestAttributes RunningServer ServeOptions ServedApp
      TlsOptions
    `,
  ),
  'waygate/vite': entry(
    'vite/index.ts',
    'waygate',
    'ViteDevelopmentServer ViteMiddleware WaygatePlugin WaygatePluginOptions',
  ),
  'waygate/example': entry(
    'example/index.ts',
    'DEMO_USERS boardSite contentSite',
    `
      DemoUser ExampleSite ExampleSiteOptions SiteClock SiteUser UserRole
    `,
  ),
};

export interface Entry {
  /** Its file below src/. */
  readonly source: string;
  readonly values: readonly string[];
  readonly types: readonly string[];
}

function entry(source: string, values: string, types: string): Entry {
  return { source, values: splitNames(values).toSorted(), types: splitNames(types).toSorted() };
}
