import {
  PURGE_EVERYTHING,
  purgeNames,
  readCloudflarePurge,
  readPurgeRequest,
  type SitePurge,
} from '../../cache/dependencies/site-tags.ts';
import { fieldValue } from '../../http/fields.ts';
import { type JsonObject, jsonItems } from '../../json.ts';
import { READ_TO_PURGE } from '../caching/site-tags.ts';
import { PROBLEMS, problemResponse } from '../exchange/problem.ts';
import type { ReceivedRequest } from '../gateway-request.ts';
import type { MountedSite } from '../mounted-site.ts';
import { type AdminApp, adminResponse, limitBody, readJsonObject } from './admin-app.ts';
import { forSite, type MountedSites } from './site-operations.ts';

/** The purges that plugins of a site request, as of Varnish, nginx, Fastly and Cloudflare. */

/** Fields in which senders have their secret: Fastly; Cloudflare with a token, and with a key; o2switch and Varnish Caching. */
const SECRET_FIELDS = ['fastly-key', 'x-auth-key', 'x-vc-purge-key', 'x-purge-key'] as const;

function listSecrets(headers: readonly string[]): readonly string[] {
  const bearer = /^Bearer +(\S+) *$/i.exec(fieldValue(headers, 'authorization') ?? '')?.[1];
  return [bearer, ...SECRET_FIELDS.map((name) => fieldValue(headers, name))].filter(
    (secret) => secret !== undefined,
  );
}

/** Responds to a `PURGE` or `BAN` request for an address of a site, or to a read of Nginx Helper. */
export async function respondToPurge(
  site: MountedSite,
  { fields, head }: ReceivedRequest,
): Promise<Response> {
  const { headers, method, target } = head;
  const { mountPath } = site;
  const isRead = method === 'GET';
  const ofRead = target.slice(mountPath.length + READ_TO_PURGE.length) || '/';
  const purged = isRead ? mountPath + ofRead : target;
  const purge = (): SitePurge | string => readPurgeRequest(method, purged, headers);
  return runPurge(site, fields.client.address, headers, purge, `${method} ${target.slice(0, 200)}`);
}

/**
 * @param read reads the purge of a sender that may purge; a text says what is wrong
 * @param result content of the response if it is purged
 */
async function runPurge(
  { caching, runtime: { snapshot } }: MountedSite,
  address: string,
  headers: readonly string[],
  read: () => SitePurge | string,
  what: string,
  result: JsonObject = { status: 'ok' },
): Promise<Response> {
  const siteTags = caching?.siteTags ?? null;
  if (siteTags === null) return problemResponse(PROBLEMS.purgesClosed);
  if (!(await siteTags.maySend(address, listSecrets(headers)))) return problemResponse(PROBLEMS.purgeRefused);
  const purge = read();
  if (typeof purge === 'string') return problemResponse({ ...PROBLEMS.invalidSitePurge, message: purge });
  if (snapshot !== null) await siteTags.purge(snapshot, purge, what);
  return adminResponse(result);
}

/** `POST /-/purges/<site>/…`: the paths of the APIs of Fastly and of Cloudflare that purge. */
export function addSitePurgeOperations(app: AdminApp, sites: MountedSites): void {
  const respond = forSite(sites, async (site, call) => {
    const { path, raw } = call.req;
    const headers = [...raw.headers].flat();
    const body = (await readJsonObject(call)) ?? {};
    const [, fastly] = /\/service\/[\w-]{1,64}\/(purge_all|purge(?:\/[^/]{1,1024})?)$/.exec(path) ?? [];
    const [, zone] = /\/zones\/([\w-]{1,64})\/purge_cache$/.exec(path) ?? [];
    const read = (): SitePurge | string => {
      if (fastly !== undefined) return readFastlyPurge(fastly, headers, body);
      return zone === undefined
        ? 'No purge of Fastly or Cloudflare has this path.'
        : readCloudflarePurge(body);
    };
    const result =
      zone === undefined ? undefined : { success: true, errors: [], messages: [], result: { id: zone } };
    return runPurge(site, call.get('client').address, headers, read, `${raw.method} ${path}`, result);
  });
  app.on(['POST', 'DELETE'], '/purges/:site/*', limitBody(PROBLEMS.invalidSitePurge), respond);
}

/** @param operation the end of the path: `purge_all`, `purge` or `purge/<key>` */
function readFastlyPurge(
  operation: string,
  headers: readonly string[],
  body: JsonObject,
): SitePurge | string {
  const isSoft = fieldValue(headers, 'fastly-soft-purge') === '1';
  if (operation === 'purge_all') return { ...PURGE_EVERYTHING, isSoft };
  const [, key] = operation.split('/');
  const named = key === undefined ? jsonItems(body['surrogate_keys']) : [key];
  const names = [...(fieldValue(headers, 'surrogate-key') ?? '').split(/\s+/), ...named].filter(
    (name): name is string => typeof name === 'string' && name !== '',
  );
  return names.length === 0 ? 'Name the tags in Surrogate-Key.' : purgeNames(names, isSoft);
}
