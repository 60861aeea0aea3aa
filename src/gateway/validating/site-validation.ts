import type { ContentDecoder } from '../../http/content-decoding.ts';
import type { JsonObject } from '../../json.ts';
import type { Clock, Log } from '../../ports.ts';
import type { OperationMatch } from '../../router/matcher.ts';
import type { SiteStates } from '../../state.ts';
import { createModeResolver, type ValidationMode } from '../../validation/evidence/enforcement.ts';
import {
  createEvidence,
  evidenceToJson,
  type OperationKey,
  restoreEvidence,
} from '../../validation/evidence/evidence.ts';
import { createRuleKnowledge } from '../../validation/evidence/rule-knowledge.ts';
import { isBatchOperation } from '../../validation/request/batch.ts';
import { DEFAULT_BODY_LIMIT } from '../../validation/request/parameters.ts';
import { ResponseFindingStats, type ResponseValidationReport } from '../../validation/response/validator.ts';
import type { ResponseObserver } from '../exchange/response-relay.ts';
import type { ValidationOptions } from '../options/site-options.ts';
import { ResponseSampler, ShapeCollector } from '../sampling/response-sampler.ts';
import type { RouteRequest } from '../snapshot/resolve-request.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { BatchValidation } from './batch-validation.ts';
import type { IncomingRequest, RequestValidation } from './incoming-request.ts';
import type { ObservationContext } from './observed-operations.ts';
import {
  createObservedOperations,
  createTooComplexRequests,
  type ObservedOperations,
} from './observed-operations.ts';
import { OperationValidation } from './operation-validation.ts';
import { guessNamespace, UnknownRouteRejection } from './unknown-routes.ts';
import {
  createValidationReport,
  inspectValidation,
  type OperationAgreement,
  summarizeAgreement,
  type ValidationInspection,
  type ValidationReport,
} from './validation-report.ts';

/** The validation of one site's requests. Its evidence outlives the snapshots. */
export interface SiteValidation {
  /** Mode of operations without a mode of their own. */
  readonly mode: ValidationMode;
  /** Creates the validation of a request to the REST interface; `null` when the request is not validated. */
  createRequestValidation(snapshot: Snapshot, request: IncomingRequest): RequestValidation | null;
  /** Creates the observer of a sampled response; `null` when the response is not sampled. */
  sampleResponse(snapshot: Snapshot, resolved: RouteRequest): ResponseObserver | null;
  /**
   * Tells whether a read is valid, and what the gateway does if it is not, without counting it. `null` if the document does
   * not declare its operation, or if its parameters cannot be parsed as the site does.
   */
  inspect(snapshot: Snapshot, request: IncomingRequest): ValidationInspection | null;
  /** See {@link ObservedOperations.decide}. */
  readonly decide: ObservedOperations['decide'];
  /** Creates the report of `GET /-/sites/<name>/validation`. */
  createReport(snapshot: Snapshot | null): SiteValidationReport;
  /** Summarizes the evidence about an operation for its public documentation; `null` if its requests are not validated. */
  describeAgreement(operation: OperationKey, mode: ValidationMode): OperationAgreement | null;
  /** The shapes of the responses that were seen; `null` if responses are not sampled. */
  listShapes(): ReturnType<ShapeCollector['list']> | null;
  /** Loads the stored evidence, once. Until it is loaded, no request is validated. */
  loadEvidence(): Promise<void>;
  /** Loads the evidence of the last calibration, in place of an earlier one. Never rejects. */
  loadCalibration(): Promise<void>;
  /** Writes the evidence and ends its storage. */
  stop(): Promise<void>;
}

export type { ValidationInspection } from './validation-report.ts';

export interface SiteValidationReport extends ValidationReport {
  /** Findings in the origin's responses; `null` when responses are not validated. */
  readonly responses: ResponseValidationReport | null;
  /** Requests that were too complex to be validated, since the start. */
  readonly tooComplex: number;
}

export interface SiteValidationOptions {
  /** Options of the site's configuration. */
  readonly validationOptions: ValidationOptions;
  /** Whether requests to unknown routes, which the document does not declare, are rejected, also within a batch. */
  readonly rejectsUnknownRoutes: boolean;
  /** Whether requests to unknown routes are rejected in `strict` mode after the origin has responded `rest_no_route`. */
  readonly learnsUnknownRoutes: boolean;
  /** Name of the site in the log. */
  readonly siteName: string;
  readonly log: Log;
  readonly clock: Clock;
  /** Returns a random number in [0, 1). */
  readonly random: () => number;
  /** Removes the content coding of the origin's responses. */
  readonly decode: ContentDecoder;
  /** Where the evidence and the shapes of responses are stored. */
  readonly states: SiteStates;
}

const HIDDEN_ROUTE_MESSAGE =
  'the site has routes that its index hides: no request to the namespace of this route is rejected';

