import { type Handler, Hono } from 'hono';
import { prefersHtml } from '../../base/http/fields.ts';
import type { OperatedGateway } from '../../gateway/report/operated-gateway.ts';
import { type Operations, type Problem, problemResponse } from '../../gateway/surfaces.ts';
import {
  type AdminApp,
  type AdminEnv,
  createAdminApp,
  createAdminHandler,
  readBody,
} from '../admin/admin-app.ts';
import { addHealthOperations, addOperations } from '../admin/operations.ts';
import { findAsset, loadDocsAssets, respondWithAsset } from '../ui/packaged-assets.ts';
import type { Console, ConsoleHandler } from './console.tsx';

export function createOperations(gateway: OperatedGateway): Operations {
  const addHealth = (app: AdminApp): void => addHealthOperations(app, gateway);
  const addAll = (app: AdminApp): void => {
    addHealth(app);
    addOperations(app, gateway);
  };
  const app = createAdminApp(gateway, addAll, (own) => addConsole(own, gateway));
  const publicApp = gateway.hasOwnPort ? createAdminApp(gateway, addHealth) : app;
  return { admin: createAdminHandler(app), publicAdmin: createAdminHandler(publicApp) };
}

function addConsole(admin: AdminApp, gateway: OperatedGateway): void {
  let loading: Promise<Console> | undefined;
  const load = (): Promise<Console> => {
    loading ??= Promise.all([import('./console.tsx'), loadDocsAssets()]).then(
      ([module, assets]) => new module.Console(gateway, assets),
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
  if (gateway.token === '') app.all('*', async (call) => (await load()).refuseAll(call));
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
