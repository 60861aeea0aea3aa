import { parseSiteUrl } from '../discovery/address.ts';
import { createDiscoveryHeaders, DiscoveryClient } from '../discovery/client.ts';
import { type DiscoverOptions, discover } from '../discovery/index.ts';
import { resolveDiscoverOptions } from '../discovery/options.ts';
import { describeSelection, RouteSelector } from '../discovery/route-selection.ts';
import type { DiscoveredSite } from '../discovery/site.ts';
import { EXTENSION_NAMES, extensionOf } from '../document-extensions.ts';
import { ConfigurationError } from '../errors.ts';
import { groupBy, sortByKey } from '../group-by.ts';
import {
  isJsonObject,
  type JsonObject,
  jsonItems,
  jsonTexts,
  memberAt,
  ownMember,
  toJsonObject,
} from '../json.ts';
import {
  applyOverlay,
  listRouteOperations,
  narrowDocument,
  type OpenApiDocument,
  type Operation,
  pathsOf,
  readServedApi,
  toOpenApi,
} from '../openapi/index.ts';
import { runSteps } from '../steps.ts';
import type { ResponseValidationReport } from '../validation/response/validator.ts';
import { createOverlayActions, type OverlayOutcome } from './create-overlay.ts';
import { isTyped } from './document-operations.ts';
import {
  DEFAULT_MAX_REQUESTS,
  isDenied,
  type SampleCounts,
  type SampleIdentity,
  type SampleResult,
  sampleSite,
} from './sample.ts';
import { createSessionActions, readSession, type SessionCounts } from './session.ts';

export type { OverlayAction } from './overlay-action.ts';
export type { SampleCounts, SkippedOperation, StopReason, UnsentReason } from './sample.ts';

