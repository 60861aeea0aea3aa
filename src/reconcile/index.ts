import { parseSiteUrl } from '../discovery/address.ts';
import { createDiscoveryClient } from '../discovery/client.ts';
import { type DiscoverOptions, discover } from '../discovery/index.ts';
import { resolveDiscoverOptions } from '../discovery/options.ts';
import { createDiscoveryHeaders } from '../discovery/request-headers.ts';
import type { DiscoveredSite } from '../discovery/site.ts';
import type { JsonObject } from '../json.ts';
import { applyOverlay, type OpenApiDocument, readServedApi, toOpenApi } from '../openapi/index.ts';
import {
  createResponseFindingStats,
  createResponseValidator,
  type ResponseValidationReport,
  type SampledResponse,
} from '../validation/response/index.ts';
import { groupFindingsBySchema } from './findings.ts';
import { type SampleCounts, type SampleResult, sampleSite } from './sample.ts';
import { type OverlayAction, widenSchema } from './widen.ts';

export type { SampleCounts } from './sample.ts';
export type { SkippedOperation } from './select-operations.ts';
export type { OverlayAction } from './widen.ts';

export interface ReconcileOptions extends DiscoverOptions {
  /** Maximum number of requests, besides those that read the index. @default 200 */
  readonly maxRequests?: number | undefined;
}

/** An overlay, and the report of the responses that it was created from. */
export interface ReconcileResult {
  /** OpenAPI Overlay 1.1, to be written to a file. */
  readonly overlay: JsonObject & { readonly actions: readonly OverlayAction[] };
  readonly report: ReconcileReport;
}

/** The counts of the sample, the findings, and the number of actions in the overlay. */
export interface ReconcileReport extends ResponseValidationReport, SampleCounts {
  readonly format: 1;
  readonly site: string;
  /** Number of actions in the overlay. */
  readonly actions: number;
  /** Operations whose responses still have findings after the overlay is applied; normally none. */
  readonly remaining: ResponseValidationReport['operations'];
}

/** Maximum size of a sampled response. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
/** Maximum number of concurrent requests to a site. It limits the option `concurrency`. */
const MAX_CONCURRENCY = 3;
/** Maximum number of widening rounds. The members of a type are validated only after a round has allowed the type. */
const MAX_ROUNDS = 8;

/**
 * Samples the responses of a site and creates an overlay that corrects its document where they differ. It sends `GET`
 * requests only.
 *
 * @param url any URL of the site
 * @returns the overlay, and the report of the sampled responses
 * @throws {DiscoveryError} when the site cannot be read
 *
 * @example
 * import { generate, reconcile } from 'waygate';
 *
 * const { overlay } = await reconcile('https://example.com', { maxRequests: 20 });
 * await generate('https://example.com', { overlay });
 */
export async function reconcile(url: string, options: ReconcileOptions = {}): Promise<ReconcileResult> {
  const site = await discover(url, options);
  return createOverlay(site, await takeSample(url, site, options));
}

async function takeSample(
  url: string,
  site: DiscoveredSite,
  options: ReconcileOptions,
): Promise<SampledDocument> {
  const document = cloneJson(toOpenApi(site).document);
  const settings = resolveDiscoverOptions({
    ...options,
    maxBytes: Math.min(MAX_RESPONSE_BYTES, options.maxBytes ?? MAX_RESPONSE_BYTES),
  });
  const address = parseSiteUrl(url);
  const auth = options.auth ?? address.auth;
  const credentials = createDiscoveryHeaders(auth, options.headers ?? {});
  // `onRequest` reports the progress of samples, so the client reports none of its own.
  const client = createDiscoveryClient(
    address.url,
    credentials,
    { ...settings, onProgress: () => {} },
    () => {},
  );
  try {
    const sample = await sampleSite(readServedApi(document), {
      client,
      maxRequests: options.maxRequests ?? 200,
      concurrency: Math.min(MAX_CONCURRENCY, settings.concurrency),
      hasCredentials: credentials.secretHeaders.length > 0,
      onRequest: (done, total) => settings.onProgress({ step: 'samples', done, total }),
    });
    return { document, sample };
  } finally {
    client.close();
  }
}

/** A document, and the responses of the operations that it describes. */
interface SampledDocument {
  readonly document: OpenApiDocument;
  readonly sample: SampleResult;
}

function createOverlay(site: DiscoveredSite, { sample, document }: SampledDocument): ReconcileResult {
  const { responses, ...counts } = sample;
  const initial = validateResponses(document, responses);
  const actions: OverlayAction[] = [];
  let report = initial;
  let content = document;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next = groupFindingsBySchema(report).flatMap((findings) => widenSchema(content, findings));
    if (next.length === 0) break;
    actions.push(...next);
    content = applyOverlay(content, { overlay: '1.1.0', actions: next }).document;
    report = validateResponses(content, responses);
  }
  const remaining = report.operations.filter(({ findings }) => findings.length > 0);
  const { base } = site.address;
  return {
    overlay: { overlay: '1.1.0', info: createOverlayInfo(base, initial), actions },
    report: { format: 1, site: base, ...counts, ...initial, actions: actions.length, remaining },
  };
}

function validateResponses(
  document: OpenApiDocument,
  responses: readonly SampledResponse[],
): ResponseValidationReport {
  const validator = createResponseValidator(document);
  const stats = createResponseFindingStats();
  const current = operationsById(document);
  for (const response of responses) {
    const operation = current.get(operationKey(response.operation)) ?? response.operation;
    stats.record(findingsLabel(response), validator.validate({ ...response, operation }));
  }
  return stats.report();
}

/** Findings are counted separately for each context, because each has its own component. */
function findingsLabel({ requested: { context }, operation }: SampledResponse): string {
  return context === null ? operation.id : `${operation.id}?context=${context}`;
}

/** Returns the operations of the changed document by key. An action may have changed the schema of a response. */
function operationsById(document: OpenApiDocument): ReadonlyMap<string, SampledResponse['operation']> {
  const operations = readServedApi(document).routes.flatMap((route) => [...route.operations.values()]);
  return new Map(operations.map((operation) => [operationKey(operation), operation]));
}

function operationKey({ id, method, path }: SampledResponse['operation']): string {
  return `${method} ${path} ${id}`;
}

/** Copies a document, as if it were read from a file, so that no two places share an object. */
function cloneJson(document: OpenApiDocument): OpenApiDocument {
  return JSON.parse(JSON.stringify(document));
}

function createOverlayInfo(base: string, { validated: count }: ResponseValidationReport): JsonObject {
  return {
    title: `Responses of ${new URL(base).host}`,
    version: '1.0.0',
    description: `Created by waygate reconcile from ${count} responses. Apply with waygate generate --overlay.`,
  };
}
