import { groupByFrequency } from '../../base/group-by.ts';
import type { IncomingRequestHead } from '../../base/http/exchange.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Clock, Log } from '../../base/ports.ts';
import { countOf, formatBytes } from '../../base/text.ts';
import type { SharedStoreState } from '../cache/store.ts';
import { PROBLEMS, type Problem } from '../exchange/problem.ts';
import { BodyReservation } from '../exchange/request-body-validator.ts';
import type { MountedSites } from '../request-context.ts';
import type { TokenAttempts } from '../site/limiting/site-limits.ts';
import { type AdminOptions, toPublicPath } from '../site/settings.ts';
import type { SharedParts } from '../site/shared-parts.ts';
import type { RecordedProblem } from '../site/traffic/site-recorder.ts';
import type { TrafficSummary } from '../site/traffic/site-traffic.ts';
import { type PublicAddress, RequestHeaders, toPublicAddress } from '../upstream/request-headers.ts';
import { listEvents, type TimelineEvent } from './events.ts';
import { type Explanation, explain } from './explain.ts';
import { readMetrics } from './metrics.ts';
import { OperatedSite } from './operated-site.ts';
import { type Purge, type PurgeTargets, parsePurge } from './purge-selection.ts';
import { type Alerts, readAlerts, STATE_MINUTES } from './remarks.ts';

type Refusals = RecordedProblem & { readonly all: readonly RecordedProblem[] };

export interface OperatorClient {
  readonly address: string;
  readonly protocol: 'http' | 'https';
}

export { USAGE as PURGE_USAGE } from './purge-selection.ts';
export type { Explanation };

/** A gateway as its operators see it: plain data, read when it is asked for, and functions for what they do. */
export class OperatedGateway {
  readonly clock: Clock;
  readonly log: Log;
  /** Empty if nobody can sign in. */
  readonly token: string;
  readonly attempts: TokenAttempts;
  /** Share of failed requests at which a site fails. */
  readonly maxErrors: number;
  readonly hasOwnPort: boolean;
  readonly sites: ReadonlyMap<string, OperatedSite>;
  readonly rediscover: () => Promise<void>;
  readonly reload: AdminOptions['reload'];
  readonly #parts: SharedParts;
  readonly #mounted: MountedSites;
  readonly #alerts: Alerts;
  readonly #targets: PurgeTargets;
  readonly #publicAddress: PublicAddress | undefined;