export interface ReconcileOptions extends DiscoverOptions {
  /** Maximum number of requests, besides those that read the index. @default 200 */
  readonly maxRequests?: number | undefined;
  /**
   * Other users to sample as. If there are any, the site is also sampled without credentials.
   * @default none
   */
  readonly otherUsers?: readonly { readonly user: string; readonly password: string }[] | undefined;
  /**
   * An earlier overlay of the site, whose actions are applied first and kept. Its routes give the names of
   * components; `include` and `exclude` select which of them are sampled.
   * @default none
   */
  readonly overlay?: unknown;
  /**
   * Additional requests: `/x/v1/things/12`, or with `writes` `POST /x/v1/things {"title":"A"}`.
   * @default none
   */
  readonly samples?: readonly string[] | undefined;
  /**
   * Also sends writes for operations without a described response. They change the site, so use a copy.
   * Settings, users, plugins and themes of WordPress are left alone, unless `include` names them.
   * @default false
   */
  readonly writes?: boolean | undefined;
  /**
   * Learns from a browser's recorded session (HAR 1.2) and sends no samples. Forms, cookies and values are left out.
   * @default none
   */
  readonly har?: unknown;
  /** Signal that ends the sampling; the result contains the responses until then. @default none */
  readonly interrupt?: AbortSignal | undefined;
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
 * `GET` requests, unless `writes` is set. The overlay contains no values of responses.
 *
 * @param url any URL of the site
 * @throws {DiscoveryError} when the site cannot be read
 * @throws {ConfigurationError} when `overlay` is not an overlay, or was begun without the selected routes
 *
 * @example
 * import { generate, reconcile } from 'waygate';
 *
 * const { overlay } = await reconcile('https://example.com', { maxRequests: 20 });
 * await generate('https://example.com', { overlay });
 */
export async function reconcile(url: string, options: ReconcileOptions = {}): Promise<ReconcileResult> {
  const site = await discover(url, { ...options, ...readSelection(options.overlay) });
  return reconcileFrom(site, url, options);
}

/** Routes that an overlay was begun with, if it states them. */
export function readSelection(
  overlay: unknown,
): { readonly include: readonly string[]; readonly exclude: readonly string[] } | undefined {
  const selection = memberAt(toJsonObject(overlay), 'info', EXTENSION_NAMES.selection);
  if (!isJsonObject(selection)) return undefined;
  return { include: jsonTexts(selection['include']), exclude: jsonTexts(selection['exclude']) };
}

/** Reconciles a discovered site; throws as {@link reconcile} does. */
export async function reconcileFrom(
  site: DiscoveredSite,
  url: string,
  options: ReconcileOptions,
): Promise<ReconcileResult> {
  const { overlay } = options;
  const { base } = site.address;
  // Copied, so that no two places share an object.
  const generated = toOpenApi(site);
  const declared: OpenApiDocument = JSON.parse(JSON.stringify(generated.document));
  const document = overlay === undefined ? declared : applyOverlay(declared, overlay).document;
  const selected = selectSampled(document, options);
  const session =
    options.har === undefined ? undefined : readSession(options.har, runSteps(readServedApi(selected)));
  const sample =
    session === undefined
      ? await takeSample(url, selected, options)
      : { ...NO_REQUESTS, responses: session.responses };
  const inferred = createOverlayActions(document, sample.responses);
  const sent = session === undefined ? [] : createSessionActions(inferred.document, session);
  const outcome = { ...inferred, actions: [...inferred.actions, ...sent] };
  const { exclude = [], include = [] } = options;
  const info = {
    title: `Responses of ${new URL(base).host}`,
    version: '1.0.0',
    description:
      'Created by waygate reconcile from responses of the site. waygate generate applies it if it is in the output folder.',
    [EXTENSION_NAMES.selection]: { include: [...include], exclude: [...exclude] },
  };
  const { actions: earlierActions, info: earlierInfo, overlay: _version, ...earlier } = toJsonObject(overlay);
  const kept = jsonItems(earlierActions).filter(isJsonObject);
  const actions = [...kept, ...outcome.actions];
  const report = {
    ...createReconcileReport(base, document, sample, outcome, kept),
    actions: actions.length,
    keptActions: kept.length,
    ...(session === undefined ? {} : { session: session.counts }),
  };
  return {
    overlay: {
      overlay: '1.1.0',
      info: { ...info, ...toJsonObject(earlierInfo) },
      ...earlier,
      actions,
    },
    report,
  };
}

function selectSampled(document: OpenApiDocument, options: ReconcileOptions): OpenApiDocument {
  const begun = readSelection(options.overlay);
  if (begun === undefined) return document;
  const selector = new RouteSelector(options);
  const narrowed = { ...document, ...narrowDocument(document, (...route) => selector.matches(...route)) };
  if (pathsOf(narrowed).length > 0) return narrowed;
  throw new ConfigurationError(
    `The overlay was begun with ${describeSelection(begun) || 'all routes'}, and has none of the selected routes. Begin anew with --fresh and all that it is to have`,
  );
}

async function takeSample(
  url: string,
  document: OpenApiDocument,
  options: ReconcileOptions,
): Promise<SampleResult> {
  const { interrupt, signal } = options;
  const settings = resolveDiscoverOptions({
    ...options,
    signal: interrupt === undefined ? signal : AbortSignal.any([interrupt, ...(signal ? [signal] : [])]),
    maxBytes: MAX_RESPONSE_BYTES,
  });
  const address = parseSiteUrl(url);
  const users = [options.auth ?? address.auth, ...(options.otherUsers ?? [])];
  const hasOthers = (options.otherUsers ?? []).length > 0;
  const identities = [...users, ...(hasOthers ? [undefined] : [])].map((auth): SampleIdentity => {
    const credentials = createDiscoveryHeaders(auth, options.headers ?? {});
    const quiet = { ...settings, onProgress: () => {} };
    return {
      client: new DiscoveryClient(address.url, credentials, quiet, () => {}),
      hasCredentials: credentials.secretHeaders.length > 0,
    };
  });
  return sampleSite(runSteps(readServedApi(document)), {
    identities,
    maxRequests: options.maxRequests ?? DEFAULT_MAX_REQUESTS,
    concurrency: CONCURRENCY,
    samples: options.samples ?? [],
    writes: options.writes ?? false,
    named: options.include ?? [],
    interrupt,
    onRequest: (done, total) => settings.onProgress({ step: 'samples', done, total }),
  });
}

const NO_REQUESTS: SampleCounts = {
  ...{ requests: 0, refused: {}, skippedOperations: [], unsentRequests: {}, refusedOperations: {} },
};

export interface ReconcileReport extends ResponseValidationReport, SampleCounts {
  readonly format: 1;
  readonly site: string;
  readonly actions: number;
  readonly keptActions: number;
  readonly session?: SessionCounts;
  readonly sampled: { readonly before: ResponseCounts; readonly after: ResponseCounts };
  readonly namespaces: readonly NamespaceReport[];
  /** Operations without a described response after the overlay is applied. */
  readonly untyped: readonly UntypedOperationReport[];
  /** Operations that still have findings after the overlay is applied; normally none. */
  readonly remaining: ResponseValidationReport['operations'];
}

/** Number of operations with a described response, by the source of the description. */
export interface NamespaceReport {
  /** Empty for routes outside all namespaces. */
  readonly namespace: string;
  readonly operations: number;
  readonly before: number;
  /** Described, and a response was seen. */
  readonly sample: number;
  /** Described only by the convention of `WP_REST_Controller`. */
  readonly convention: number;
  /** Described only by the index, or by known facts about WordPress and its plugins. */
  readonly index: number;
  /** Number of operations by the option that can show their response. */
  readonly more: Readonly<Record<string, number>>;
}

export interface ResponseCounts {
  readonly responses: number;
  readonly described: number;
  /** Without a finding of severity `wrong`. */
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
  document: OpenApiDocument,
  sample: SampleResult,
  outcome: OverlayOutcome,
  kept: readonly JsonObject[],
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
    namespaces: describeNamespaces(document, operations, [...kept, ...outcome.actions], sample),
    untyped: operations
      .filter((operation) => !isTyped(operation))
      .map((operation) => describeUntyped(operation, sample)),
    remaining: after.operations.filter(({ findings }) => findings.length > 0),
  };
}