/** Creates the validation of one site's requests and responses. */
export function createSiteValidation({
  clock,
  decode,
  learnsUnknownRoutes,
  log,
  validationOptions,
  random,
  rejectsUnknownRoutes,
  siteName,
  states,
}: SiteValidationOptions): SiteValidation {
  const { afterAgreement, bodyLimit = DEFAULT_BODY_LIMIT, mode = 'off', routes } = validationOptions;
  const evidence = createEvidence();
  const storedEvidence = states.open('validation', {
    toJson: () => evidenceToJson(evidence),
    restore: (content) => restoreEvidence(content, evidence),
  });
  const shapes = new ShapeCollector(states);
  const loadEvidence = async (): Promise<void> => {
    await Promise.all([storedEvidence.load(), shapes.load()]);
  };
  const tooComplexRequests = createTooComplexRequests(log, clock, siteName);
  const observationContext: ObservationContext = {
    siteName,
    log,
    afterAgreement,
    bodyLimit,
    isBodyLimitStated: validationOptions.bodyLimit !== undefined,
    decode,
    tooComplexRequests,
    markEvidenceChanged: states.areStored ? storedEvidence.markChanged : null,
  };
  const findingStats = new ResponseFindingStats();
  const sampling = getResponseSampling(validationOptions);
  const samplerOptions = { findingStats, shapes, clock, random, decode };
  const sampler = sampling === 'off' ? null : new ResponseSampler({ ...samplerOptions, mode: sampling });
  const resolveMode = createModeResolver({ mode, routes });
  const knowledge = createRuleKnowledge();
  const operations = createObservedOperations({
    evidence,
    knowledge,
    log,
    resolveMode,
    storedEvidence,
    siteName,
  });
  const unknownRoutes = new UnknownRouteRejection(afterAgreement ?? 1, decode, (route) =>
    log.warn({ site: siteName, route }, HIDDEN_ROUTE_MESSAGE),
  );
  const isAnyValidated = [mode, ...(routes ?? []).map((route) => route.mode)].some((each) => each !== 'off');

  function startBatch(snapshot: Snapshot, request: IncomingRequest): RequestValidation | null {
    const { matcher, requestValidators } = snapshot;
    const { match } = request.resolved;
    if (requestValidators === null || match.kind !== 'found' || !(isAnyValidated || rejectsUnknownRoutes))
      return null;
    const batchContext = {
      batchOperation: match.operation,
      matcher,
      getObservedOperation: (found: OperationMatch) => operations.get(snapshot, found),
      rejectsUnknownRoutes,
    };
    return new BatchValidation(operations.get(snapshot, match), batchContext, observationContext, request);
  }

  return {
    mode,
    loadEvidence,
    async loadCalibration() {
      const calibrated = createEvidence();
      const restore = (content: JsonObject): boolean => restoreEvidence(content, calibrated);
      if (await states.consult('calibration', restore)) operations.useCalibration(calibrated);
    },
    async stop() {
      await Promise.all([storedEvidence.stop(), shapes.stop()]);
    },
    decide: operations.decide,
    inspect(snapshot, request) {
      const { match } = request.resolved;
      const { requestValidators } = snapshot;
      if (match.kind !== 'found' || requestValidators === null) return null;
      const observed = operations.get(snapshot, match);
      return inspectValidation(request, match.operation, requestValidators, observed, afterAgreement);
    },
    describeAgreement(operation, operationMode) {
      const stats = operationMode === 'off' ? undefined : evidence.findStats(operation);
      return stats === undefined ? null : summarizeAgreement(stats, operationMode, afterAgreement);
    },
    listShapes: () => (sampler === null ? null : shapes.list()),
    createRequestValidation(snapshot, request) {
      if (storedEvidence.isLoaded) operations.useSnapshot(snapshot);
      else void loadEvidence();
      const { match, target } = request.resolved;
      // WordPress responds to OPTIONS before it validates (`rest_handle_options_request()`).
      if (target.method === 'OPTIONS') return null;
      if (match.kind !== 'found') {
        const route = { pattern: target.route, namespace: guessNamespace(target.route) };
        const isLearning = learnsUnknownRoutes && resolveMode(route, target.method) === 'strict';
        return isLearning ? unknownRoutes.createRequestValidation(request) : null;
      }
      if (target.method === 'POST' && isBatchOperation(match.operation)) return startBatch(snapshot, request);
      const operation = operations.get(snapshot, match);
      return operation === null ? null : new OperationValidation(operation, observationContext, request);
    },
    sampleResponse({ responseValidator }, { match, target }) {
      // When another route may have responded, the schema of the response is not certain.
      if (sampler === null || match.kind !== 'found' || !match.isCertain) return null;
      return sampler.observe(responseValidator, match, target);
    },
    /** Creates the report of `GET /-/sites/<name>/validation`. */
    createReport(snapshot) {
      if (snapshot !== null && storedEvidence.isLoaded) operations.useSnapshot(snapshot);
      const { calibrated } = operations;
      const settings = { mode, afterAgreement, resolveMode, knowledge, calibrated };
      const requests = createValidationReport(evidence, snapshot?.requestValidators ?? null, settings);
      return {
        ...requests,
        responses: sampler === null ? null : findingStats.report(),
        tooComplex: tooComplexRequests.total,
      };
    },
  };
}

/** Responses are sampled by default in `observe` mode only. */
function getResponseSampling({ mode, responses }: ValidationOptions): 'off' | 'sample' | 'all' {
  return responses ?? (mode === 'observe' ? 'sample' : 'off');
}
