import { endsWithin } from '../../base/ports.ts';
import { type OperatedGateway, PURGE_USAGE } from '../../gateway/report/operated-gateway.ts';
import type { OperatedSite } from '../../gateway/report/operated-site.ts';
import { PROBLEMS, type Problem, problemResponse } from '../../gateway/surfaces.ts';
import {
  type AdminApp,
  adminResponse,
  createOperatorCheck,
  forSite,
  readBody,
  readJsonObject,
} from './admin-app.ts';

export function addHealthOperations(app: AdminApp, gateway: OperatedGateway): void {
  app.get('/health', () => adminResponse({ status: 'alive' }));
  const respond = (isOperator: boolean, sites?: readonly OperatedSite[]): Response => {
    const readiness = gateway.readReadiness(isOperator, sites);
    if ('refusal' in readiness) return problemResponse(readiness.refusal);
    const { details } = readiness;
    return adminResponse({ status: 'ready', ...(details.length === 0 ? {} : { details }) });
  };
  const check = createOperatorCheck(gateway);
  const respondForSite = forSite(gateway, (site) => respond(true, [site]));
  app.get(
    '/ready',
    // Probes have no token, and what a proxy adds is not for the gateway.
    (call, next) => (/^Bearer /i.test(call.req.header('authorization') ?? '') ? check(call, next) : next()),
    (call, next) => {
      const isOperator = call.get('isOperator') === true;
      return isOperator && call.req.query('site') !== undefined
        ? respondForSite(call, next)
        : respond(isOperator);
    },
  );
}

/** Milliseconds that an operator waits for a discovery, which then continues as `running`. */
const MAX_WAIT = 100;

/** All operations but health. */
export function addOperations(app: AdminApp, gateway: OperatedGateway): void {
  const { clock, rediscover, reload, sites } = gateway;
  const check = createOperatorCheck(gateway);
  const describeAll = (): object => ({ sites: Array.from(sites.values(), (site) => site.describe()) });
  app.get('/sites', check, () => adminResponse(describeAll()));
  const describeOne = forSite(gateway, (site) => adminResponse(site.describe()));
  app.get('/sites/:site', check, describeOne);
  const describeRules = forSite(gateway, (site) => adminResponse(site.describeValidation()));
  app.get('/sites/:site/validation', check, describeRules);
  app.post('/rediscover', check, async () => {
    if (!(await endsWithin(MAX_WAIT, rediscover(), clock))) return adminResponse(describeAll(), 202);
    return adminResponse(describeAll(), [...sites.values()].some(({ isUnread }) => isUnread) ? 502 : 200);
  });
  if (reload !== undefined) {
    app.post('/reload', check, async () => {
      const result = await reload();
      return 'problems' in result
        ? problemResponse({ ...PROBLEMS.reloadRefused, data: { problems: [...result.problems] } })
        : adminResponse(result);
    });
  }
  const readPurge = readBody(() => problemResponse(USAGE_PROBLEM));
  app.post('/purge', check, readPurge, async (call) => {
    const body = readJsonObject(call);
    if (body === null) return problemResponse(USAGE_PROBLEM);
    call.set('target', JSON.stringify(body));
    const purge = gateway.parsePurge(body);
    if (typeof purge === 'string') return problemResponse({ ...USAGE_PROBLEM, message: purge });
    const isSoft = body['soft'] === true;
    return adminResponse({ purged: await purge(isSoft), mode: isSoft ? 'soft' : 'hard' });
  });
  app.get('/why', check, async (call) => {
    const explained = await gateway.explain((call.req.query('of') ?? '').trim());
    if (typeof explained === 'string')
      return problemResponse({ status: 404, code: 'gateway_not_explained', message: explained });
    const facts = explained.facts.map(({ items = [], name, text }) => ({ name, text, items }));
    return adminResponse({ facts });
  });
  const readMessage = readBody(() => problemResponse(PROBLEMS.invalidMessage));
  const receive = forSite(gateway, async (site, { get, req }) => {
    const message = {
      timestamp: req.header('x-waygate-timestamp') ?? null,
      signature: req.header('x-waygate-signature') ?? null,
      body: get('body'),
    };
    const refusal = await site.receiveMessage(message, get('client').address);
    return refusal === null ? adminResponse({ status: 'ok' }) : problemResponse(refusal);
  });
  app.post('/webhook/:site', readMessage, receive);
  const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' };
  app.get('/metrics', check, async () => new Response(await gateway.readMetrics(), { headers }));
}

const USAGE_PROBLEM: Problem = { status: 400, code: 'gateway_invalid_purge', message: PURGE_USAGE };
