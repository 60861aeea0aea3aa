import type { Decode } from '../../http/content-decoding.ts';
import type { ServedOperation } from '../../openapi/index.ts';
import type { Clock, Log } from '../../ports.ts';
import type { OperationMatch } from '../../router/matcher.ts';
import type { ValidationMode } from '../../validation/evidence/enforcement.ts';
import { createEvidence, type Evidence } from '../../validation/evidence/evidence.ts';
import { createModeResolver } from '../../validation/modes.ts';
import { DEFAULT_BODY_LIMIT, isBatchOperation } from '../../validation/request/index.ts';
import {
  createResponseFindingStats,
  type ResponseValidationReport,
} from '../../validation/response/index.ts';
import type { ValidationOptions } from '../options/gateway-options.ts';
import type { ResponseObserver } from '../plan/plan.ts';
import {
  createResponseSampler,
  type ResponseSampler,
  type ResponseSamplerOptions,
} from '../sampling/response-sampler.ts';
import type { DocumentValidators } from '../snapshot/document-validators.ts';
import type { RouteRequest } from '../snapshot/resolved-request.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { BatchValidation } from './batch-validation.ts';
import type { EvidencePersistence } from './evidence-persistence.ts';
import type { ObservationContext, ObservedOperation } from './observed-operation.ts';
import { type IncomingRequest, OperationValidation, type RequestValidation } from './operation-validation.ts';
import { createValidationReport, type ValidationReport } from './report.ts';
import { createUnknownRoutes, guessNamespace } from './unknown-routes.ts';

/** The validation of one site's requests. What it has seen outlives the snapshots. */
export interface SiteValidation {
  /** The judging of a request to the interface; `null` where it is not judged. */
  start(snapshot: Snapshot, request: IncomingRequest): RequestValidation | null;
  /** What looks at the site's answer; `null` where this one is not judged. */
  sample(snapshot: Snapshot, reading: RouteRequest): ResponseObserver | null;
  /** What has been seen. */
  report(snapshot: Snapshot | null): SiteValidationReport;
  /** Reads what was kept from before, once; requests are not judged until that is over. */
  load(): Promise<void>;
  /** Resolves when what is to be kept has been written. */
  stop(): Promise<void>;
}

export interface SiteValidationReport extends ValidationReport {
  /** What was found in the site's answers; `null` where they are not looked at. */
  readonly responses: ResponseValidationReport | null;
}

export interface SiteValidationOptions {
  readonly options: ValidationOptions;
  /** Whether a route that the document does not have is stopped; in a batch, that is done here. */
  readonly rejectsUnknownRoutes: boolean;
  /** Whether such a route is refused under `enforce` where the site was seen to have none. */
  readonly learnsUnknownRoutes: boolean;
  /** What the log calls the site. */
  readonly site: string;
  readonly log: Log;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** Undoes what the site's answers are coded in. */
  readonly decode: Decode;
  /** Keeps what was seen; `null` where nothing is kept. */
  readonly createPersistence: ((evidence: Evidence) => EvidencePersistence) | null;
}

/** With requests that are watched goes a look at the answers; who refuses, or judges nothing, has asked for none. */
function getResponseSampling({ mode, responses }: ValidationOptions): 'off' | 'sample' | 'all' {
  return responses ?? (mode === 'observe' ? 'sample' : 'off');
}

function createSamplerOf(
  mode: 'off' | 'sample' | 'all',
  options: Omit<ResponseSamplerOptions, 'mode'>,
): ResponseSampler | null {
  return mode === 'off' ? null : createResponseSampler({ ...options, mode });
}

const NO_PERSISTENCE: EvidencePersistence = {
  isLoaded: true,
  load: () => Promise.resolve(),
  markChanged() {},
  stop: () => Promise.resolve(),
};

