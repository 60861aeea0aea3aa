import type { Decode } from '../../http/content-decoding.ts';
import type { ServedOperation } from '../../openapi/index.ts';
import type { Clock, Log } from '../../ports.ts';
import type { Match } from '../../router/matcher.ts';
import type { Mode } from '../../validation/evidence/enforcement.ts';
import { createEvidence, type Evidence } from '../../validation/evidence/evidence.ts';
import { createModes } from '../../validation/modes.ts';
import { DEFAULT_BODY_LIMIT, isBatch } from '../../validation/request/index.ts';
import { createResponseFindings, type ResponseReport } from '../../validation/response/index.ts';
import type { ValidationOptions } from '../options/gateway-options.ts';
import type { AnswerObserver } from '../plan/plan.ts';
import { createSampler, type Sampler, type SamplerOptions } from '../sampling/response-sampler.ts';
import type { DocumentJudges } from '../snapshot/document-validators.ts';
import type { RouteReading } from '../snapshot/resolved-request.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { BatchJudging } from './batch-validation.ts';
import type { Keeper } from './evidence-persistence.ts';
import type { Watched, Watching } from './observed-operation.ts';
import { type JudgedRequest, type Judging, OperationJudging } from './operation-validation.ts';
import { reportOf, type ValidationReport } from './report.ts';
import { createUnknownRoutes, namespaceIn } from './unknown-routes.ts';

/** The validation of one site's requests. What it has seen outlives the snapshots. */
export interface SiteValidation {
  /** The judging of a request to the interface; `null` where it is not judged. */
  begin(snapshot: Snapshot, request: JudgedRequest): Judging | null;
  /** What looks at the site's answer; `null` where this one is not judged. */
  sample(snapshot: Snapshot, reading: RouteReading): AnswerObserver | null;
  /** What has been seen. */
  report(snapshot: Snapshot | null): SiteReport;
  /** Reads what was kept from before, once; requests are not judged until that is over. */
  load(): Promise<void>;
  /** Resolves when what is to be kept has been written. */
  stop(): Promise<void>;
}

export interface SiteReport extends ValidationReport {
  /** What was found in the site's answers; `null` where they are not looked at. */
  readonly responses: ResponseReport | null;
}

export interface SiteValidationOptions {
  readonly options: ValidationOptions;
  /** Whether a route that the document does not have is stopped; in a batch, that is done here. */
  readonly refusesUnknown: boolean;
  /** Whether such a route is refused under `enforce` where the site was seen to have none. */
  readonly learnsUnknown: boolean;
  /** What the log calls the site. */
  readonly site: string;
  readonly log: Log;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** Undoes what the site's answers are coded in. */
  readonly decode: Decode;
  /** Keeps what was seen; `null` where nothing is kept. */
  readonly keep: ((evidence: Evidence) => Keeper) | null;
}

/** With requests that are watched goes a look at the answers; who refuses, or judges nothing, has asked for none. */
function responsesOf({ mode, responses }: ValidationOptions): 'off' | 'sample' | 'all' {
  return responses ?? (mode === 'observe' ? 'sample' : 'off');
}

function createSamplerOf(
  mode: 'off' | 'sample' | 'all',
  options: Omit<SamplerOptions, 'mode'>,
): Sampler | null {
  return mode === 'off' ? null : createSampler({ ...options, mode });
}

const NOTHING_KEPT: Keeper = {
  isLoaded: true,
  load: () => Promise.resolve(),
  changed() {},
  stop: () => Promise.resolve(),
};

export function createSiteValidation({
  clock,
  decode,
  keep,
  learnsUnknown,
  log,
  options,
  random,
  refusesUnknown,
  site,
}: SiteValidationOptions): SiteValidation {
  const { afterAgreement, bodyLimit = DEFAULT_BODY_LIMIT, mode = 'off', routes } = options;
  const evidence = createEvidence();
  const keeper = keep?.(evidence) ?? NOTHING_KEPT;
  const { changed } = keeper;
  const watching: Watching = { site, log, afterAgreement, bodyLimit, changed };
  const findings = createResponseFindings();
  const sampler = createSamplerOf(responsesOf(options), {
    findings,
    clock,
    random,
    decode,
  });
  const modeOf = createModes({ mode, routes });
  const unknownRoutes = createUnknownRoutes(afterAgreement ?? 1, (route) =>
    log.warn(
      { site, route },
      'the site has routes that its index does not show: none is refused beside this one',
    ),
  );
  const isJudging = [mode, ...(routes ?? []).map((route) => route.mode)].some((each) => each !== 'off');
  let adopted: Snapshot | null = null;
  let watched = new WeakMap<ServedOperation, Watched | null>();

  /** What was learnt by an older document holds for what the new one still says. */
  function adopt(snapshot: Snapshot): void {
    if (snapshot === adopted) return;
    adopted = snapshot;
    watched = new WeakMap();
    if (snapshot.judges === null) return;
    const dropped = evidence.retain(snapshot.judges.declared);
    if (dropped.operations + dropped.rules === 0) return;
    log.info({ site, ...dropped }, 'evidence of what the document no longer says was dropped');
    keeper.changed();
  }

  function watch({ judges }: Snapshot, match: Match): Watched | null {
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
    operationMode: Exclude<Mode, 'off'>,
    judges: DocumentJudges,
  ): Watched {
    const name = { method: operation.method, route };
    return {
      ...name,
      id: operation.id,
      mode: operationMode,
      judge: (values, setAside) => judges.of(operation).judge(values, setAside),
      tally: evidence.of(name),
      fingerprintOf: (param) => judges.declared(name)?.(param) ?? '',
    };
  }

  function batchOf(snapshot: Snapshot, own: Watched | null, request: JudgedRequest): Judging | null {
    const { judges, matcher } = snapshot;
    const { match } = request.reading;
    if (judges === null || match.kind !== 'found' || !(isJudging || refusesUnknown)) return null;
    const ground = {
      batch: match.operation,
      matcher,
      judges,
      watch: (found: Match) => watch(snapshot, found),
      refusesUnknown,
    };
    return new BatchJudging(own, ground, watching, request);
  }

  return {
    load: keeper.load,
    stop: keeper.stop,
    begin(snapshot, request) {
      if (keeper.isLoaded) adopt(snapshot);
      else void keeper.load();
      // Answered before anything is judged (`rest_handle_options_request()`).
      if (request.reading.target.method === 'OPTIONS') return null;
      const { match, target } = request.reading;
      if (match.kind !== 'found') {
        const place = { pattern: target.route, namespace: namespaceIn(target.route) };
        const learns = learnsUnknown && modeOf(place, target.method) === 'enforce';
        return learns ? unknownRoutes.begin(request) : null;
      }
      const operation = watch(snapshot, match);
      if (isBatch(match.operation)) return batchOf(snapshot, operation, request);
      return operation === null ? null : new OperationJudging(operation, watching, request);
    },
    sample({ answers }, { match, target }) {
      // Of an answer that another route may have given nothing can be said.
      if (sampler === null || match.kind !== 'found' || !match.certain) return null;
      return sampler.observe(answers, match.operation, target);
    },
    report(snapshot) {
      if (snapshot !== null) adopt(snapshot);
      const requests = reportOf(evidence, snapshot?.judges ?? null, { mode, afterAgreement, modeOf });
      return { ...requests, responses: sampler === null ? null : findings.report() };
    },
  };
}
