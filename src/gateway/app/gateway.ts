import { Hono } from 'hono';
import { ConfigurationError } from '../../errors.ts';
import type { IncomingRequestHead } from '../../http/request-head.ts';
import { silentLog, systemClock } from '../../ports.ts';
import { toOriginForm } from '../../router/read-head.ts';
import { createFetchTransport } from '../../upstream/fetch-transport.ts';
import { readRequestHeaders } from '../../upstream/request-headers.ts';
import { type ProxyTrust, parseTrustedProxies } from '../../upstream/trusted-proxies.ts';
import { type Admin, createAdmin } from '../admin/admin.ts';
import { healthOperations } from '../admin/health.ts';
import { purgeOperation } from '../admin/purge.ts';
import { createRequestMetrics } from '../admin/request-metrics.ts';
import { metricsOperation } from '../admin/site-metrics.ts';
import { siteOperations } from '../admin/sites.ts';
import { webhookOperation } from '../admin/webhook.ts';
import { createFetchAdapter, headOf } from '../exchange/fetch-adapter.ts';
import type { GatewayOptions } from '../options/gateway-options.ts';
import type { LocalPlan, Plan, RequestAttributes } from '../plan/plan.ts';
import { problemResponse } from '../plan/problem.ts';
import { mountSite } from '../site/mounted-site.ts';
import { createMountTable, mountPath, publicPath } from './mounts.ts';
import { createRequestIds } from './request-ids.ts';
import { createGatewayCache } from './shared-cache.ts';

/** A fault of the gateway's own. What it was is for the log alone. */
const FAILED = {
  status: 500,
  code: 'gateway_failed',
  message: 'The gateway failed to answer. The operator finds the reason in its log.',
};

/** What a server may hand to the app beside the request. */
export interface GatewayBindings {
  /** The plan of this request, where it has been made. */
  readonly plan?: Plan;
}

/** A Hono app, with what a server needs beside `fetch`. */
export interface Gateway extends Hono<{ Bindings: GatewayBindings }> {
  /** Decides what becomes of a request from its head, so that a faster transport than `fetch` can carry it out. */
  plan(head: IncomingRequestHead): Plan;
  /** Begins to read the sites. The first request does so too: call it to be ready before that. */
  start(): void;
  /** Reads all sites now. A site that fails keeps its last good document; this never rejects. */
  rediscover(): Promise<void>;
  /** Whether every site can be served. */
  isReady(): boolean;
  /** Counts an answer for the metrics, by its mount, status and `Cache-Status`. What the app answers, it counts itself. */
  count(mount: string, status: number, cacheStatus: string | undefined): void;
  /** Answers the operations below `/-/`, for a listener of their own. */
  readonly admin: Admin;
  /** Ends the reading of sites; resolves when what is to be kept has been written. */
  stop(): Promise<void>;
}

/**
 * A gateway in front of one or more sites.
 *
 * @example
 * const gateway = createGateway({ sites: [{ url: 'https://example.com' }] });
 * const response = await gateway.request('/wp/v2/posts?per_page=3');
 *
 * @throws ConfigurationError for names that are taken twice or are no path segment, networks that are none, documents that are none
 */
export function createGateway(options: GatewayOptions): Gateway {
  const trust = parseTrustedProxies(options.trust ?? []);
  const log = options.log ?? silentLog;
  const nextId = createRequestIds(options.random ?? Math.random);
  const cache = createGatewayCache(options);
  const sites = new Map(
    options.sites.map((site) => [mountPath(site), mountSite(site, options, { trust, cache })]),
  );
  if (sites.size !== options.sites.length) {
    throw new ConfigurationError('sites: two have the same name, or none; each needs a name of its own');
  }
  const siteAt = createMountTable(sites);

  const notMounted = {
    status: 404,
    code: 'gateway_not_found',
    message: `Nothing is mounted at this address. Sites are mounted at: ${[...sites.keys()].join(', ')}`,
  };

  function planFor(head: IncomingRequestHead, requestId: string): Plan {
    // What is no path at all is for the site's own resolver to refuse, or for nobody.
    const target = toOriginForm(head.target) ?? '/';
    if (target.startsWith('/-/')) {
      return { kind: 'answer', facts: factsOf(head, requestId), respond: publicAdmin };
    }
    const site = siteAt(target);
    if (site !== undefined) return site.plan(head, requestId);
    return { kind: 'answer', facts: factsOf(head, requestId), respond: () => problemResponse(notMounted) };
  }

  const isReady = (): boolean => [...sites.values()].every(({ runtime }) => runtime.snapshot !== null);

  const counts = createRequestMetrics();
  const health = healthOperations(isReady);
  const operations = [
    ...health,
    ...siteOperations(sites, rediscover),
    purgeOperation({ sites, siteAt, publicPath: publicPath(options.publicUrl, '') }),
    webhookOperation(sites, options.clock ?? systemClock),
    metricsOperation(counts, sites, cache?.store ?? null),
  ];
  const admin = createAdmin(operations, options.admin?.token);
  const publicAdmin = options.admin?.elsewhere === true ? createAdmin(health, undefined) : admin;

  async function rediscover(): Promise<void> {
    await Promise.all(Array.from(sites.values(), (site) => site.rediscover()));
  }

  const controls = {
    isReady,
    admin,
    rediscover,
    count: counts.count,
    plan(head: IncomingRequestHead): Plan {
      const requestId = nextId();
      try {
        const plan = planFor(head, requestId);
        return plan.kind === 'proxy' || !trust(head.peer) ? plan : believed(plan, head, trust);
      } catch (error) {
        // Servers plan in the event of a request, where nobody would catch it.
        log.error({ err: error, requestId }, 'the gateway failed');
        return { kind: 'answer', facts: factsOf(head, requestId), respond: () => problemResponse(FAILED) };
      }
    },
    start(): void {
      for (const site of sites.values()) site.start();
    },
    async stop(): Promise<void> {
      await Promise.all(Array.from(sites.values(), (site) => site.stop()));
    },
  };

  const app = new Hono<{ Bindings: GatewayBindings }>();
  const fetch = options.fetch ?? globalThis.fetch;
  const carry = createFetchAdapter(
    options.transport ?? ((origin, timeouts) => createFetchTransport({ origin, fetch, timeouts })),
  );
  app.all('*', async (context) => {
    controls.start();
    const request = context.req.raw;
    // A runtime may give no bindings at all (`app.request(…)`).
    const bindings: GatewayBindings | undefined = context.env;
    const plan = bindings?.plan ?? controls.plan(headOf(request, options.connInfo?.(context)));
    const response = await carry(plan, request);
    counts.count(plan.facts.mount, response.status, response.headers.get('cache-status') ?? undefined);
    return response;
  });
  app.onError((error) => {
    log.error({ err: error }, 'the gateway failed');
    return problemResponse(FAILED);
  });
  return Object.assign(app, controls);
}

/** Of what belongs to no site. */
function factsOf({ peer }: IncomingRequestHead, requestId: string): RequestAttributes {
  return { requestId, client: peer, mount: '', route: null, operation: null };
}

/** The plan of an answer of the gateway's own, with the caller behind a trusted proxy as its client. */
function believed(plan: LocalPlan, head: IncomingRequestHead, trust: ProxyTrust): LocalPlan {
  const fields = readRequestHeaders(head, trust);
  if (fields.kind === 'refused') return plan;
  return { ...plan, facts: { ...plan.facts, client: fields.client.address } };
}
