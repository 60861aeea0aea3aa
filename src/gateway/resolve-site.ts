import { fieldValue, type IncomingRequestHead, SAFE_METHODS } from '../base/http/message.ts';
import { PROBLEMS, type Problem } from './exchange/problem.ts';
import type { ReceivedRequest } from './gateway-request.ts';
import type { CallApp } from './incoming-request.ts';
import { OwnAnswer, refuse } from './reply.ts';
import { METADATA_PATH, OWN_FOLDER, TARGET_REFUSALS } from './router/target.ts';
import type { HostLookup } from './site/hosts.ts';
import type { MountedSite } from './site/mounted-site.ts';
import type { SharedParts } from './site/shared-parts.ts';
import type { AdminHandler, Surfaces } from './surfaces.ts';
import type { RequestHeaders } from './upstream/request-headers.ts';

export interface RequestContext {
  readonly parts: SharedParts;
  readonly sites: ReadonlyMap<string, MountedSite>;
  readonly findSite: (target: string) => MountedSite | undefined;
  /** `undefined` if all hosts lead to the sites by path. */
  readonly hosts: HostLookup<MountedSite> | undefined;
  readonly nextRequestId: () => string;
  /** That of the gateway which has taken the place of this one; itself if none has. */
  readonly findLatest: () => RequestContext;
  readonly surfaces: Surfaces;
  readonly publicAdmin: AdminHandler;
  /** Unlike a server, records nothing. @param callApp the app that got the agent's message */
  readonly respondToAgent: (
    head: IncomingRequestHead,
    init: RequestInit,
    callApp: CallApp | null,
  ) => Promise<Response>;
  readonly waitForAgents: () => Promise<void>;
}

/** A trusted proxy's id: a gateway's, or one as long as nginx's and UUIDs. */
export const REQUEST_ID: RegExp = /^(?:[0-9a-z]{6}-[0-9a-z]{1,12}|[\w-]{16,64})$/;

/** Ids of a random part and a counter. They are predictable, so no secrets. */
export function createRequestIds(random: () => number): () => string {
  const instance = Math.floor(random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0');
  let count = 0;
  return () => {
    count += 1;
    return `${instance}-${count.toString(36)}`;
  };
}

/** `/-/` is the gateway's. */
export function resolveSite(context: RequestContext, received: ReceivedRequest): MountedSite | OwnAnswer {
  const { fields, head } = received;
  const { method, target } = head;
  if (method === 'TRACE') return refuse(received, PROBLEMS.noTrace);
  if (fields.hasConnectionFields && isWebSocketHandshake(head)) return refuse(received, PROBLEMS.noWebSocket);
  // Probes reach the operations by the gateway's address too.
  const site = findRequestedSite(context, head, fields);
  if (target.startsWith(OWN_FOLDER) && site?.ownsTarget(target) !== true) {
    return new OwnAnswer(received, (request) => context.publicAdmin(request.toFetch(), head));
  }
  if (site === null) return redirectToPublicUrl(context, received) ?? refuse(received, PROBLEMS.misdirected);
  const { address } = fields.client;
  // A client without access learns nothing of the CORS policy.
  if (site?.access.clients?.(address) === false)
    return refuse(received, PROBLEMS.accessDenied, site, null, true, null);
  if (!target.startsWith('/')) return refuse(received, TARGET_REFUSALS['target-form']);
  if (site !== undefined) return site;
  // The hosts of other sites are not revealed.
  const byPath = [...context.sites.values()].filter(({ settings }) => settings.hosts.length === 0);
  return refuse(received, createNotMountedProblem(byPath));
}

/** Other offers, such as `h2c` with each request, are ignored (RFC 9110 §7.8). */
function isWebSocketHandshake({ headers, method }: IncomingRequestHead): boolean {
  return method === 'GET' && /\bwebsocket\b/i.test(fieldValue(headers, 'upgrade') ?? '');
}

/** `null` if the gateway does not serve the host, `undefined` if no site is at the path. */
export function findRequestedSite(
  { findSite, hosts }: RequestContext,
  { target }: IncomingRequestHead,
  { client }: RequestHeaders,
): MountedSite | null | undefined {
  const atHost = hosts === undefined ? null : hosts(client.host);
  return atHost === undefined ? null : (atHost ?? findSite(target));
}

/** From `example.com` to a whole site's public URL at `www.example.com`, and the other way round. */
function redirectToPublicUrl(
  { findSite, hosts }: RequestContext,
  received: ReceivedRequest,
): OwnAnswer | null {
  const { fields, head } = received;
  const { host } = fields.client;
  if (!SAFE_METHODS.has(head.method) || !head.target.startsWith('/')) return null;
  const atOther = hosts?.(/^www\./i.test(host) ? host.slice('www.'.length) : `www.${host}`);
  const site = atOther === undefined ? undefined : (atOther ?? findSite(head.target));
  const { options, publicUrl } = site?.settings ?? {};
  if (site === undefined || publicUrl === undefined || options?.passthrough !== true) return null;
  const location = publicUrl.replace(/\/+$/, '') + head.target;
  return new OwnAnswer(received, () => new Response(null, { status: 301, headers: { location } }), { site });
}

/** Costs the same for any number of sites. Other paths belong to the unnamed site. */
export function createPathLookup(
  sites: ReadonlyMap<string, MountedSite>,
): (target: string) => MountedSite | undefined {
  const byPath = new Map(
    Array.from(sites.values()).flatMap((site) => {
      const { addresses, hosts, mountPath } = site.settings;
      if (hosts.length > 0) return [];
      return [mountPath, addresses.mcpMetadata ?? mountPath].map((path) => [path, site] as const);
    }),
  );
  const unnamed = byPath.get('');
  if (unnamed !== undefined && new Set(byPath.values()).size === 1) return () => unnamed;
  const findByName = (target: string): MountedSite | undefined => {
    const end = target.slice(1).search(/[/?]/);
    return byPath.get(end < 0 ? target : target.slice(0, end + 1)) ?? unnamed;
  };
  return (target) => {
    if (!target.startsWith(METADATA_PATH)) return findByName(target);
    const [path = ''] = target.split('?', 1);
    return byPath.get(path) ?? findByName(path.slice(METADATA_PATH.length));
  };
}

function createNotMountedProblem(sites: readonly MountedSite[]): Problem {
  const mounts = sites.map(({ settings }) => settings.mountPath).join(', ');
  const message = `No site is mounted at this path. Sites are mounted at: ${mounts}`;
  return { status: 404, code: 'gateway_not_found', message };
}
