import type { IndependentPair, LearningReport } from '../cache/dependencies/shared-learning.ts';
import type { PurgeCounts } from './caching/site-writes.ts';
import type { ExclusionCount } from './caching/store-exclusions.ts';
import type { BodyMemory } from './exchange/inspected-exchange.ts';
import type { MountedSite } from './mounted-site.ts';
import type { TakenProblems } from './traffic/site-recorder.ts';
import type { TrafficCounts } from './traffic/site-traffic.ts';
import type { CountedResponses, ResponseCounter } from './traffic/traffic-counters.ts';
import type { ValidationObservations } from './validating/site-validation.ts';

/** What a worker has counted and observed since its last report to the primary process. */
export interface GatewayFigures {
  readonly responses: CountedResponses;
  readonly bodies: ReturnType<BodyMemory['stats']>;
  readonly sites: readonly SiteFigures[];
}

interface SiteFigures {
  readonly mount: string;
  readonly traffic: TrafficCounts;
  readonly problems: TakenProblems;
  readonly validation: ValidationObservations;
  readonly exclusions: readonly ExclusionCount[];
  readonly purges: PurgeCounts | null;
  readonly learning: LearningReport | null;
}

/** What one process has observed of a site that the others use too. */
export interface SiteObservations {
  readonly mount: string;
  readonly evidence: ValidationObservations['evidence'];
  /** `undefined` if it has not changed. */
  readonly independent?: readonly IndependentPair[] | undefined;
}

interface FigureSources {
  readonly sites: ReadonlyMap<string, MountedSite>;
  readonly responses: ResponseCounter;
  readonly bodyMemory: BodyMemory;
}

export function takeFigures({ bodyMemory, responses, sites }: FigureSources): GatewayFigures {
  return {
    responses: responses.take(),
    bodies: bodyMemory.stats(),
    sites: Array.from(sites, ([mount, { caching, recorder, validation }]) => ({
      mount,
      traffic: recorder.traffic.take(),
      problems: recorder.problems.take(),
      validation: validation.takeObservations(),
      exclusions: caching?.exclusions.take() ?? [],
      purges: caching?.takePurgeCounts() ?? null,
      learning: caching?.takeLearning() ?? null,
    })),
  };
}

/**
 * Adds the figures of a worker to those of the primary process.
 *
 * @param worker a number that no other worker has had
 */
export function addFigures(
  { responses, sites }: FigureSources,
  worker: number,
  figures: GatewayFigures,
): void {
  responses.add(figures.responses);
  for (const { exclusions, learning, mount, problems, purges, traffic, validation } of figures.sites) {
    const site = sites.get(mount);
    if (site === undefined) continue;
    site.recorder.traffic.add(traffic);
    site.recorder.problems.add(problems);
    site.validation.addObservations(site.runtime.snapshot, validation);
    site.caching?.exclusions.add(exclusions);
    if (purges !== null) site.caching?.addPurgeCounts(purges);
    const { snapshot } = site.runtime;
    if (learning !== null && snapshot !== null) site.caching?.learnFrom(snapshot, worker, learning);
  }
}

/** Lists everything that the primary process knows and the workers use. */
export function listObservations(sites: FigureSources['sites']): readonly SiteObservations[] {
  return Array.from(sites, ([mount, { caching, validation }]) => ({
    mount,
    evidence: validation.listEvidence(),
    independent: caching?.listIndependent(),
  }));
}

/** Returns what this process has observed since the last call: the decisions of the operator. */
export function takeObservations(sites: FigureSources['sites']): readonly SiteObservations[] {
  return Array.from(sites, ([mount, { validation }]) => ({ mount, evidence: validation.takeEvidence() }));
}

/** Adds what the other processes have observed. */
export function addObservations(sites: FigureSources['sites'], observed: readonly SiteObservations[]): void {
  for (const { evidence, independent, mount } of observed) {
    const site = sites.get(mount);
    if (site === undefined) continue;
    site.validation.addObservations(site.runtime.snapshot, { evidence });
    if (independent !== undefined) site.caching?.setIndependent(independent);
  }
}
