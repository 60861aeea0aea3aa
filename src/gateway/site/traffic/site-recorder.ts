import type { CacheOutcome, CacheStatus } from '../../../base/http/cache-status.ts';
import type { RequestHead, UpstreamFailure } from '../../../base/http/exchange.ts';
import { fieldValue } from '../../../base/http/fields.ts';
import { detachString, getOrCreate, takeSmallest } from '../../../base/memoize.ts';
import type { ParameterRule } from '../../../generator/validation/request/result.ts';
import type { Problem } from '../../exchange/problem.ts';
import { describeFailureCause, FAILURE_RESPONSES } from '../../upstream/failures.ts';
import type { ResolvedRequest } from '../snapshot/snapshot.ts';
import { Availability } from './availability.ts';
import { type Ending, SiteTraffic } from './site-traffic.ts';

/** `early`: refused for its client, e.g. by a rate limit. `failure`: the site did not respond. */
type ProblemSource = 'gateway' | 'early' | 'failure' | 'site';

/** Without values, credentials and queries. */
export interface RecordedProblem extends Pick<RecentRequest, 'requestId' | 'method' | 'status'> {
  readonly time: number;
  readonly client: string;
  readonly source: ProblemSource;
  /** Path template; for other routes and pages the first two segments of the path. */
  readonly route: string;
  readonly code: string;
  readonly rules: readonly ParameterRule[];
  readonly cause: string;
  /** What the site's response says, or message of the underlying error; can name hosts and ports. */
  readonly detail: string;
}

/** A request that the site has not answered, or with 5xx. */
export interface SiteFailure
  extends Pick<RecordedProblem, 'cause' | 'code' | 'detail' | 'source' | 'status' | 'time'> {
  readonly operation: string;
}

export const MAX_PROBLEMS = 200;
const MAX_RULES = 8;
const MAX_TEXT = 160;
const MAX_DETAIL = 400;

/** Cuts a text, and copies it: a part of a long text would keep all of it in memory. */
function cut(text: string, max = MAX_TEXT): string {
  return text.length > max ? `${detachString(text.slice(0, max - 1))}…` : text;
}

export interface RecordedRequest {
  readonly requestId: string;
  readonly client: string;
  readonly head: RequestHead;
  readonly resolved: ResolvedRequest | undefined;
}

/** Statuses that aren't the site's problem: crawlers cause any number of 404, or the client left. */
const NOT_RECORDED: ReadonlySet<number> = new Set([404, 410, FAILURE_RESPONSES['client-gone'].status]);

export class SiteRecorder {
  readonly traffic: SiteTraffic;
  readonly #now: () => number;
  readonly #problems = new Map<ProblemSource, Recent<RecordedProblem>>();
  readonly requests: Recent<RecentRequest> = new Recent<RecentRequest>(MAX_REQUESTS);
  readonly clients: BusyClients = new BusyClients();
  /** Requests that failed at the site, whatever their clients got. */
  readonly failures: Recent<SiteFailure> = new Recent<SiteFailure>(MAX_PROBLEMS);
  readonly availability: Availability;

  /** Messages of waygate.php since the last one that was taken. */
  refusedMessages = 0;

  constructor(now: () => number) {
    this.traffic = new SiteTraffic(now);
    this.availability = new Availability(now);
    this.#now = now;
  }

  /** @param operation or one of `NO_OPERATION`, with the method if known */
  record(
    request: Pick<RecordedRequest, 'client' | 'head'>,
    operation: string,
    outcome: CacheOutcome,
    ending: Ending,
  ): void {
    const now = this.#now();
    this.clients.count(request, operation, outcome, ending, now);
    this.traffic.record(operation, outcome, ending, now);
    const { run } = this.availability;
    if (run === null || outcome === 'none') return;
    run.requests += 1;
    if (outcome === 'hit' || outcome === 'stale') run.served += 1;
  }

  /** @param isListed false for refusals by a rate limit, which can be very many */
  recordRefusal(
    request: RecordedRequest,
    { brokenRules, code, data, status }: Problem,
    isListed = true,
  ): void {
    const policies = code === 'gateway_rate_limited' ? data?.['policies'] : undefined;
    if (Array.isArray(policies)) this.clients.countLimited(request, String(policies[0]));
    this.#record(request, { source: isListed ? 'gateway' : 'early', status, code, rules: brokenRules ?? [] });
  }

  recordFailure(
    request: RecordedRequest,
    failure: UpstreamFailure,
    { code, status }: Problem,
    progress: string,
  ): void {
    if (failure.kind === 'client-gone') return;
    const detail = describeFailure(failure, progress);
    this.#record(request, { source: 'failure', status, code, cause: failure.kind, detail });
  }

