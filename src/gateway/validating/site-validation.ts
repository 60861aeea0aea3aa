import type { ContentDecoder } from '../../http/content-decoding.ts';
import type { Clock, Log } from '../../ports.ts';
import { createEvidence, type Evidence } from '../../validation/evidence/evidence.ts';
import { createModeResolver } from '../../validation/modes.ts';
import { DEFAULT_BODY_LIMIT, isBatchOperation } from '../../validation/request/index.ts';
import {
  createResponseFindingStats,
  type ResponseValidationReport,
} from '../../validation/response/index.ts';
import type { ValidationOptions } from '../options/site-options.ts';
import type { ResponseObserver } from '../plan/plan.ts';
import { createResponseSampler } from '../sampling/response-sampler.ts';
import type { RouteRequest } from '../snapshot/resolved-request.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { BatchValidation } from './batch-validation.ts';
import type { EvidencePersistence } from './evidence-persistence.ts';
import type { IncomingRequest, RequestValidation } from './incoming-request.ts';
import type { ObservationContext } from './observed-operation.ts';
import { createObservedOperations } from './observed-operations.ts';
import { OperationValidation } from './operation-validation.ts';
import { createValidationReport, type ValidationReport } from './report.ts';
import { createUnknownRoutes, guessNamespace } from './unknown-routes.ts';

/** The validation of one site's requests. Its evidence outlives the snapshots. */
export interface SiteValidation {
  /** Creates the validation of a request to the REST interface; `null` when the request is not validated. */
  start(snapshot: Snapshot, request: IncomingRequest): RequestValidation | null;
  /** Creates the observer of a sampled response; `null` when the response is not sampled. */
  sample(snapshot: Snapshot, resolved: RouteRequest): ResponseObserver | null;
  report(snapshot: Snapshot | null): SiteValidationReport;
  /** Loads the stored evidence, once. No request is validated before. */
  load(): Promise<void>;
  /** Writes the evidence and ends its persistence. */
  stop(): Promise<void>;
}

export interface SiteValidationReport extends ValidationReport {
  /** Findings in the origin's responses; `null` when responses are not validated. */
  readonly responses: ResponseValidationReport | null;
}

export interface SiteValidationOptions {
  readonly options: ValidationOptions;
  /** Whether requests to routes that the document does not declare are rejected, also within a batch. */
  readonly rejectsUnknownRoutes: boolean;
  /** Whether such requests are rejected in `enforce` mode when the origin has responded `rest_no_route` before. */
  readonly learnsUnknownRoutes: boolean;
  /** Name of the site in the log. */
  readonly site: string;
  readonly log: Log;
  readonly clock: Clock;
  /** Returns a random number in [0, 1). */
  readonly random: () => number;
  /** Removes the content coding of the origin's responses. */
  readonly decode: ContentDecoder;
  /** Creates the persistence of the evidence; `null` when evidence is kept in memory only. */
  readonly createPersistence: ((evidence: Evidence) => EvidencePersistence) | null;
}

const NO_PERSISTENCE: EvidencePersistence = {
  isLoaded: true,
  load: () => Promise.resolve(),
  markChanged() {},
  stop: () => Promise.resolve(),
};

export function createSiteValidation({
  clock,
  createPersistence,
  decode,
  learnsUnknownRoutes,
  log,
  options,
  random,
  rejectsUnknownRoutes,
  site,
}: SiteValidationOptions): SiteValidation {
  const { afterAgreement, bodyLimit = DEFAULT_BODY_LIMIT, mode = 'off', routes } = options;
  const evidence = createEvidence();
  const persistence = createPersistence?.(evidence) ?? NO_PERSISTENCE;
  const { load, markChanged, stop } = persistence;
  const context: ObservationContext = { site, log, afterAgreement, bodyLimit, markChanged };
  const findings = createResponseFindingStats();
  const sampling = getResponseSampling(options);
  const sampler =
    sampling === 'off' ? null : createResponseSampler({ findings, clock, random, decode, mode: sampling });
  const modeOf = createModeResolver({ mode, routes });
  const operations = createObservedOperations({ evidence, log, modeOf, persistence, site });
  const unknownRoutes = createUnknownRoutes(afterAgreement ?? 1, (route) =>
    log.warn(
      { site, route },
      'the site has routes that its index hides: no request to the namespace of this route is rejected',
    ),
  );
  const isAnyValidated = [mode, ...(routes ?? []).map((route) => route.mode)].some((each) => each !== 'off');

  function startBatch(snapshot: Snapshot, request: IncomingRequest): RequestValidation | null {
    const { matcher, validators } = snapshot;
    const { match } = request.resolved;
    if (validators === null || match.kind !== 'found' || !(isAnyValidated || rejectsUnknownRoutes))
      return null;
    return new BatchValidation({
      operation: operations.get(snapshot, match),
      batch: {
        batch: match.operation,
        matcher,
        validators,
        observe: (found) => operations.get(snapshot, found),
        rejectsUnknownRoutes,
      },
      context,
      request,
    });
  }

  return {
    load,
    stop,
    start(snapshot, request) {
      if (persistence.isLoaded) operations.adopt(snapshot);
      else void load();
      const { match, target } = request.resolved;
      // WordPress responds to OPTIONS before it validates (`rest_handle_options_request()`).
      if (target.method === 'OPTIONS') return null;
      if (match.kind !== 'found') {
        const route = { pattern: target.route, namespace: guessNamespace(target.route) };
        const isLearning = learnsUnknownRoutes && modeOf(route, target.method) === 'enforce';
        return isLearning ? unknownRoutes.start(request) : null;
      }
      if (isBatchOperation(match.operation)) return startBatch(snapshot, request);
      const operation = operations.get(snapshot, match);
      return operation === null ? null : new OperationValidation(operation, context, request);
    },
    sample({ responseValidator }, { match, target }) {
      // When another route may have responded, the schema of the response is not certain.
      if (sampler === null || match.kind !== 'found' || !match.certain) return null;
      return sampler.observe(responseValidator, match.operation, target);
    },
    report(snapshot) {
      if (snapshot !== null) operations.adopt(snapshot);
      const settings = { mode, afterAgreement, modeOf };
      const requests = createValidationReport(evidence, snapshot?.validators ?? null, settings);
      return { ...requests, responses: sampler === null ? null : findings.report() };
    },
  };
}

/** Responses are sampled by default in `observe` mode only. */
function getResponseSampling({ mode, responses }: ValidationOptions): 'off' | 'sample' | 'all' {
  return responses ?? (mode === 'observe' ? 'sample' : 'off');
}