export function createSiteValidation({
  clock,
  decode,
  createPersistence,
  learnsUnknownRoutes,
  log,
  options,
  random,
  rejectsUnknownRoutes,
  site,
}: SiteValidationOptions): SiteValidation {
  const { afterAgreement, bodyLimit = DEFAULT_BODY_LIMIT, mode = 'off', routes } = options;
  const evidence = createEvidence();
  const keeper = createPersistence?.(evidence) ?? NO_PERSISTENCE;
  const { markChanged } = keeper;
  const watching: ObservationContext = { site, log, afterAgreement, bodyLimit, markChanged };
  const findings = createResponseFindingStats();
  const sampler = createSamplerOf(getResponseSampling(options), {
    findings,
    clock,
    random,
    decode,
  });
  const modeOf = createModeResolver({ mode, routes });
  const unknownRoutes = createUnknownRoutes(afterAgreement ?? 1, (route) =>
    log.warn(
      { site, route },
      'the site has routes that its index does not show: none is refused beside this one',
    ),
  );
  const isJudging = [mode, ...(routes ?? []).map((route) => route.mode)].some((each) => each !== 'off');
  let adopted: Snapshot | null = null;
  let watched = new WeakMap<ServedOperation, ObservedOperation | null>();

  /** What was learnt by an older document holds for what the new one still says. */
  function adopt(snapshot: Snapshot): void {
    if (snapshot === adopted) return;
    adopted = snapshot;
    watched = new WeakMap();
    if (snapshot.judges === null) return;
    const dropped = evidence.retain(snapshot.judges.declared);
    if (dropped.operations + dropped.rules === 0) return;
    log.info({ site, ...dropped }, 'evidence of what the document no longer says was dropped');
    keeper.markChanged();
  }

  function watch({ judges }: Snapshot, match: OperationMatch): ObservedOperation | null {
    // Where another route may answer, nothing is known; nor before what was kept has been read.
    if (!keeper.isLoaded) return null;
    if (match.kind !== 'found' || !match.certain || judges === null) return null;
    const { operation, route } = match;
    const known = watched.get(operation);
    if (known !== undefined) return known;
    const operationMode = modeOf(route, operation.method);
    const made = operationMode === 'off' ? null : watchedOf(operation, route.pattern, operationMode, judges);
    watched.set(operation, made);
    return made;
  }

  function watchedOf(
    operation: ServedOperation,
    route: string,
    operationMode: Exclude<ValidationMode, 'off'>,
    judges: DocumentValidators,
  ): ObservedOperation {
    const name = { method: operation.method, route };
    return {
      ...name,
      id: operation.id,
      mode: operationMode,
      validate: (values, setAside) => judges.get(operation).validate(values, setAside),
      stats: evidence.statsOf(name),
      fingerprintOf: (param) => judges.declared(name)?.(param) ?? '',
    };
  }

  function batchOf(
    snapshot: Snapshot,
    own: ObservedOperation | null,
    request: IncomingRequest,
  ): RequestValidation | null {
    const { judges, matcher } = snapshot;
    const { match } = request.resolved;
    if (judges === null || match.kind !== 'found' || !(isJudging || rejectsUnknownRoutes)) return null;
    const ground = {
      batch: match.operation,
      matcher,
      judges,
      observe: (found: OperationMatch) => watch(snapshot, found),
      rejectsUnknownRoutes,
    };
    return new BatchValidation(own, ground, watching, request);
  }

  return {
    load: keeper.load,
    stop: keeper.stop,
    start(snapshot, request) {
      if (keeper.isLoaded) adopt(snapshot);
      else void keeper.load();
      // Answered before anything is judged (`rest_handle_options_request()`).
      if (request.resolved.target.method === 'OPTIONS') return null;
      const { match, target } = request.resolved;
      if (match.kind !== 'found') {
        const place = { pattern: target.route, namespace: guessNamespace(target.route) };
        const learns = learnsUnknownRoutes && modeOf(place, target.method) === 'enforce';
        return learns ? unknownRoutes.start(request) : null;
      }
      const operation = watch(snapshot, match);
      if (isBatchOperation(match.operation)) return batchOf(snapshot, operation, request);
      return operation === null ? null : new OperationValidation(operation, watching, request);
    },
    sample({ answers }, { match, target }) {
      // Of an answer that another route may have given nothing can be said.
      if (sampler === null || match.kind !== 'found' || !match.certain) return null;
      return sampler.observe(answers, match.operation, target);
    },
    report(snapshot) {
      if (snapshot !== null) adopt(snapshot);
      const requests = createValidationReport(evidence, snapshot?.judges ?? null, {
        mode,
        afterAgreement,
        modeOf,
      });
      return { ...requests, responses: sampler === null ? null : findings.report() };
    },
  };
}