  recordUpstreamFailure(operation: string, failure: UpstreamFailure, progress: string): void {
    this.traffic.addCount('failures', failure.kind);
    this.availability.noteFailure(failure);
    const detail = cut(describeFailure(failure, progress), MAX_DETAIL);
    this.failures.add({
      operation,
      source: 'failure',
      status: 0,
      cause: failure.kind,
      detail,
      ...this.#stamp,
    });
  }

  /** @param words what the response says */
  recordUpstreamError(operation: string, status: number, words: string): void {
    const detail = cut(words, MAX_DETAIL);
    this.failures.add({ operation, source: 'site', status, cause: '', detail, ...this.#stamp });
  }

  get #stamp(): Pick<SiteFailure, 'code' | 'time'> {
    return { code: '', time: this.#now() };
  }

  /** @param words what the site's response says */
  recordSiteError(request: RecordedRequest, status: number, words: string): void {
    if (status >= 400 && !NOT_RECORDED.has(status))
      this.#record(request, { source: 'site', status, detail: words });
  }

  #record(
    { client, head: { method, target }, requestId, resolved }: RecordedRequest,
    problem: Pick<RecordedProblem, 'source' | 'status'> & Partial<RecordedProblem>,
  ): void {
    const { cause = '', code = '', detail = '', rules = [], source, status } = problem;
    getOrCreate(this.#problems, source, () => new Recent(MAX_PROBLEMS)).add({
      ...{ requestId, client, source, status, cause },
      ...{ time: this.#now(), code: cut(code), method: cut(method) },
      rules: rules.slice(0, MAX_RULES).map(({ param, rule }) => ({ param: cut(param), rule: cut(rule) })),
      route: cut(describeRoute(resolved, target)),
      detail: cut(detail, MAX_DETAIL),
    });
  }

  listProblems(): readonly RecordedProblem[] {
    return [...this.#problems.values()]
      .flatMap((recent) => recent.list())
      .sort((one, other) => other.time - one.time);
  }
}

function describeFailure(failure: UpstreamFailure, progress: string): string {
  return [progress, describeFailureCause(failure) ?? ''].filter((text) => text !== '').join('; ');
}

/** E.g. `/wp/v2/posts/{id}`; of a page and of an unknown route the first two segments. */
export function describeRoute(resolved: ResolvedRequest | undefined, target: string): string {
  const isRoute = resolved?.kind === 'route';
  if (isRoute && resolved.match.kind === 'found') return resolved.match.operation.path;
  const { path = target.replace(/\?.*/s, '') } = resolved?.kind === 'page' ? resolved.target : {};
  const whole = isRoute ? resolved.target.route : path;
  const segments = whole.slice(0, MAX_SEGMENTS_LENGTH).split('/', 3).join('/');
  return segments.length < whole.length ? `${segments}/…` : segments;
}

const MAX_SEGMENTS_LENGTH = 100;

export class Recent<Entry> {
  readonly #max: number;
  readonly #ring: Entry[] = [];
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(entry: Entry): void {
    this.#ring[this.#count % this.#max] = entry;
    this.#count += 1;
  }

  list(): readonly Entry[] {
    const start = this.#count % this.#max;
    return [...this.#ring.slice(start), ...this.#ring.slice(0, start)].reverse();
  }
}

/** A request that wasn't a fresh hit, without credentials. */
export interface RecentRequest {
  readonly time: number;
  readonly requestId: string;
  readonly operation: string;
  readonly method: string;
  /** Base URL of the gateway as the client used it. */
  readonly publicBase: string;
  /** As received, but for a path with a credential. */
  readonly target: string;
  /** Whether values of the query can identify the client. */
  readonly hasSecrets: boolean;
  readonly status: number;
  readonly cacheStatus: CacheStatus;
  readonly milliseconds: number;
}

const MAX_REQUESTS = 500;
const MAX_TARGET = 500;

/** Values of the query go if they can identify the client. */
export function toRecentTarget({ hasSecrets, target }: Pick<RecentRequest, 'hasSecrets' | 'target'>): string {
  const start = hasSecrets ? target.indexOf('?') : -1;
  const shown = target.length > MAX_TARGET ? `${target.slice(0, MAX_TARGET)}…` : target;
  if (start < 0 || start >= MAX_TARGET) return shown;
  return `${target.slice(0, start)}?${maskQuery(shown.slice(start + 1))}`;
}

/** Leaves values out, e.g. `a=…`. PHP can separate at `;` too, and a value can have no name. */
export function maskQuery(query: string, isShown: (name: string) => boolean = () => false): string {
  const masked = query.split(/[&;]/).map((part) => {
    if (!part.includes('=')) return '…';
    return isShown(part.slice(0, part.indexOf('='))) ? part.slice(0, 100) : part.replace(/=.*/s, '=…');
  });
  return masked.join('&');
}

export interface ClientCounts {
  readonly client: string;
  readonly agent: string;
  /** What over half of its requests ask; empty without such an operation. */
  readonly operation: string;
  readonly requests: number;
  readonly misses: number;
  readonly clientErrors: number;
  /** Requests that a rate limit of the gateway refused. */
  readonly limited: number;
  /** Name of the last such limit. */
  readonly policy: string;
  /** Different values of `User-Agent` in the refused ones, at most {@link MAX_AGENTS} of five minutes. */
  readonly agents: readonly string[];
}

interface CountedRequest {
  readonly client: string;
  readonly head: RequestHead;
}

type Counted = { -readonly [Key in keyof Omit<ClientCounts, 'agents'>]: ClientCounts[Key] } & {
  agents: Set<string> | null;
  votes: number;
  /** Requests for `operation` since it has been counted. */
  asked: number;
};

const WINDOW = 300_000;
const MAX_CLIENTS = 64;
const MAX_AGENT = 200;
export const MAX_AGENTS = 20;

/** The busiest clients of five to ten minutes. A client with more than one request in 64 is always among them, whatever others send. */
class BusyClients {
  #window = new Window();
  #before = new Window();
  #end = Number.NEGATIVE_INFINITY;

  count(
    { client, head }: CountedRequest,
    operation: string,
    outcome: CacheOutcome,
    { end, status }: Ending,
    now: number,
  ): void {
    if (now >= this.#end) {
      this.#before = now >= this.#end + WINDOW ? new Window() : this.#window;
      this.#window = new Window();
      this.#end = now + WINDOW;
    }
    const window = this.#window;
    const counted = window.clients.get(client) ?? addClient(window.clients, client, head, operation);
    window.requests += 1;
    counted.requests += 1;
    if (outcome !== 'hit' && outcome !== 'stale') counted.misses += 1;
    if (status >= 400 && status < 500 && end !== 'client') {
      window.clientErrors += 1;
      counted.clientErrors += 1;
    }
    // The operation of most requests survives the others' votes (Boyer and Moore 1981).
    if (counted.operation === operation) {
      counted.votes += 1;
      counted.asked += 1;
    } else if (counted.votes > 0) counted.votes -= 1;
    else Object.assign(counted, { operation, votes: 1, asked: 1 });
  }

  countLimited({ client, head }: CountedRequest, policy: string): void {
    // A client refused by a limit was counted, unless busier ones took its place.
    const counted = this.#window.clients.get(client);
    if (counted === undefined) return;
    counted.limited += 1;
    counted.policy = policy;
    counted.agents ??= new Set();
    if (counted.agents.size < MAX_AGENTS) counted.agents.add(readAgent(head));
  }

  /** The busiest first, and the sums of all clients. */
  read(): {
    readonly requests: number;
    readonly clientErrors: number;
    readonly clients: readonly ClientCounts[];
  } {
    const [before, window] = [this.#before, this.#window];
    const all = new Map<string, ClientCounts>();
    for (const [client, { agents, asked, votes: _, ...counted }] of [...before.clients, ...window.clients]) {
      const earlier = all.get(client);
      all.set(client, {
        ...counted,
        operation: asked > counted.requests / 2 ? counted.operation : '',
        requests: counted.requests + (earlier?.requests ?? 0),
        misses: counted.misses + (earlier?.misses ?? 0),
        clientErrors: counted.clientErrors + (earlier?.clientErrors ?? 0),
        limited: counted.limited + (earlier?.limited ?? 0),
        policy: counted.policy || (earlier?.policy ?? ''),
        agents: [...new Set([...(agents ?? []), ...(earlier?.agents ?? [])])],
      });
    }
    return {
      requests: before.requests + window.requests,
      clientErrors: before.clientErrors + window.clientErrors,
      clients: [...all.values()].sort((one, other) => other.requests - one.requests),
    };
  }
}

class Window {
  readonly clients = new Map<string, Counted>();
  requests = 0;
  clientErrors = 0;
}

/** Takes the place of the client with the fewest requests, and its number of them. */
function addClient(
  clients: Map<string, Counted>,
  client: string,
  head: RequestHead,
  operation: string,
): Counted {
  const displaced = clients.size < MAX_CLIENTS ? undefined : takeSmallest(clients, (each) => each.requests);
  const requests = displaced?.[1].requests ?? 0;
  const counted: Counted = {
    ...{ client, agent: readAgent(head), operation, requests, misses: 0, clientErrors: 0 },
    ...{ limited: 0, policy: '', agents: null, votes: 0, asked: 0 },
  };
  clients.set(client, counted);
  return counted;
}

/** A part of a header field would keep the whole of it. */
function readAgent({ headers }: RequestHead): string {
  return detachString((fieldValue(headers, 'user-agent') ?? '').slice(0, MAX_AGENT));
}
