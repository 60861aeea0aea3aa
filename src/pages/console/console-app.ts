import { type Handler, Hono } from 'hono';
import type { IncomingRequestHead } from '../../base/http/exchange.ts';
import { prefersHtml } from '../../base/http/fields.ts';
import { type Problem, problemResponse } from '../../gateway/exchange/problem.ts';
import { readAlerts } from '../../gateway/report/remarks.ts';
import { TokenAttempts } from '../../gateway/site/limiting/site-limits.ts';
import type { SharedParts } from '../../gateway/site/mounted-site.ts';
import { toPublicPath } from '../../gateway/site/settings.ts';
import type { OperatedGateway, Operations } from '../../gateway/surfaces.ts';
import { nameNetwork } from '../../gateway/upstream/networks.ts';
import {
  RequestHeaders,
  type TrustedProxyCheck,
  toPublicAddress,
} from '../../gateway/upstream/request-headers.ts';
import {
  type AdminApp,
  type AdminClient,
  type AdminEnv,
  addHealthOperations,
  addSiteOperations,
  adminResponse,
  createAdminApp,
  createAdminHandler,
  createOperatorCheck,
  readBody,
} from '../admin/admin-app.ts';
import { addMetricsOperation } from '../admin/metrics.ts';
import { addPurgeOperation, addWebhookOperation } from '../admin/purge.ts';
import { findAsset, loadDocsAssets, respondWithAsset } from '../ui/packaged-assets.ts';
import type { Console, ConsoleHandler } from './console.tsx';
import type { ConsoleContext } from './layout.tsx';

export function createOperations(
  parts: SharedParts,
  { findSite, rediscover, sites }: OperatedGateway,
): Operations {
  const { clock, log, options, trust } = parts;
  const { alerts = {}, listLogLines = () => [], token } = options.admin ?? {};
  const attempts = new TokenAttempts(clock);
  const context: ConsoleContext = {
    ...parts,
    ...{ findSite, sites, token, attempts },
    publicPath: toPublicPath(options.publicUrl, ''),
    ...{ alerts: readAlerts(alerts), listLogLines },
    readClient: createClientReader(options.publicUrl, trust),
    trust,
  };
  const addHealth = (app: AdminApp): void => addHealthOperations(app, parts, sites);
  const addOperations = (app: AdminApp): void => {
    addHealth(app);
    addSiteOperations(app, { ...context, rediscover, reload: options.admin?.reload });
    addPurgeOperation(app, context);
    addWhyOperation(app, context);
    addWebhookOperation(app, sites, clock, log);
    addMetricsOperation(app, { ...context, ...parts });
  };
  const app = createAdminApp(context, addOperations, (own) => addConsole(own, context));
  const publicApp = options.admin?.port !== undefined ? createAdminApp(context, addHealth) : app;
  return { admin: createAdminHandler(app), publicAdmin: createAdminHandler(publicApp) };
}

function addConsole(admin: AdminApp, context: ConsoleContext): void {
  let loading: Promise<Console> | undefined;
  const load = (): Promise<Console> => {
    loading ??= Promise.all([import('./console.tsx'), loadDocsAssets()]).then(
      ([module, assets]) => new module.Console(context, assets),
    );
    return loading;
  };
  const run = (name: ConsoleHandler): Handler<AdminEnv> => {
    return async (call) => (await load())[name](call);
  };

  const app: AdminApp = new Hono();
  app.get('/assets/:name', async ({ get, req }, next) => {
    const asset = await findAsset(req.param('name'));
    return asset === undefined ? next() : respondWithAsset(asset, get('head'));
  });
  app.use(async (call, next) => (await load()).secure(call, next));
  if (context.token === undefined || context.token === '')
    app.all('*', async (call) => (await load()).refuseAll(call));
  app.post(
    '*',
    readBody(() => problemResponse(FORM_TOO_LONG)),
  );
  app.get('/sign-in', run('showSignIn')).post(run('signIn'));
  for (const path of ['/', '/sites/:site/:tab', '*']) app.get(path, run('show'));
  app.post('*', run('act'));

  const redirect = () => new Response(null, { status: 303, headers: ENTRANCE_HEADERS });
  admin.get('/console', redirect);
  admin.get('/', (call, next) => (prefersHtml(call.get('head').headers) ? redirect() : next()));
  admin.route('/console/', app);
}

const FORM_TOO_LONG: Problem = {
  status: 413,
  code: 'gateway_body_too_large',
  message: 'The form is too long. Nothing was changed.',
};

/** `/-/console/`, seen from `/-/` and from `/-/console`, below any prefix of a proxy. */
const ENTRANCE_HEADERS: Readonly<Record<string, string>> = {
  location: './console/',
  'cache-control': 'no-store',
  vary: 'Accept',
};

function createClientReader(
  publicUrl: string | undefined,
  trust: TrustedProxyCheck,
): (head: IncomingRequestHead) => AdminClient {
  const publicAddress = publicUrl === undefined ? undefined : toPublicAddress(publicUrl);
  return (head) => {
    const { client, refusal } = new RequestHeaders(head, trust);
    const { address } = client;
    const { protocol } = refusal !== null ? head : (publicAddress ?? client);
    return { address, protocol, network: nameNetwork(address) };
  };
}

function addWhyOperation(app: AdminApp, context: ConsoleContext): void {
  app.get('/why', createOperatorCheck(context), async (call) => {
    const { explain } = await import('../../gateway/report/explain.ts');
    const [site] = context.sites.values();
    const subject = (call.req.query('of') ?? '').trim();
    const explained = site === undefined ? 'No site is mounted.' : await explain(context, site, subject);
    if (typeof explained === 'string')
      return problemResponse({ status: 404, code: 'gateway_not_explained', message: explained });
    const facts = explained.facts.map(({ items = [], name, text }) => ({ name, text, items }));
    return adminResponse({ facts });
  });
}
