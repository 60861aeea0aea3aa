import { DiscoveryError } from '../../base/errors.ts';
import {
  explainReasons,
  findRemedy,
  listUnstoredReasons,
  writeReason,
} from '../../base/http/cache-status.ts';
import type { Clock, Log } from '../../base/ports.ts';
import { toPlainText } from '../../base/text.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import type { ClientCounts, RecordedProblem } from '../site/traffic/site-recorder.ts';
import type {
  OperationTraffic,
  TrafficSeries,
  TrafficSpan,
  TrafficSummary,
} from '../site/traffic/site-traffic.ts';
import type { TimelineEvent } from './events.ts';
import { describeBrokenRule, describeProblem } from './explain.ts';
import { describeMount } from './purge-selection.ts';
import { type Alerts, isFault, readSiteState, type SiteState, STATE_MINUTES } from './remarks.ts';
import { countStored, nameOperations, type StoredRow } from './stored.ts';
import { createWebhook, type Webhook } from './webhook.ts';

export { MAX_PROBLEMS } from '../site/traffic/site-recorder.ts';
export { TRAFFIC_SPANS } from '../site/traffic/site-traffic.ts';
export { SITE_STATES } from './remarks.ts';
export type { ClientCounts, SiteState, TimelineEvent, TrafficSeries, TrafficSummary };

interface SiteContext {
  readonly clock: Clock;
  readonly log: Log;
  readonly alerts: Alerts;
  readonly listEvents: (site: string) => readonly TimelineEvent[];
}

export type NamedTraffic = OperationTraffic & { readonly name: string };

export type StoredOperation = StoredRow & {
  readonly name: string;
  readonly traffic: OperationTraffic | null;
};

/** Reads of one operation that one cause keeps from being hits. */
export interface UnstoredRead {
  /** E.g. `GET /wp/v2/posts`. */
  readonly operation: string;
  /** As in `Cache-Status`, with the names of cookies. */
  readonly detail: string;
  readonly meaning: string;
  /** What makes such reads hits; empty if nothing does. */
  readonly remedy: string;
  readonly requestId: string;
}

export class OperatedSite {
  readonly name: string;
  /** Where it is served: its hosts, or a path. */
  readonly mount: string;
  readonly mountPath: string;
  readonly host: string;
  readonly isCached: boolean;
  readonly receiveMessage: Webhook;
  readonly #site: MountedSite;
  readonly #context: SiteContext;

  constructor(site: MountedSite, context: SiteContext) {
    const { mountPath, name, url } = site.settings;
    this.name = name;
    this.mount = describeMount(site);
    this.mountPath = mountPath;
    this.host = new URL(url).host;
    this.isCached = site.caching !== null;
    this.receiveMessage = createWebhook(site, context);
    this.#site = site;
    this.#context = context;
  }

