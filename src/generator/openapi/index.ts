import { runSteps, type Steps } from '../../base/steps.ts';
import type { DiscoveredSite } from '../discovery/site.ts';
import { type SiteModel, toSiteModel } from '../model/index.ts';
import { createDocument } from './document.ts';
import { createGenerationReport, type GenerationReport } from './generation-report.ts';
import type { OpenApiDocument } from './objects.ts';

export { resolveReference } from './document-references.ts';
export type { GenerationReport, OverlayChange } from './generation-report.ts';
export { narrowDocument, narrowToNamespaces } from './narrow-to-namespaces.ts';
export type { OpenApiDocument } from './objects.ts';
export { GLOBAL_PARAMETER_NAMES } from './operation-objects.ts';
export {
  countOperations,
  hasPaths,
  listOperations,
  listRouteOperations,
  Operation,
  type Parameter,
  pathsOf,
  withServers,
} from './operations.ts';
export {
  applyOverlay,
  applyOverlayToGeneration,
  isDocument,
  type OverlayResult,
  parseOverlayActions,
} from './overlay.ts';
export { joinToChunks, printJson, stringifyDocument } from './serialize.ts';
export type { ServedApi, ServedRoute } from './served-api.ts';
export { readServedApi } from './served-api.ts';

export interface GeneratedDocument {
  readonly document: OpenApiDocument;
  readonly report: GenerationReport;
}

/**
 * Creates the OpenAPI 3.1 document of a site, and a report of what it lacks. Equal sites give equal bytes.
 *
 * @param site a discovered site, or the model of one
 * @param options `server`: URL of the paths, such as a gateway's. @default the site's own
 * @throws {DiscoveryError} when the document is too large
 *
 * @example
 * import { discover, toOpenApi } from 'waygate';
 *
 * const { document, report } = toOpenApi(await discover('https://example.com'));
 * console.log(report.counts.operations, Object.keys(document.paths ?? {}));
 */
export function toOpenApi(
  site: DiscoveredSite | SiteModel,
  { server }: { readonly server?: string | undefined } = {},
): GeneratedDocument {
  return runSteps(toOpenApiInSteps(site, server));
}

/** {@link toOpenApi} in steps of about one route. */
export function* toOpenApiInSteps(
  site: DiscoveredSite | SiteModel,
  server?: string,
): Steps<GeneratedDocument> {
  const model = 'index' in site ? yield* toSiteModel(site) : site;
  yield;
  const document = yield* createDocument(model, server);
  yield;
  return { document, report: createGenerationReport(model) };
}
