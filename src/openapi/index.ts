import type { DiscoveredSite } from '../discovery/site.ts';
import { type SiteModel, toModel } from '../model/index.ts';
import { type DocumentOptions, createDocument, type OpenApiDocument } from './document.ts';
import { type GenerationReport, createGenerationReport } from './report.ts';

export type { DocumentOptions, OpenApiDocument } from './document.ts';
export { GLOBAL_PARAMETER_NAMES } from './global-parameters.ts';
export { narrowDocument } from './narrow.ts';
export { applyOverlay, type OverlayResult, type OverlayChange, overlayGeneration } from './overlay.ts';
export { checkOverlay } from './overlay-actions.ts';
export { readOperations } from './read-operations.ts';
export { resolveReference } from './document-access.ts';
export type { GenerationReport } from './report.ts';
export type * from './served-api.ts';
export { stringifyDocument, toYaml } from './serialize.ts';

export interface GeneratedDocument {
  readonly document: OpenApiDocument;
  readonly report: GenerationReport;
}

/**
 * Writes the OpenAPI 3.1 document of a site, and the report of what was repaired on the way. Pure: the same site gives
 * the same document to the byte (see {@link stringifyDocument}).
 *
 * @example
 * const { document, report } = toOpenApi(await discover('https://example.com/'));
 */
export function toOpenApi(site: DiscoveredSite | SiteModel, options: DocumentOptions = {}): GeneratedDocument {
  const model = 'index' in site ? toModel(site) : site;
  return { document: createDocument(model, options), report: createGenerationReport(model) };
}
