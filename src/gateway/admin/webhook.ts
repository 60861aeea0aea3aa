import {
  createWebhookVerifier,
  type WebhookSignatureFault,
} from '../../cache/wordpress/webhook-signature.ts';
import type { Json } from '../../json.ts';
import type { Clock } from '../../ports.ts';
import { type Problem, problemResponse } from '../plan/problem.ts';
import { type AdminOperation, adminResponse } from './admin-router.ts';
import { type PurgeableSite, parseJsonObject } from './purge.ts';
import { readAdminBody } from './request-body.ts';
import { respondForSite } from './sites.ts';

/** A site that may say what has changed. */
export interface WebhookSite extends PurgeableSite {
  /** The secret that it signs with; undefined where it may not. */
  readonly webhook: string | undefined;
}

/** `POST /-/webhook/<site>`: the site itself says which routes were written, signed (examples/wordpress). */
export function webhookOperation(sites: ReadonlyMap<string, WebhookSite>, clock: Clock): AdminOperation {
  const verifiers = new Map(
    [...sites.values()].flatMap((site) =>
      site.webhook === undefined ? [] : [[site, createWebhookVerifier(site.webhook, clock.now)] as const],
    ),
  );
  return {
    method: 'POST',
    path: '/-/webhook/:site',
    access: 'own',
    respond: ({ params, request }) =>
      respondForSite(sites, params['site'], async (site) => {
        const verify = verifiers.get(site);
        if (verify === undefined) return problemResponse(CLOSED);
        const body = await readAdminBody(request);
        if (body === null) return problemResponse(UNREADABLE);
        const fault = await verify({
          timestamp: request.headers.get('x-waygate-timestamp'),
          signature: request.headers.get('x-waygate-signature'),
          body,
        });
        if (fault !== null) return problemResponse(refusal(fault));
        const notice = parseJsonObject(body);
        if (notice === null) return problemResponse(UNREADABLE);
        return adminResponse({ purged: await purgeNoticed(site, notice) });
      }),
  };
}

async function purgeNoticed(
  { caching, runtime: { snapshot } }: PurgeableSite,
  notice: Readonly<Record<string, Json>>,
): Promise<number> {
  if (caching === null || snapshot === null) return 0;
  const changed = routesIn(notice['changed']).map((route) => ({ route, method: 'PUT' }));
  const deleted = routesIn(notice['deleted']).map((route) => ({ route, method: 'DELETE' }));
  return caching.purgeWritten(snapshot, [...changed, ...deleted]);
}

function routesIn(value: Json | undefined): readonly string[] {
  return Array.isArray(value)
    ? value.filter((route) => typeof route === 'string' && route.startsWith('/'))
    : [];
}

const SENTENCES: Readonly<Record<WebhookSignatureFault, string>> = {
  unsigned:
    'Sign the notice: X-Waygate-Timestamp in Unix seconds, X-Waygate-Signature "sha256=" and the HMAC-SHA256 in hex of "<timestamp>.<body>".',
  expired: 'The timestamp is more than five minutes from the clock of the gateway.',
  wrong: 'The signature is not made with the secret of this site.',
  replayed: 'This notice has been taken already.',
  'too-many': 'Too many notices within five minutes.',
};

function refusal(fault: WebhookSignatureFault): Problem {
  const status = fault === 'too-many' ? 429 : fault === 'replayed' ? 409 : 401;
  return { status, code: `gateway_webhook_${fault.replace('-', '_')}`, message: SENTENCES[fault] };
}

const CLOSED: Problem = {
  status: 403,
  code: 'gateway_webhook_closed',
  message: 'No secret is set for this site: "cache": { "webhook": … } in its configuration.',
};

const UNREADABLE: Problem = {
  status: 400,
  code: 'gateway_invalid_notice',
  message: 'A notice is {"changed": ["/wp/v2/posts/12", …], "deleted": […]}.',
};
