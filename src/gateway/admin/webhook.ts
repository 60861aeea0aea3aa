import { createWebhookVerifier } from '../../cache/wordpress/webhook-signature.ts';
import { type Json, type JsonObject, jsonItems } from '../../json.ts';
import type { Clock } from '../../ports.ts';
import { problemResponse } from '../exchange/problem.ts';
import PROBLEMS from '../exchange/problems.json' with { type: 'json' };
import type { MountedSite } from '../mounted-site.ts';
import {
  type AdminOperation,
  adminResponse,
  operation,
  parseJsonObject,
  readAdminBody,
} from './admin-handler.ts';
import { type MountedSites, respondForSite } from './site-operations.ts';

/** `POST /-/webhook/<site>`: a signed notice by the site of the routes that were written (examples/wordpress). */
export function createWebhookOperation(sites: MountedSites, clock: Clock): AdminOperation {
  const verifiers = new Map(
    [...sites.values()].flatMap((site) =>
      site.webhookSecret === undefined
        ? []
        : [[site, createWebhookVerifier(site.webhookSecret, clock.now)] as const],
    ),
  );
  return operation('POST', '/-/webhook/:site', 'signature', ({ params, request }) =>
    respondForSite(sites, params['site'], async (site) => {
      const verify = verifiers.get(site);
      if (verify === undefined) return problemResponse(PROBLEMS.webhookClosed);
      const body = await readAdminBody(request);
      if (body === null) return problemResponse(PROBLEMS.invalidNotice);
      const fault = await verify({
        timestamp: request.headers.get('x-waygate-timestamp'),
        signature: request.headers.get('x-waygate-signature'),
        body,
      });
      if (fault !== null) return problemResponse(PROBLEMS.webhookFaults[fault]);
      const notice = parseJsonObject(body);
      if (notice === null) return problemResponse(PROBLEMS.invalidNotice);
      return adminResponse({ purged: await purgeChangedRoutes(site, notice) });
    }),
  );
}

async function purgeChangedRoutes(
  { caching, runtime: { snapshot } }: MountedSite,
  notice: JsonObject,
): Promise<number> {
  if (caching === null || snapshot === null) return 0;
  const changed = parseRoutes(notice['changed']).map((route) => ({ route, method: 'PUT' }));
  const deleted = parseRoutes(notice['deleted']).map((route) => ({ route, method: 'DELETE' }));
  return caching.invalidateRoutes(snapshot, [...changed, ...deleted]);
}

function parseRoutes(value: Json | undefined): readonly string[] {
  return jsonItems(value).filter(
    (route): route is string => typeof route === 'string' && route.startsWith('/'),
  );
}
