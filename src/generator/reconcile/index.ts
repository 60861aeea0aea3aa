import { isDeepStrictEqual } from 'node:util';
import { EXTENSION_NAMES } from '../../base/document-extensions.ts';
import { ConfigurationError } from '../../base/errors.ts';
import {
  isJsonObject,
  type JsonObject,
  jsonItems,
  jsonTexts,
  memberAt,
  ownMember,
  toJsonObject,
} from '../../base/json.ts';
import { runSteps } from '../../base/steps.ts';
import { parseSiteUrl } from '../discovery/address.ts';
import { createDiscoveryHeaders, DiscoveryClient } from '../discovery/client.ts';
import { type DiscoverOptions, discover } from '../discovery/index.ts';
import { describeSelection, type RouteSelection, resolveDiscoverOptions } from '../discovery/options.ts';
import type { DiscoveredSite } from '../discovery/site.ts';
import {
  applyOverlay,
  listRouteOperations,
  type OpenApiDocument,
  type Operation,
  readServedApi,
  toOpenApi,
} from '../openapi/index.ts';
import type { ResponseValidationReport } from '../validation/response/validator.ts';
import { createOverlayActions, type OverlayOutcome } from './create-overlay.ts';
import { DEFAULT_MAX_REQUESTS, type SampleCounts, type SampleResult, sampleSite } from './sample.ts';
import { isTyped } from './seen-responses.ts';

export type { SampleCounts, SkippedOperation, StopReason, UnsentReason } from './sample.ts';
export { parseGivenRequest } from './sample.ts';
export type { OverlayAction } from './seen-responses.ts';

export interface ReconcileOptions extends DiscoverOptions {
  /** Maximum number of requests, besides those that read the index. @default 200 */
  readonly maxRequests?: number | undefined;
  /** An earlier overlay of the same routes, whose actions are applied first and kept. @default none */
  readonly overlay?: unknown;
  /** Paths to read besides those that it finds: `/x/v1/things/12`. @default none */
  readonly samples?: readonly string[] | undefined;
}

export interface ReconcileResult {
  /** OpenAPI Overlay 1.1. */
  readonly overlay: JsonObject & { readonly actions: readonly JsonObject[] };
  readonly report: ReconcileReport;
}

const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
const CONCURRENCY = 3;

/**
 * Samples a site's responses and creates an overlay that corrects and completes its document. Sends only
 * `GET` requests. The overlay contains no values of responses.
 * @param url any URL of the site
 * @throws {DiscoveryError} when the site cannot be read
 * @throws {ConfigurationError} when `overlay` is not an overlay, or was begun with other routes
 *
 * @example
 * import { generate, reconcile } from 'waygate';
 *
 * const { overlay } = await reconcile('https://example.com', { maxRequests: 20 });
 * await generate('https://example.com', { overlay });
 */
export async function reconcile(url: string, options: ReconcileOptions = {}): Promise<ReconcileResult> {
  const site = await discover(url, options);
  return reconcileFrom(site, url, options);
}

export async function reconcileFrom(
  site: DiscoveredSite,
  url: string,
  options: ReconcileOptions,
): Promise<ReconcileResult> {
  const { exclude = [], include = [], overlay } = options;
  const selection = { include: [...include], exclude: [...exclude] };
  requireSameRoutes(overlay, selection);
  const { base } = site.address;
  // Copied, so that no two places share an object.
  const generated = toOpenApi(site);
  const declared: OpenApiDocument = JSON.parse(JSON.stringify(generated.document));
  const document = overlay === undefined ? declared : applyOverlay(declared, overlay).document;
  const sample = await takeSample(url, document, options);
  const outcome = createOverlayActions(document, sample.responses);
  const info = {
    title: `Responses of ${new URL(base).host}`,
    version: '1.0.0',
    description:
      'Created by waygate reconcile from responses of the site. waygate generate applies it if it is in the output folder.',
    [EXTENSION_NAMES.selection]: selection,
  };
  const compared = new Set([
    ...jsonTexts(memberAt(toJsonObject(overlay), 'info', EXTENSION_NAMES.compared)),
    ...sample.responses.map(({ operation }) => operation.id),
  ]);
  const { actions: earlierActions, info: earlierInfo, overlay: _version, ...earlier } = toJsonObject(overlay);
  const kept = jsonItems(earlierActions).filter(isJsonObject);
  const actions = [...kept, ...outcome.actions];
  const report = {
    ...createReconcileReport(base, sample, outcome),
    actions: actions.length,
    keptActions: kept.length,
  };
  return {
    overlay: {
      overlay: '1.1.0',
      info: { ...info, ...toJsonObject(earlierInfo), [EXTENSION_NAMES.compared]: [...compared].sort() },
      ...earlier,
      actions,
    },
    report,
  };
}

