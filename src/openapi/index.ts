import type { DiscoveredSite } from '../discovery/site.ts';
import { type Site, toModel } from '../model/index.ts';
import { type DocumentOptions, documentOf, type OpenApiDocument } from './document.ts';
import { type GenerationReport, reportOf } from './report.ts';

export type { DocumentOptions, OpenApiDocument } from './document.ts';
export { GLOBAL_PARAMETERS } from './globals.ts';
export { narrow } from './narrow.ts';
export { applyOverlay, type Overlaid, type OverlayChange, withOverlay } from './overlay.ts';
export { checkOverlay } from './overlay-actions.ts';
export { readOperations } from './read.ts';
export { follow } from './references.ts';
export type { GenerationReport } from './report.ts';
export type * from './served.ts';
export { stringifyDocument, toYaml } from './text.ts';

export interface Generated {
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
export function toOpenApi(site: DiscoveredSite | Site, options: DocumentOptions = {}): Generated {
  const model = 'index' in site ? toModel(site) : site;
  return { document: documentOf(model, options), report: reportOf(model) };
}