  constructor(parts: SharedParts, mounted: MountedSites) {
    const { clock, log, options } = parts;
    const { alerts = {}, port, reload, token = '' } = options.admin ?? {};
    this.clock = clock;
    this.log = log;
    this.token = token;
    this.attempts = parts.tokenAttempts;
    this.#alerts = readAlerts(alerts);
    this.maxErrors = this.#alerts.errors;
    this.hasOwnPort = port !== undefined;
    this.rediscover = mounted.rediscover;
    this.reload = reload;
    this.#parts = parts;
    this.#mounted = mounted;
    this.#targets = { ...mounted, publicPath: toPublicPath(options.publicUrl, '') };
    this.#publicAddress = options.publicUrl === undefined ? undefined : toPublicAddress(options.publicUrl);
    const context = { clock, log, alerts: this.#alerts, listEvents: (name: string) => this.listEvents(name) };
    this.sites = new Map(
      Array.from(mounted.sites, ([name, site]) => [name, new OperatedSite(site, context)]),
    );
  }

  readClient(head: IncomingRequestHead): OperatorClient {
    const { client, refusal } = new RequestHeaders(head, this.#parts.trust);
    const { address } = client;
    const { protocol } = refusal !== null ? head : (this.#publicAddress ?? client);
    return { address, protocol };
  }

  /** Takes memory for a body, which anybody can send to a webhook. @returns what gives it back; `null` without memory */
  reserveBody(client: string, bytes: number): (() => void) | null {
    const reservation = new BodyReservation(this.#parts.bodyMemory, client);
    return reservation.grow(bytes) ? () => reservation.release() : null;
  }

  /**
   * Why `/-/ready` refuses, or what is wrong although requests are served.
   * @param isOperator whether sites are named, who can be customers of somebody else
   */
  readReadiness(
    isOperator: boolean,
    sites: readonly OperatedSite[] = [...this.sites.values()],
  ): { readonly refusal: Problem } | { readonly details: readonly object[] } {
    if (this.#parts.drain.isDraining) return { refusal: PROBLEMS.draining };
    // The others of a fleet are served.
    if (!sites.some(({ isReady }) => isReady)) return { refusal: createNotReadyProblem(sites, isOperator) };
    const store = this.readStore();
    const isFaulty = store !== null && store.state !== 'cache-connected';
    const faults = sites.flatMap((site) =>
      site.listFaults().map((fault) => (isOperator ? { site: site.name, ...fault } : fault)),
    );
    const distinct = new Map(faults.map((fault) => [JSON.stringify(fault), fault]));
    return { details: [...distinct.values(), ...(isFaulty ? [store] : [])] };
  }

  /** State of the responses' store, e.g. `cache-bypassed`, and what that means. `null` if nothing is stored. */
  readStore(): { readonly state: `cache-${SharedStoreState}`; readonly message: string } | null {
    const { cache } = this.#parts;
    if (cache === null) return null;
    const { bytes, evictions = 0, maxBytes, responseCount, shared } = cache.store.report();
    const { remedy = null, state = 'connected' } = shared ?? {};
    const size = `${formatBytes(bytes)} of ${formatBytes(maxBytes)}`;
    const full = evictions === 0 ? '' : ` It was full: ${countOf(evictions, 'response')} had to make room.`;
    const messages: Readonly<Record<SharedStoreState, string>> = {
      connected: `The store of all sites has ${countOf(responseCount, 'response')}, ${size}.${full}`,
      full: 'The shared cache store takes no new responses. What it has is served.',
      bypassed: 'The shared cache store cannot be used. Responses come from the sites.',
    };
    return { state: `cache-${state}`, message: messages[state] + (remedy === null ? '' : ` ${remedy}`) };
  }

  /** What concerns all sites, and none of them by itself. */
  listFaults(): readonly string[] {
    const store = this.readStore();
    const unwritten = [...this.#mounted.sites.values()].filter(({ isStateFailing }) => isStateFailing).length;
    return [
      ...(store === null || store.state === 'cache-connected' ? [] : [store.message]),
      ...(unwritten === 0
        ? []
        : [
            `The state of ${countOf(unwritten, 'site')} cannot be written: the folder of state is full or gone.`,
          ]),
    ];
  }

  /** The gateway's own row: requests that belong to no site, and the last refusals among them by code. */
  readRecent(): TrafficSummary & { readonly minutes: number; readonly refusals: readonly Refusals[] } {
    const { recorder } = this.#parts;
    const { traffic } = recorder;
    const refusals = groupByFrequency(recorder.listProblems(), ({ code }) => code);
    const minutes = traffic.countMinutes(STATE_MINUTES);
    return { ...traffic.readMinutes(STATE_MINUTES), minutes, refusals: refusals.slice(0, 8) };
  }

  /** @param site name of the site whose events are read. @default all sites and the gateway */
  listEvents(site?: string): readonly TimelineEvent[] {
    const { sites } = this.#mounted;
    const read = site === undefined ? [...sites.values()] : [sites.get(site) ?? []].flat();
    return listEvents(this.#parts.options.admin?.listLogLines?.() ?? [], read);
  }

  readMetrics(): Promise<string> {
    return readMetrics(this.#parts, [...this.#mounted.sites.values()], this.#alerts);
  }

  /** @returns a sentence if the body selects nothing */
  parsePurge(body: JsonObject): Purge | string {
    return parsePurge(body, this.#targets);
  }

  /**
   * @param of URL at the gateway, or id of a request
   * @param site name of the site whose page asks. @default the first site
   * @returns a sentence if there is nothing to explain
   */
  async explain(of: string, site?: string): Promise<Explanation | string> {
    const { sites } = this.#mounted;
    const asked = site === undefined ? [...sites.values()][0] : sites.get(site);
    const { clock, trust } = this.#parts;
    return asked === undefined
      ? 'No site is mounted.'
      : explain({ ...this.#targets, clock, trust }, asked, of);
  }
}

/** The reasons contain no address and nothing that a site sent. */
function createNotReadyProblem(unread: readonly OperatedSite[], isOperator: boolean): Problem {
  const reasons = unread.map(
    ({ failureSummary, name }) =>
      `${isOperator ? `${name}: ` : ''}${failureSummary ?? 'The site has not been read yet.'}`,
  );
  return {
    status: 503,
    code: 'gateway_not_ready',
    message: `No site can be served yet. ${[...new Set(reasons)].join(' ')}`,
    headers: { 'retry-after': '1' },
  };
}
