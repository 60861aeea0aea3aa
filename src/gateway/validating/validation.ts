import type { ServedOperation } from '../../openapi/index.ts';
import { createEvidence, type Evidence } from '../../validation/evidence/evidence.ts';
import type { Mode } from '../../validation/evidence/standing.ts';
import { createModes } from '../../validation/modes.ts';
import type { ValidationOptions } from '../options.ts';
import type { Log } from '../ports.ts';
import type { Snapshot } from '../snapshot.ts';
import type { DocumentJudges } from './judges.ts';
import { type JudgedRequest, Judging } from './judging.ts';
import { reportOf, type ValidationReport } from './report.ts';
import type { Watched, Watching } from './watched.ts';

/** The validation of one site's requests. What it has seen outlives the snapshots. */
export interface SiteValidation {
  /** The judging of a request to the interface; `null` where it is not judged. */
  begin(snapshot: Snapshot, request: JudgedRequest): Judging | null;
  /** What has been seen. */
  report(snapshot: Snapshot | null): ValidationReport;
  readonly evidence: Evidence;
}

export interface SiteValidationOptions {
  readonly options: ValidationOptions;
  /** What the log calls the site. */
  readonly site: string;
  readonly log: Log;
  /** Hears that there is more to keep. */
  readonly changed: () => void;
}

export function createSiteValidation({ options, ...its }: SiteValidationOptions): SiteValidation {
  const { log, site } = its;
  const { afterAgreement, mode = 'off', routes } = options;
  const watching: Watching = { site, log, afterAgreement, changed: its.changed };
  const modeOf = createModes({ mode, routes });
  const evidence = createEvidence();
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
    its.changed();
  }

  function watch({ judges }: Snapshot, { match }: JudgedRequest['reading']): Watched | null {
    // Where another route may answer, nothing is known.
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

  return {
    evidence,
    begin(snapshot, request) {
      adopt(snapshot);
      // Answered before anything is judged (`rest_handle_options_request()`).
      if (request.reading.target.method === 'OPTIONS') return null;
      const operation = watch(snapshot, request.reading);
      return operation === null ? null : new Judging(operation, watching, request);
    },
    report(snapshot) {
      if (snapshot !== null) adopt(snapshot);
      return reportOf(evidence, snapshot?.judges ?? null, { mode, afterAgreement, modeOf });
    },
  };
}
