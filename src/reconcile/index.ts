import { parseSiteUrl } from '../discovery/address.ts';
import { createDiscoveryClient } from '../discovery/client.ts';
import { createDiscoveryHeaders } from '../discovery/request-headers.ts';
import { type DiscoverOptions, discover } from '../discovery/index.ts';
import { resolveDiscoverOptions } from '../discovery/options.ts';
import type { DiscoveredSite } from '../discovery/site.ts';
import type { JsonObject } from '../json.ts';
import { applyOverlay, type OpenApiDocument, readOperations, toOpenApi } from '../openapi/index.ts';
import {
  createResponseFindings,
  createResponseJudge,
  type ResponseReport,
  type SiteAnswer,
} from '../validation/response/index.ts';
import { groupFindingsBySchema } from './findings.ts';
import { type SampleResult, sampleSite } from './sample.ts';
import { type OverlayAction, widenSchema } from './widen.ts';

export type { SkippedOperation } from './select-operations.ts';

export interface ReconcileOptions extends DiscoverOptions {
  /** How many requests are sent beside those that read the index. @default 200 */
  readonly maxRequests?: number | undefined;
}

/** An overlay, and what it was made from. */
export interface ReconcileResult {
  /** OpenAPI Overlay 1.1: data alone, to be written to a file. */
  readonly overlay: JsonObject & { readonly actions: readonly OverlayAction[] };
  readonly report: ReconcileReport;
}

export interface ReconcileReport
  extends ResponseReport,
    Pick<SampleResult, 'requests' | 'refused' | 'skipped' | 'stopped'> {
  readonly format: 1;
  readonly site: string;
  /** How many actions the overlay has. */
  readonly actions: number;
  /** What the same answers still show when the overlay has been applied; nothing, if all goes well. */
  readonly left: ResponseReport['operations'];
}

/** Answers that are larger say nothing that smaller ones do not. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
/** More at a time is not polite. */
const MAX_CONCURRENCY = 3;
/** A type that is allowed may show what lies in it: such rounds end, for a schema has so many keywords only. */
const MAX_ROUNDS = 8;

/**
 * Reads a site, asks it for what its document says it answers, and says by an overlay where the document is wrong. It
 * only ever sends `GET`.
 *
 * @throws DiscoveryError where the site cannot be read
 */
export async function reconcile(url: string, options: ReconcileOptions = {}): Promise<ReconcileResult> {
  const site = await discover(url, options);
  return createOverlay(site, await takeSample(url, site, options));
}

async function takeSample(url: string, site: DiscoveredSite, options: ReconcileOptions): Promise<SampledDocument> {
  const document = cloneJson(toOpenApi(site).document);
  const settings = resolveDiscoverOptions({
    ...options,
    maxBytes: Math.min(MAX_RESPONSE_BYTES, options.maxBytes ?? MAX_RESPONSE_BYTES),
  });
  const given = parseSiteUrl(url);
  const auth = options.auth ?? given.auth;
  const credentials = createDiscoveryHeaders(auth, options.headers ?? {});
  // The requests are the site's own business from here on: each is told of by `onRequest`.
  const client = createDiscoveryClient(given.url, credentials, { ...settings, onProgress: () => {} }, () => {});
  try {
    const answered = await sampleSite(readOperations(document), {
      client,
      maxRequests: options.maxRequests ?? 200,
      concurrency: Math.min(MAX_CONCURRENCY, settings.concurrency),
      hasCredentials: credentials.secret.length > 0,
      onRequest: (done, total) => settings.onProgress({ step: 'answers', done, total }),
    });
    return { document, answered };
  } finally {
    client.close();
  }
}

interface SampledDocument {
  readonly document: OpenApiDocument;
  readonly answered: SampleResult;
}

function createOverlay(site: DiscoveredSite, { answered, document }: SampledDocument): ReconcileResult {
  const { answers, ...rest } = answered;
  const stated = validateResponses(document, answers);
  const actions: OverlayAction[] = [];
  let found = stated;
  let content = document;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next = groupFindingsBySchema(found).flatMap((evidence) => widenSchema(content, evidence));
    if (next.length === 0) break;
    actions.push(...next);
    content = applyOverlay(content, { overlay: '1.1.0', actions: next }).document;
    found = validateResponses(content, answers);
  }
  const left = found.operations.filter(({ findings }) => findings.length > 0);
  const { base } = site.address;
  return {
    overlay: { overlay: '1.1.0', info: createOverlayInfo(base, stated), actions },
    report: { format: 1, site: base, ...rest, ...stated, actions: actions.length, left },
  };
}

function validateResponses(document: OpenApiDocument, answers: readonly SiteAnswer[]): ResponseReport {
  const judge = createResponseJudge(document);
  const findings = createResponseFindings();
  const current = operationsById(document);
  for (const answer of answers) {
    const operation = current.get(operationKey(answer.operation)) ?? answer.operation;
    findings.record(findingsLabel(answer), judge.judge({ ...answer, operation }));
  }
  return findings.report();
}

/** Each context is counted by itself: other components answer in it. */
function findingsLabel({ asked: { context }, operation }: SiteAnswer): string {
  return context === null ? operation.id : `${operation.id}?context=${context}`;
}

/** The operations as the document has them now: a change may be to a response itself. */
function operationsById(document: OpenApiDocument): ReadonlyMap<string, SiteAnswer['operation']> {
  const operations = readOperations(document).routes.flatMap((route) => [...route.operations.values()]);
  return new Map(operations.map((operation) => [operationKey(operation), operation]));
}

function operationKey({ id, method, path }: SiteAnswer['operation']): string {
  return `${method} ${path} ${id}`;
}

/** As it is read back from a file: what several places share stands in each. */
function cloneJson(document: OpenApiDocument): OpenApiDocument {
  return JSON.parse(JSON.stringify(document));
}

function createOverlayInfo(base: string, { judged: count }: ResponseReport): JsonObject {
  return {
    title: `What ${new URL(base).host} answers`,
    version: '1.0.0',
    description: `Made by waygate reconcile from ${count} answers. Apply with waygate generate --overlay.`,
  };
}
