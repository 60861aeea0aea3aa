import type { Handler } from 'hono';
import { DiscoveryError } from '../../base/errors.ts';
import { endsWithin } from '../../base/ports.ts';
import type { CacheStore, SharedStoreState } from '../../gateway/cache/store.ts';
import { PROBLEMS, type Problem, problemResponse } from '../../gateway/exchange/problem.ts';
import { type Alerts, findUnreachableSince, isFault, readSiteState } from '../../gateway/report/remarks.ts';
import type { MountedSite } from '../../gateway/site/mounted-site.ts';
import type { AdminOptions } from '../../gateway/site/settings.ts';
import type { SharedParts } from '../../gateway/site/shared-parts.ts';
import {
  type AdminApp,
  type AdminCall,
  type AdminContext,
  type AdminEnv,
  adminResponse,
  createOperatorCheck,
} from './admin-app.ts';

export type MountedSites = ReadonlyMap<string, MountedSite>;

export function forSite(
  sites: MountedSites,
  respond: (site: MountedSite, call: AdminCall) => Response | Promise<Response>,
): Handler<AdminEnv> {
  return (call) => {
    const site = sites.get(call.req.param('site') ?? '');
    if (site !== undefined) return respond(site, call);
    const names = call.get('isOperator') ? ` Sites: ${[...sites.keys()].join(', ')}` : '';
    const message = `No site of this name is mounted.${names}`;
    return problemResponse({ status: 404, code: 'gateway_not_found', message });
  };
}

export interface SiteOperationsContext extends AdminContext, Pick<SharedParts, 'cache' | 'clock'> {
  readonly sites: MountedSites;
  readonly alerts: Alerts;
  readonly rediscover: () => Promise<void>;
  readonly reload: AdminOptions['reload'];
}

export function addHealthOperations(app: AdminApp, { cache, drain }: SharedParts, sites: MountedSites): void {
  app.get('/health', () => adminResponse({ status: 'alive' }));
  app.get('/ready', () => {
    if (drain.isDraining) return problemResponse(PROBLEMS.draining);
    const unread = [...sites.values()].filter(({ runtime }) => !runtime.isReady);
    if (unread.length > 0) return problemResponse(createNotReadyProblem(unread));
    const ofStore = cache === null ? null : describeSharedStore(cache.store);
    const details = [
      ...[...sites.values()].flatMap((site) => listReadinessDetails(site)),
      ...(ofStore === null ? [] : [ofStore]),
    ];
    return adminResponse({ status: 'ready', ...(details.length === 0 ? {} : { details }) });
  });
}

function listReadinessDetails(site: MountedSite): readonly object[] {
  const { failureSummary, snapshot } = site.runtime;
  const key = site.settings.name;
  const isProvisional = snapshot?.isProvisional === true;
  const circuit = site.circuits?.report();
  const since = findUnreachableSince(site);
  const messages = {
    'no-document': isProvisional && `${failureSummary ?? 'The site has not been read.'} ${PROVISIONAL}`,
    'state-unwritten': site.isStateFailing && STATE_MESSAGE,
    'not-read': !isProvisional && failureSummary && `The last discovery failed: ${failureSummary}`,
    unreachable: since !== null && `No connection to the site could be opened since ${toIso(since)}.`,
    'circuit-open':
      circuit?.reason && `The circuit breaker holds back requests to the site: ${circuit.reason}.`,
  };
  return Object.entries(messages).flatMap(([state, message]) =>
    message ? [{ site: key, state, message }] : [],
  );
}

export function describeSharedStore(
  store: CacheStore,
): { readonly state: string; readonly message: string } | null {
  const { remedy = null, state = 'connected' } = store.report().shared ?? {};
  if (state === 'connected') return null;
  const message = SHARED_STORE_MESSAGES[state] + (remedy === null ? '' : ` ${remedy}`);
  return { state: `cache-${state}`, message };
}

const SHARED_STORE_MESSAGES: Readonly<Record<Exclude<SharedStoreState, 'connected'>, string>> = {
  full: 'The shared cache store takes no new responses. What it has is served.',
  bypassed: 'The shared cache store cannot be used. Responses come from the sites.',
};

const STATE_MESSAGE =
  'The state of the site cannot be written, e.g. because the disk is full. A restart would lose it.';

const PROVISIONAL = 'Until it is read, requests are forwarded, and nothing is validated or stored.';

/** Everyone can read the reasons, so they contain no address and nothing that a site sent. */
function createNotReadyProblem(unread: readonly MountedSite[]): Problem {
  const reasons = unread.map(
    (site) => `${site.settings.name}: ${site.runtime.failureSummary ?? 'The site has not been read yet.'}`,
  );
  return {
    status: 503,
    code: 'gateway_not_ready',
    message: `A site cannot be served yet. ${reasons.join(' ')}`,
    headers: { 'retry-after': '1' },
  };
}

/** Milliseconds that an operator waits for a discovery, which then continues as `running`. */
const MAX_WAIT = 100;

export function addSiteOperations(app: AdminApp, context: SiteOperationsContext): void {
  const { clock, rediscover, reload, sites } = context;
  const check = createOperatorCheck(context);
  const describeAll = (): readonly object[] =>
    Array.from(sites.values(), (site) => describeSite(site, context));
  app.get('/sites', check, () => adminResponse({ sites: describeAll() }));
  const describeOne = forSite(sites, (site) => adminResponse(describeSite(site, context)));
  app.get('/sites/:site', check, describeOne);
  const describeRules = forSite(sites, (site) =>
    adminResponse({ site: site.settings.name, ...site.validation.createReport() }),
  );
  app.get('/sites/:site/validation', check, describeRules);
  app.post('/rediscover', check, async () => {
    if (!(await endsWithin(MAX_WAIT, rediscover(), clock)))
      return adminResponse({ sites: describeAll() }, 202);
    const hasFailed = [...sites.values()].some(({ runtime }) => runtime.lastDiscoveryError !== null);
    return adminResponse({ sites: describeAll() }, hasFailed ? 502 : 200);
  });
  if (reload !== undefined) {
    app.post('/reload', check, async () => {
      const result = await reload();
      return 'problems' in result
        ? problemResponse({ ...PROBLEMS.reloadRefused, data: { problems: [...result.problems] } })
        : adminResponse(result);
    });
  }
}

const toIso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

function describeSite(site: MountedSite, context: SiteOperationsContext): object {
  const { circuits, concurrency, runtime } = site;
  const { hosts, mountPath, name, url } = site.settings;
  const circuit = circuits?.report() ?? null;
  const state = readSiteState(site, context);
  const { lastDiscoveryError, lastDiscoveredAt, snapshot } = runtime.known;
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
      remarks: state.remarks.map(({ remedy, text }) => ({ text, remedy })),
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