function describeNamespaces(
  declared: OpenApiDocument,
  operations: readonly Operation[],
  actions: readonly JsonObject[],
  sample: SampleResult,
): readonly NamespaceReport[] {
  const evidence = actions.flatMap((action) =>
    jsonItems(extensionOf(action, 'evidence')).filter(isJsonObject),
  );
  // A finding in the context `edit` names `getPost?context=edit`.
  const listNamed = (isConvention: boolean): readonly string[] =>
    evidence
      .filter(({ kind }) => (kind === 'convention') === isConvention)
      .flatMap((each) => jsonTexts(each['operations']).map((label) => label.replace(/\?.*/, '')));
  const seen = new Set([...sample.responses.map(({ operation }) => operation.id), ...listNamed(false)]);
  const conventional = new Set(listNamed(true));
  const before = new Set(
    listRouteOperations(declared)
      .filter(isTyped)
      .map(({ id }) => id),
  );
  return sortByKey(groupBy(operations, ({ namespace }) => namespace)).map(([namespace, group]) => {
    const described = group.filter(isTyped);
    const unseen = described.filter(({ id }) => !seen.has(id));
    const convention = unseen.filter(({ id }) => conventional.has(id)).length;
    const remedies = group.flatMap((operation) =>
      seen.has(operation.id) || (operation.method !== 'GET' && isTyped(operation))
        ? []
        : (findRemedy(describeUntyped(operation, sample).reason) ?? []),
    );
    return {
      ...{ namespace, operations: group.length, convention },
      before: group.filter(({ id }) => before.has(id)).length,
      sample: described.length - unseen.length,
      index: unseen.length - convention,
      more: Object.fromEntries(
        sortByKey(groupBy(remedies, (option) => option)).map(([option, { length }]) => [option, length]),
      ),
    };
  });
}

function findRemedy(reason: string): string | undefined {
  if (reason === 'refused' || isDenied(reason)) return '--auth';
  if (reason === 'not-seen') return '--writes';
  if (reason === 'limit') return '--max-requests';
  return /^(?:no-item-known|required-parameter|4\d\d)$/.test(reason) ? '--sample' : undefined;
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