/** The routes of a document give the names of its components. @throws {ConfigurationError} for other routes */
function requireSameRoutes(overlay: unknown, selection: RouteSelection): void {
  const stated = memberAt(toJsonObject(overlay), 'info', EXTENSION_NAMES.selection);
  if (!isJsonObject(stated)) return;
  const begun = { include: jsonTexts(stated['include']), exclude: jsonTexts(stated['exclude']) };
  const isSame = (list: 'include' | 'exclude'): boolean =>
    isDeepStrictEqual(new Set(begun[list]), new Set(selection[list]));
  if (isSame('include') && isSame('exclude')) return;
  const routes = describeSelection(begun);
  throw new ConfigurationError(
    `The overlay was begun with ${routes || 'all routes'}. Select the same, or begin anew with --fresh`,
  );
}

async function takeSample(
  url: string,
  document: OpenApiDocument,
  options: ReconcileOptions,
): Promise<SampleResult> {
  const settings = resolveDiscoverOptions({ ...options, maxBytes: MAX_RESPONSE_BYTES });
  const address = parseSiteUrl(url);
  const credentials = createDiscoveryHeaders(options.auth ?? address.auth, options.headers ?? {});
  const quiet = { ...settings, onProgress: () => {} };
  return sampleSite(runSteps(readServedApi(document)), {
    client: new DiscoveryClient(address.url, credentials, quiet, () => {}),
    hasCredentials: credentials.secretHeaders.length > 0,
    maxRequests: options.maxRequests ?? DEFAULT_MAX_REQUESTS,
    concurrency: CONCURRENCY,
    samples: options.samples ?? [],
    onRequest: (done, total) => settings.onProgress({ step: 'samples', done, total }),
  });
}

export interface ReconcileReport extends ResponseValidationReport, SampleCounts {
  readonly format: 1;
  readonly site: string;
  readonly actions: number;
  readonly keptActions: number;
  readonly sampled: { readonly before: ResponseCounts; readonly after: ResponseCounts };
  readonly untyped: readonly UntypedOperationReport[];
  /** Operations that still have findings after the overlay is applied; normally none. */
  readonly remaining: ResponseValidationReport['operations'];
}

export interface ResponseCounts {
  readonly responses: number;
  readonly described: number;
  readonly correct: number;
}

export interface UntypedOperationReport {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** Status, reason of a failure, or reason for sending no request; `not-json` for other content. */
  readonly reason: string;
}

function createReconcileReport(
  site: string,
  sample: SampleResult,
  outcome: OverlayOutcome,
): Omit<ReconcileReport, 'actions' | 'keptActions'> {
  const { responses, ...counts } = sample;
  const { after, before } = outcome;
  const operations = listRouteOperations(outcome.document);
  return {
    format: 1,
    site,
    ...counts,
    ...before,
    sampled: {
      before: countResponses(responses.length, before),
      after: countResponses(responses.length, after),
    },
    untyped: operations
      .filter((operation) => !isTyped(operation))
      .map((operation) => describeUntyped(operation, sample)),
    remaining: after.operations.filter(({ findings }) => findings.length > 0),
  };
}

function countResponses(responses: number, report: ResponseValidationReport): ResponseCounts {
  const { operations, validated } = report;
  return {
    responses,
    described: validated,
    correct: operations.reduce((sum, { correct }) => sum + correct, 0),
  };
}

function describeUntyped(
  { id, method, path }: Operation,
  { refusedOperations, responses, skippedOperations }: SampleResult,
): UntypedOperationReport {
  const described = { operation: id, method, path };
  const refused = ownMember(refusedOperations, id);
  const skipped = skippedOperations.find(({ operation }) => operation === id)?.reason;
  const seen = responses.some(({ operation }) => operation.id === id) ? 'not-json' : 'not-seen';
  return { ...described, reason: refused ?? skipped ?? seen };
}