  get title(): string {
    return toPlainText(this.#site.runtime.snapshot?.documented?.title ?? this.name, 80);
  }

  get isReady(): boolean {
    return this.#site.runtime.isReady;
  }

  get isUnread(): boolean {
    return this.#site.runtime.lastDiscoveryError !== null;
  }

  /** Why it could not be read, with no address and nothing that the site sent. */
  get failureSummary(): string | null {
    return this.#site.runtime.failureSummary;
  }

  readState(): SiteState {
    return readSiteState(this.#site, this.#context);
  }

  /** What an operator should know of the last discovery. */
  listNotes(): readonly string[] {
    const { runtime } = this.#site;
    const texts = [runtime.lastDiscoveryError?.message, this.#site.describeForeignLinks()];
    return texts.flatMap((text) => (text ? [text] : []));
  }

  /** What is wrong although requests are served, for `/-/ready`. */
  listFaults(): readonly { readonly state: string; readonly message: string }[] {
    const { circuits, isStateFailing, runtime } = this.#site;
    const { failureSummary, snapshot } = runtime;
    const isProvisional = snapshot?.isProvisional === true;
    const circuit = circuits?.report();
    const since = this.#site.recorder.availability.findUnreachableSince(runtime.known.lastDiscoveredAt);
    const messages = {
      'no-document': isProvisional && `${failureSummary ?? 'The site has not been read.'} ${PROVISIONAL}`,
      'state-unwritten': isStateFailing && STATE_MESSAGE,
      'not-read': !isProvisional && failureSummary && `The last discovery failed: ${failureSummary}`,
      unreachable: since !== null && `No connection to the site could be opened since ${toIso(since)}.`,
      'circuit-open':
        circuit?.reason && `The circuit breaker holds back requests to the site: ${circuit.reason}.`,
    };
    return Object.entries(messages).flatMap(([state, message]) => (message ? [{ state, message }] : []));
  }

  /** For `/-/sites`. */
  describe(): object {
    const { circuits, concurrency, runtime, settings } = this.#site;
    const { hosts, mountPath, name, url } = settings;
    const circuit = circuits?.report() ?? null;
    const state = this.readState();
    const { lastDiscoveredAt, lastDiscoveryError, snapshot } = runtime.known;
    return {
      site: name,
      mount: mountPath === '' ? '/' : mountPath,
      ...(hosts.length === 0 ? {} : { hosts }),
      url,
      title: snapshot?.title ?? null,
      ready: runtime.isReady,
      state: {
        name: state.name,
        fault: isFault(state.name),
        since: toIso(state.since),
        remarks: state.remarks.map(({ name: remark, remedy, text }) => ({ name: remark, text, remedy })),
      },
      operations: snapshot?.operationCount ?? 0,
      discovery: {
        running: runtime.running !== null,
        lastRead: toIso(lastDiscoveredAt),
        fault: lastDiscoveryError === null ? null : lastDiscoveryError.message,
        reason: lastDiscoveryError instanceof DiscoveryError ? lastDiscoveryError.reason : null,
        diagnostics: snapshot?.diagnostics?.counts ?? null,
      },
      circuit: circuit && {
        ...circuit,
        unreachableSince: toIso(circuit.unreachableSince),
        failingSince: toIso(circuit.failingSince),
      },
      concurrency: concurrency.report(),
      validation: `/-/sites/${name}/validation`,
    };
  }

  describeValidation(): object {
    return { site: this.name, ...this.#site.validation.createReport() };
  }

  listEvents(): readonly TimelineEvent[] {
    return this.#context.listEvents(this.name);
  }

  /** Traffic of {@link STATE_MINUTES}. */
  readRecent(): TrafficSummary & { readonly minutes: number } {
    const { traffic } = this.#site.recorder;
    return { ...traffic.readMinutes(STATE_MINUTES), minutes: traffic.countMinutes(STATE_MINUTES) };
  }

  readTraffic(span: TrafficSpan): TrafficSeries {
    return this.#site.recorder.traffic.read(span);
  }

  /** The busiest clients of the last minutes, and the number of all requests. */
  readClients(): { readonly requests: number; readonly clients: readonly ClientCounts[] } {
    const name = this.#createNaming();
    const { clients, requests } = this.#site.recorder.clients.read();
    return { requests, clients: clients.map((each) => ({ ...each, operation: name(each.operation) })) };
  }

  /** The first row is all requests. */
  listOperations(): readonly NamedTraffic[] {
    const name = this.#createNaming();
    const { durations } = this.#site.recorder.traffic;
    return [
      { ...durations.summarize(''), name: 'all requests' },
      ...durations.listOperations().map((each) => ({ ...each, name: name(each.operation) })),
    ];
  }

  /** Stored responses by operation, with its traffic since the start. */
  async listStored(): Promise<readonly StoredOperation[]> {
    const name = this.#createNaming();
    const { durations } = this.#site.recorder.traffic;
    const traffic = new Map(durations.listOperations().map((each) => [each.operation, each]));
    const rows = await countStored(this.#site);
    return rows.map((row) => ({ ...row, name: name(row.id), traffic: traffic.get(row.id) ?? null }));
  }

  /** Recent reads that a rule or a change of the site could make hits. */
  listUnstored(): readonly UnstoredRead[] {
    const name = this.#createNaming();
    return this.#site.recorder.requests
      .list()
      .flatMap(({ cacheStatus, method, operation, requestId, status }) => {
        const reasons = listUnstoredReasons(cacheStatus);
        if (reasons.length === 0 || !/^(?:GET|HEAD)$/.test(method)) return [];
        const remedy = status >= 400 ? '' : findRemedy(reasons[0]);
        const detail = reasons.map(writeReason).join(', ');
        return [{ operation: name(operation), detail, meaning: explainReasons(reasons), remedy, requestId }];
      });
  }

  /** Refused and failed requests, the latest first. */
  listProblems(): readonly (RecordedProblem & {
    readonly why: string;
    readonly broken: readonly string[];
  })[] {
    return this.#site.recorder
      .listProblems()
      .map((problem) => ({
        ...problem,
        why: describeProblem(problem),
        broken: problem.rules.map(describeBrokenRule),
      }));
  }

  /** Begins to read the site, which can take half a minute. Its events tell how that ended. */
  rediscover(): void {
    void this.#site.runtime.rediscover();
  }

  #createNaming(): (id: string) => string {
    return nameOperations(this.#site.runtime.snapshot);
  }
}

const STATE_MESSAGE =
  'The state of the site cannot be written, e.g. because the disk is full. A restart would lose it.';

const PROVISIONAL = 'Until it is read, requests are forwarded, and nothing is validated or stored.';

const toIso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
