import type { OpenAPIV3_1 } from 'openapi-types';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { runSteps, type Steps } from '../../base/steps.ts';
import type { DiscoveredSite } from '../discovery/site.ts';
import { type SiteModel, toSiteModel } from '../model/index.ts';
import { createDocument } from './document.ts';
import type { OpenApiDocument } from './document-objects.ts';
import { createGenerationReport, type GenerationReport } from './generation-report.ts';

export type { OpenApiDocument } from './document-objects.ts';
export type { GenerationReport, OverlayChange } from './generation-report.ts';
export { GLOBAL_PARAMETER_NAMES } from './operation-objects.ts';
export {
  countOperations,
  hasPaths,
  listRouteOperations,
  Operation,
  type Parameter,
  pathsOf,
} from './operations.ts';
export {
  applyOverlay,
  applyOverlayToGeneration,
  isDocument,
  type OverlayResult,
  parseOverlayActions,
} from './overlay.ts';
export type { ServedApi, ServedRoute } from './served-api.ts';
export { narrowDocument, narrowToNamespaces, readServedApi } from './served-api.ts';

export interface GeneratedDocument {
  readonly document: OpenApiDocument;
  readonly report: GenerationReport;
}

/**
 * Creates the OpenAPI 3.1 document of a site, and a report of what it lacks. Equal sites give equal bytes.
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

export function* toOpenApiInSteps(
  site: DiscoveredSite | SiteModel,
  server?: string,
): Steps<GeneratedDocument> {
  const model = 'index' in site ? yield* toSiteModel(site) : site;
  yield;
  const document = yield* createDocument(model, server);
  yield;
  return { document, report: createGenerationReport(model, document) };
}

/**
 * Serializes a document as JSON, indented by two spaces, with a final newline.
 *
 * @example
 * import { discover, stringifyDocument, toOpenApi } from 'waygate';
 *
 * const { document } = toOpenApi(await discover('https://example.com'));
 * console.log(stringifyDocument(document).length);
 */
export function stringifyDocument(document: OpenAPIV3_1.Document | JsonObject): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

export function* printJson(value: Json | GenerationReport): Generator<string> {
  yield* printJsonValue(value, '', 3);
  yield '\n';
}

/** One by one, items take longer. */
const ITEMS_PER_PART = 100;

/** @param depth levels of objects that are serialized member by member */
function* printJsonValue(value: unknown, indent: string, depth: number): Generator<string> {
  // JSON strings contain no line feeds.
  const print = (part: unknown): string => JSON.stringify(part, null, 2).replaceAll('\n', `\n${indent}`);
  if (depth > 0 && isJsonObject(value) && Object.keys(value).length > 0) {
    let separator = '{';
    for (const [name, member] of Object.entries(value)) {
      yield `${separator}\n${indent}  ${JSON.stringify(name)}: `;
      yield* printJsonValue(member, `${indent}  `, depth - 1);
      separator = ',';
    }
    yield `\n${indent}}`;
  } else if (Array.isArray(value) && value.length > ITEMS_PER_PART) {
    for (let start = 0; start < value.length; start += ITEMS_PER_PART) {
      const list = print(value.slice(start, start + ITEMS_PER_PART));
      yield (start === 0 ? '[' : ',') + list.slice(1, list.lastIndexOf('\n'));
    }
    yield `\n${indent}]`;
  } else {
    yield print(value);
  }
}

export function* joinToChunks(parts: Iterable<string>, length: number = 512 * 1024): Generator<string> {
  let chunk = '';
  for (const part of parts) {
    chunk += part;
    if (chunk.length < length) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
