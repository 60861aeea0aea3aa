import type { Clock, Log } from '../../base/ports.ts';
import { PROBLEMS, type Problem, problemResponse, WEBHOOK_FAULTS } from '../../gateway/exchange/problem.ts';
import { type PurgeTargets, parsePurge, USAGE } from '../../gateway/report/purge-selection.ts';
import { TokenAttempts } from '../../gateway/site/limiting/site-limits.ts';
import type { MountedSite } from '../../gateway/site/mounted-site.ts';
import { createWebhookVerifier, type WebhookSignatureFault } from '../../gateway/wordpress/site-fields.ts';
import {
  type AdminApp,
  type AdminContext,
  adminResponse,
  createOperatorCheck,
  forSite,
  type MountedSites,
  readBody,
  readJsonObject,
} from './admin-app.ts';

const USAGE_PROBLEM: Problem = { status: 400, code: 'gateway_invalid_purge', message: USAGE };

export function addPurgeOperation(app: AdminApp, context: AdminContext & PurgeTargets): void {
  const read = readBody(() => problemResponse(USAGE_PROBLEM));
  app.post('/purge', createOperatorCheck(context), read, async (call) => {
    const body = readJsonObject(call);
    if (body === null) return problemResponse(USAGE_PROBLEM);
    call.set('target', JSON.stringify(body));
    const purge = parsePurge(body, context);
    if (typeof purge === 'string') return problemResponse({ ...USAGE_PROBLEM, message: purge });
    const isSoft = body['soft'] === true;
    return adminResponse({ purged: await purge(isSoft), mode: isSoft ? 'soft' : 'hard' });
  });
}

const LOG_INTERVAL = 60_000;

/** `POST /-/webhook/<site>`: a signed message of waygate.php about changes. */
export function addWebhookOperation(app: AdminApp, sites: MountedSites, clock: Clock, log: Log): void {
  /** Anybody can send messages, so a site's faults are logged at intervals. */
  const logged = new Map<string, number>();
  const noteFault = (site: MountedSite, fault: WebhookSignatureFault): void => {
    const key = `${site.settings.name} ${fault}`;
    site.recorder.traffic.addCount('webhooks', fault);
    if (clock.now() - (logged.get(key) ?? 0) < LOG_INTERVAL) return;
    logged.set(key, clock.now());
    log.warn(
      { site: site.settings.name, fault },
      `a message of waygate.php was refused: ${WEBHOOK_FAULTS[fault].message}`,
    );
  };
  const webhooks = new Map(
    [...sites.values()].flatMap((site) => {
      const { cache } = site.settings.options;
      if (cache === 'off' || cache?.webhook === undefined) return [];
      const verify = createWebhookVerifier(cache.webhook, clock.now);
      return [[site, { verify, attempts: new TokenAttempts(clock) }] as const];
    }),
  );
  const respond = forSite(sites, async (site, call) => {
    const webhook = webhooks.get(site);
    if (webhook === undefined) return problemResponse(PROBLEMS.webhookClosed);
    const fault = webhook.verify({
      timestamp: call.req.header('x-waygate-timestamp') ?? null,
      signature: call.req.header('x-waygate-signature') ?? null,
      body: call.get('body'),
    });
    if (fault !== null) noteFault(site, fault);
    const { network } = call.get('client');
    const refusal = webhook.attempts.check(network, fault !== 'wrong', WEBHOOK_FAULTS.wrong);
    if (refusal !== null) return problemResponse(refusal);
    if (fault !== null) return problemResponse(WEBHOOK_FAULTS[fault]);
    const message = readJsonObject(call);
    if (message === null) return problemResponse(PROBLEMS.invalidMessage);
    const { caching, runtime } = site;
    const { snapshot } = runtime;
    const isValid =
      snapshot === null || (await caching?.siteTags?.receiveMessage(snapshot, message)) !== false;
    return isValid ? adminResponse({ status: 'ok' }) : problemResponse(PROBLEMS.invalidMessage);
  });
  app.post(
    '/webhook/:site',
    readBody(() => problemResponse(PROBLEMS.invalidMessage)),
    respond,
  );
}
