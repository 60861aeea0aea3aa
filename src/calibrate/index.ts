import { parseSiteUrl, routeUrl } from '../discovery/address.ts';
import { createDiscoveryHeaders } from '../discovery/client.ts';
import { type DiscoverOptions, discover } from '../discovery/index.ts';
import { ConfigurationError } from '../errors.ts';
import { dereference } from '../openapi/document-references.ts';
import {
  DEFAULT_MAX_DOCUMENT_BYTES,
  type OpenApiDocument,
  readServedApi,
  type ServedApi,
  toOpenApi,
} from '../openapi/index.ts';
import { type Clock, type Log, type StateStore, silentLog } from '../ports.ts';
import { OperationMatcher } from '../router/matcher.ts';
import { SiteStates } from '../state.ts';
import { runSteps } from '../steps.ts';
import { Ledger } from '../validation/evidence/ledger.ts';
import type { ResolveReference } from '../validation/wordpress/schema.ts';
import { Calibration, type RuleFinding } from './calibration.ts';
import { ProbeClient } from './probe-client.ts';
import { listDefinitions } from './probes.ts';

export type { OpenReason, RuleFinding } from './calibration.ts';

interface CalibrateOptions extends DiscoverOptions {
  /**
   * Methods that are probed. `all` sends requests that write: the site executes those whose violation it accepts, so use a
   * copy of the site.
   * @default 'get'
   */
  readonly methods?: 'get' | 'all' | undefined;
  /** Requests per second. @default 10 */
  readonly rate?: number | undefined;
  /**
   * Where the evidence is stored and continued, in the format of the gateway's option `state`.
   * @default the evidence is not stored
   */
  readonly state?: StateStore | undefined;
  /** Name of the site in the gateway's configuration. @default the site without a name */
  readonly name?: string | undefined;
  /**
   * URL of the site that the evidence is stored for, as in the gateway's configuration, where `url` is that of a copy.
   * @default `url`
   */
  readonly evidenceFor?: string | undefined;
  /** Ends the calibration early. The evidence so far is stored. @default none */
  readonly interrupt?: AbortSignal | undefined;
  /** Receives warnings about stored evidence that is unusable. @default no logging */
  readonly log?: Log | undefined;
  /** @default the clock of the platform */
  readonly clock?: Clock | undefined;
}

export interface CalibrationReport {
  readonly format: 1;
  readonly site: string;
  /** Number of requests, besides those that read the index. */
  readonly requests: number;
  readonly definitions: number;
  /** Number of these that had no unknown rule. */
  readonly known: number;
  readonly findings: readonly RuleFinding[];
  /** Why the calibration ended early; absent if it was complete. */
  readonly stopped?: 'interrupted' | 'unreachable';
}

const DEFAULT_RATE = 10;
/** Number of definitions that are probed at the same time. */
const CONCURRENCY = 3;
/** Number of requests in a row without a response after which a calibration ends. */
const MAX_UNREACHABLE = 5;

/** Milliseconds between two writes of the evidence so far. */
const SAVE_INTERVAL = 2_000;

/** Keeps the process alive while a request waits, unlike `systemClock`. */
const waitingClock: Clock = {
  now: () => Date.now(),
  after(delay, task) {
    const timer = setTimeout(task, delay);
    return () => clearTimeout(timer);
  },
};

/**
 * Finds out which rules of a site's arguments the site applies: sends requests that each violate exactly one rule, and
 * compares the site's responses.
 *
 * @param url any URL of the site, as in the configuration of the gateway
 * @throws {DiscoveryError} when the site cannot be read
 * @throws {ConfigurationError} when an option is invalid
 */
export async function calibrate(url: string, options: CalibrateOptions = {}): Promise<CalibrationReport> {
  const { rate = DEFAULT_RATE } = options;
  if (!(rate > 0)) throw new ConfigurationError(`rate is ${rate}; it must be a number above 0.`);
  const site = await discover(url, options);
  const { maxDocumentBytes = DEFAULT_MAX_DOCUMENT_BYTES } = options;
  const generated = toOpenApi(site, { maxDocumentBytes });
  const document: OpenApiDocument = JSON.parse(JSON.stringify(generated.document));
  const api = runSteps(readServedApi(document));
  const resolve: ResolveReference = (reference) => dereference({ $ref: reference }, document);
  const { clock = waitingClock, evidenceFor = url, log = silentLog, name, state } = options;
  const states = new SiteStates(state, name, evidenceFor, clock, log);
  const ledger = new Ledger();
  await states.load('calibration', (content) => ledger.restore(content, 'calibration'));
  await states.consult('validation', (content) => ledger.restore(content, 'traffic'));
  const routes = new Map(api.routes.map((route) => [route.pattern, route]));
  ledger.retainDeclared(({ method, route: pattern }) => {
    const route = routes.get(pattern);
    const operation = route?.operations.get(method);
    return route && operation && { route, operation };
  }, resolve);
  const client = createClient(url, api, rate, options);
  const matcher = runSteps(OperationMatcher.create(api));
  const definitions = listDefinitions(api, options.methods ?? 'get', ledger, matcher, resolve);
  let [savedAt, savedRequests] = [clock.now(), 0];
  let writing: Promise<void> = Promise.resolve();
  const save = (): Promise<void> => {
    if (client.sent > savedRequests)
      writing = writing.then(() => states.write('calibration', ledger.toRecords('calibration')));
    [savedAt, savedRequests] = [clock.now(), client.sent];
    return writing;
  };
  const calibration = new Calibration(client);
  const findings: RuleFinding[] = [];
  let known = 0;
  let done = 0;
  const waiting = [...definitions];
  const isStopped = (): boolean =>
    options.interrupt?.aborted === true || client.unreachableStreak >= MAX_UNREACHABLE;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && !isStopped(); next = waiting.shift()) {
      const found = await calibration.probeDefinition(next);
      if (found.length === 0) known += 1;
      findings.push(...found);
      done += 1;
      options.onProgress?.({ step: 'probes', done, total: definitions.length });
      if (clock.now() - savedAt >= SAVE_INTERVAL) await save();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  await save();
  const stopped =
    client.unreachableStreak >= MAX_UNREACHABLE ? 'unreachable' : isStopped() ? 'interrupted' : undefined;
  return {
    format: 1,
    site: api.address.base,
    requests: client.sent,
    definitions: definitions.length,
    known,
    findings: findings.filter(({ reason }) => reason !== 'interrupted'),
    ...(stopped === undefined ? {} : { stopped }),
  };
}

function createClient(url: string, api: ServedApi, rate: number, options: CalibrateOptions): ProbeClient {
  const { auth, clock = waitingClock, fetch = globalThis.fetch, headers = {}, interrupt } = options;
  const { publicHeaders, secretHeaders } = createDiscoveryHeaders(auth ?? parseSiteUrl(url).auth, headers);
  // As in discovery, credentials are sent to the origin of the given address only.
  const isSameOrigin = new URL(api.address.root).origin === parseSiteUrl(url).url.origin;
  return new ProbeClient({
    toUrl: (path, query) => routeUrl(api.address, path, query),
    headers: [...publicHeaders, ...(isSameOrigin ? secretHeaders : [])],
    fetch,
    clock,
    rate,
    signal: interrupt ?? new AbortController().signal,
  });
}
