import type { RecentPurge } from './caching/recent-purges.ts';
import type { EvidenceEvents, KeptPatterns } from './caching/shared-evidence.ts';
import type { PurgeCounts } from './caching/site-writes.ts';
import type { ExclusionCount } from './caching/store-exclusions.ts';
import type { ProcessStatus } from './process-role.ts';
import { readProcessStatus, type StatusSources } from './process-status.ts';
import type { DocumentVersion } from './snapshot/document-history.ts';
import type { TakenProblems } from './traffic/site-recorder.ts';
import type { TrafficCounts } from './traffic/site-traffic.ts';
import type { CountedDurations, RecentRequest } from './traffic/traffic-counters.ts';
import type { ValidationObservations } from './validating/site-validation.ts';

/** What a worker has counted and observed since its last report to the primary process. */
export interface WorkerMetrics {
  readonly durations: CountedDurations;
  readonly measured: CountedDurations;
  readonly status: ProcessStatus;
  readonly sites: readonly SiteMetrics[];
}

interface SiteMetrics {
  readonly mount: string;
  readonly traffic: TrafficCounts;
  readonly problems: TakenProblems;
  readonly requests: readonly RecentRequest[];
  readonly validation: ValidationObservations;
  readonly exclusions: readonly ExclusionCount[];
  readonly purges: PurgeCounts | null;
  readonly recentPurges: readonly RecentPurge[];
  readonly learning: EvidenceEvents | null;
}

/** What one process has observed of a site that the others use too. */
export interface SiteObservations {
  readonly mount: string;
  readonly evidence: ValidationObservations['evidence'];
  /** `undefined` if it has not changed. */
  readonly kept?: readonly KeptPatterns[] | undefined;
  /** Versions of the document, for its documentation; `undefined` if they have not changed. */
  readonly versions?: readonly DocumentVersion[] | undefined;
}

type MetricSources = Pick<StatusSources, 'sites' | 'durations' | 'measured'>;

export function takeWorkerMetrics(sources: StatusSources): WorkerMetrics {
  const { durations, measured, sites } = sources;
  return {
    status: readProcessStatus(sources),
    durations: durations.take(),
    measured: measured.take(),
    sites: Array.from(sites, ([mount, { caching, recorder, validation }]) => ({
      mount,
      traffic: recorder.traffic.take(),
      problems: recorder.problems.take(),
      requests: recorder.requests.take(),
      validation: validation.takeObservations(),
      exclusions: caching?.exclusions.take() ?? [],
      purges: caching?.writes.takeCounts() ?? null,
      recentPurges: caching?.writes.recent.take() ?? [],
      learning: caching?.takeEvidence() ?? null,
    })),
  };
}

/** Adds the metrics of a worker to those of the primary process. @param worker a number that no other worker has had */
export function addWorkerMetrics(sources: MetricSources, worker: number, metrics: WorkerMetrics): void {
  const { durations, measured, sites } = sources;
  durations.add(metrics.durations);
  measured.add(metrics.measured);
  for (const { learning, mount, purges, ...taken } of metrics.sites) {
    const site = sites.get(mount);
    if (site === undefined) continue;
    const { caching, recorder, runtime } = site;
    recorder.traffic.add(taken.traffic);
    recorder.problems.add(taken.problems);
    for (const request of taken.requests) recorder.requests.add(request);
    site.validation.addObservations(runtime.snapshot, taken.validation);
    caching?.exclusions.add(taken.exclusions);
    if (purges !== null) caching?.writes.addCounts(purges);
    for (const purge of taken.recentPurges) caching?.writes.recent.add(purge);
    const { snapshot } = runtime;
    if (learning !== null && snapshot !== null) caching?.learnFrom(snapshot, worker, learning);
  }
}

/** Lists everything that the primary process knows and the workers use. */
export function listObservations(sites: MetricSources['sites']): readonly SiteObservations[] {
  return Array.from(sites, ([mount, { caching, runtime, validation }]) => ({
    mount,
    evidence: validation.ledger.toRecords(),
    kept: caching?.listKept(),
    versions: runtime.history.versions,
  }));
}

/** Returns what this process has observed since the last call: the decisions of the operator. */
export function takeObservations(sites: MetricSources['sites']): readonly SiteObservations[] {
  return Array.from(sites, ([mount, { validation }]) => ({
    mount,
    evidence: validation.ledger.takeUntold(),
  }));
}

export function addObservations(sites: MetricSources['sites'], observed: readonly SiteObservations[]): void {
  for (const { evidence, kept, mount, versions } of observed) {
    const site = sites.get(mount);
    if (site === undefined) continue;
    site.validation.addObservations(site.runtime.snapshot, { evidence });
    if (kept !== undefined) site.caching?.setKept(kept);
    if (versions !== undefined) site.runtime.history.versions = versions;
  }
}
