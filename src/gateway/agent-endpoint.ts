import { DiscoveryError } from '../base/errors.ts';
import { readContent } from '../base/http/body.ts';
import type { IncomingRequestHead } from '../base/http/exchange.ts';
import { fieldValue, parseContentLength, toFieldPairs } from '../base/http/fields.ts';
import { isJsonObject, isShallow, type JsonObject, parseJson } from '../base/json.ts';
import { findExceededLimit } from '../base/php/values.ts';
import { isLevel, type Level } from '../generator/openapi/operation-levels.ts';
import { PROBLEMS, type Problem, problemResponse } from './exchange/problem.ts';
import type { CallApp, IncomingRequest } from './incoming-request.ts';
import { OwnAnswer, refuse } from './reply.ts';
import type { ReceivedRequest, RequestContext } from './request-context.ts';
import {
  createAgentQuestions,
  KEYS_INTERVAL,
  type ResourceMetadata,
  type TokenError,
} from './site/agent-tokens.ts';
import type { MountedSite } from './site/mounted-site.ts';
import type { DocumentedApi, ResolvedRequest, Snapshot } from './site/snapshot/snapshot.ts';
import type { TargetMemo } from './site/target-memos.ts';
import type { AgentCall, AgentHost, AgentRights, CallableSite, ResolvedCall } from './surfaces.ts';

const MAX_BYTES = 1024 * 1024;
const MAX_DEPTH = 64;
/** JSON-RPC 2.0 §5.1. */
const MESSAGE_ERRORS = { [-32_700]: 'Parse error', [-32_600]: 'Invalid Request' } as const;

const RETRY_AFTER = String(KEYS_INTERVAL / 1_000);

export const AGENT_TARGET: ResolvedRequest = { kind: 'own', target: { kind: 'mcp', isMetadata: false } };

export function answerAgent(
  context: RequestContext,
  received: ReceivedRequest,
  site: MountedSite,
  memo: TargetMemo | null,
): OwnAnswer {
  const { head } = received;
  const problem = findProblem(context, received, site);
  if (problem !== null) return refuse(received, problem, site, memo);
  const resolved = memo?.resolved ?? AGENT_TARGET;
  let { requestId } = received;
  const respond = async (incoming: IncomingRequest): Promise<Response> => {
    // A thousand messages that are read at once already take a second.
    await context.waitForAgents();
    const tokens = site.agents?.tokens ?? null;
    if (resolved.kind === 'own' && resolved.target.kind === 'mcp' && resolved.target.isMetadata)
      return tokens === null ? new Response(null, { status: 404 }) : Response.json(tokens.metadata);
    const request = incoming.toFetch();
    const message = head.method === 'POST' ? await readMessage(request) : null;
    if (typeof message === 'number') return createMessageError(message);
    let called = head;
    let levels: readonly Level[] | undefined;
    if (tokens !== null) {
      const authenticated = await tokens.authenticate(fieldValue(head.headers, 'authorization') ?? '');
      if ('error' in authenticated)
        return authenticated.error === 'unavailable'
          ? problemResponse({ ...PROBLEMS.issuerAway, headers: { 'Retry-After': RETRY_AFTER } })
          : createChallenge(authenticated.error, tokens.metadata, site);
      called = { ...head, headers: withAuthorization(head.headers, authenticated.authorization) };
      ({ levels } = authenticated);
    }
    const load = async (): Promise<CallableSite> => {
      const { runtime } = site;
      if (runtime.isAwaited) await runtime.waitForFirst();
      const { failureSummary, snapshot } = runtime;
      if (snapshot?.documented)
        return {
          ...createCallableSite(recording, called, site, snapshot, snapshot.documented, incoming.callApp),
          ...(levels !== undefined && { levels }),
        };
      throw new DiscoveryError(failureSummary ?? 'It is being read.', { reason: 'timeout' });
    };
    const recording: Pick<RequestContext, 'respondToAgent'> = {
      async respondToAgent(...call) {
        const response = await context.respondToAgent(...call);
        requestId = response.headers.get('x-request-id') ?? requestId;
        return response;
      },
    };
    const onCall = ({ level: callLevel, ...call }: AgentCall): void => {
      answer.operation = call.operation === undefined ? call.tool : `${call.tool} ${call.operation}`;
      // A line of the log has a level of its own.
      site.settings.log.info({ requestId, callLevel, ...call }, 'an agent called a tool');
    };
    const session = fieldValue(head.headers, 'mcp-session-id');
    const host: AgentHost = {
      ...readSettings(site),
      title: site.settings.options.name ?? new URL(site.settings.url).host,
      client: fieldValue(head.headers, 'user-agent') ?? '',
      address: received.client,
      ...(session !== undefined && { session }),
      questions: site.agents?.questions ?? createAgentQuestions(),
      load,
      onCall,
      onError: (err) => context.parts.log.error({ err }, 'the gateway failed to run a tool of an agent'),
    };
    return context.surfaces.respondToAgent(host, request, message ?? undefined);
  };
  const answer = new OwnAnswer(received, respond, { site, memo, cors: site.cors });
  return answer;
}

/** Tells a client what is wrong with its token, which scopes help, and where the issuer is (RFC 6750 §3, RFC 9728 §5.1). */
function createChallenge(
  error: Exclude<TokenError, 'unavailable'> | null,
  { resource }: ResourceMetadata,
  site: MountedSite,
): Response {
  const { addresses } = site.settings;
  const scopes = ['read', ...readSettings(site).writes.filter(isLevel)];
  const fields = [
    `resource_metadata="${new URL(resource).origin}${addresses.mcpMetadata}"`,
    `scope="${scopes.join(' ')}"`,
    ...(error === null ? [] : [`error="${error}"`]),
  ];
  const status = error === 'insufficient_scope' ? 403 : 401;
  return new Response(null, { status, headers: { 'WWW-Authenticate': `Bearer ${fields.join(', ')}` } });
}

function withAuthorization(headers: readonly string[], authorization: string): readonly string[] {
  const others = toFieldPairs(headers).filter(([name]) => name.toLowerCase() !== 'authorization');
  return [...others.flat(), 'Authorization', authorization];
}

/** An address, or the name that each machine has for its own. */
const ADDRESS = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])(?::\d+)?$/i;

/** Refuses pages of other origins. Against DNS rebinding, the host must be configured, or an address. */
function findProblem(
  context: RequestContext,
  { fields, head }: ReceivedRequest,
  site: MountedSite,
): Problem | null {
  const { host } = fields.client;
  const { publicUrl } = site.settings;
  const isKnown =
    context.hosts !== undefined ||
    ADDRESS.test(host) ||
    (publicUrl !== undefined && new URL(publicUrl).host === host.toLowerCase());
  if (!isKnown) return PROBLEMS.agentHost;
  const origin = fieldValue(head.headers, 'origin');
  if (origin !== undefined && site.cors?.allows(origin) !== true && !isOriginOfHost(origin, host))
    return PROBLEMS.agentOrigin;
  return (parseContentLength(head.headers) ?? 0) > MAX_BYTES ? PROBLEMS.agentMessageTooLarge : null;
}

/** @param host with the port, if it has one */
function isOriginOfHost(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

/** @returns the error code of a body that isn't a single object: a list would count as one for `limits` */
async function readMessage(request: Request): Promise<JsonObject | keyof typeof MESSAGE_ERRORS> {
  const content = await readContent(request, MAX_BYTES).catch(() => null);
  if (content === null || findExceededLimit(content) !== null) return -32_700;
  const message = parseJson(content);
  if (message === undefined) return -32_700;
  if (!isJsonObject(message) || !isShallow(message, MAX_DEPTH)) return -32_600;
  // Some clients write it for absent ones, which JSON-RPC has no value for.
  const { params, ...others } = message;
  return params === null ? others : message;
}

function createMessageError(code: keyof typeof MESSAGE_ERRORS): Response {
  const message = `${MESSAGE_ERRORS[code]}: the body must be one message, a JSON object of at most 1 MB`;
  const error = { code, message };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 400 });
}

/** Fields of the message. Its tools' requests have all others. */
const MESSAGE_FIELD =
  /^(?:accept|accept-encoding|connection|content-.*|cookie2?|expect|if-.*|keep-alive|last-event-id|mcp-.*|origin|range|referer|sec-.*|te|trailer|transfer-encoding|upgrade|user-agent|x-http-method-override|x-wp-nonce)$/i;

function readSettings({ agents }: MountedSite): AgentRights {
  const { abilities = [], reads = ['*'], unasked = false, writes = [] } = agents?.options ?? {};
  return { abilities, reads, unasked, writes };
}

function createCallableSite(
  context: Pick<RequestContext, 'respondToAgent'>,
  head: IncomingRequestHead,
  site: MountedSite,
  snapshot: Snapshot,
  documented: DocumentedApi,
  callApp: CallApp | null,
): CallableSite {
  const clientFields = toFieldPairs(head.headers)
    .filter(([name]) => !MESSAGE_FIELD.test(name))
    .flat();
  const { mountPath } = site.settings;
  return {
    documented,
    incompleteSummary: site.runtime.incompleteSummary,
    mountPath,
    ...readSettings(site),
    authorization: fieldValue(head.headers, 'authorization') ?? '',
    resolve: (method, path) =>
      // WordPress does not decode a route below `/wp-json`.
      ['', documented.routePrefix || '/wp-json'].flatMap((prefix): ResolvedCall[] => {
        const target = mountPath + prefix + (prefix.includes('?') ? path.replace('?', '&') : path);
        const resolved = snapshot.resolveRequest({ method, target, headers: [] });
        if (resolved.kind !== 'route' || resolved.match.kind !== 'found') return [];
        const { operation } = resolved.match;
        return [{ method: resolved.target.method, operation, target }];
      }),
    send({ body, headers, method, target }, signal) {
      const length = body === null ? [] : ['Content-Length', String(body.byteLength)];
      return context.respondToAgent(
        {
          ...head,
          method,
          target,
          headers: [...clientFields, 'Accept', 'application/json', ...headers, ...length],
        },
        { method, body, signal },
        callApp,
      );
    },
  };
}

/** Milliseconds that a call waits for the site to be read. Clients give up after a minute. */
const MAX_WAIT = 45_000;

export async function loadLocalAgent(context: RequestContext, authorization: string): Promise<CallableSite> {
  const [site] = context.sites.values();
  if (site === undefined) throw new DiscoveryError('There is no site.', { reason: 'not-an-index' });
  const { runtime } = site;
  await runtime.restore();
  runtime.start();
  if (!runtime.snapshot?.documented) {
    const reading = runtime.running ?? runtime.rediscover();
    await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, MAX_WAIT).unref())]);
  }
  const { lastDiscoveryError, snapshot } = runtime;
  if (!snapshot?.documented)
    throw lastDiscoveryError ?? new DiscoveryError('It is being read.', { reason: 'timeout' });
  const head: IncomingRequestHead = {
    ...{ method: 'POST', target: '/mcp', protocol: 'http', httpVersion: '1.1', peerAddress: '127.0.0.1' },
    headers: ['Host', 'localhost', ...(authorization === '' ? [] : ['Authorization', authorization])],
  };
  return createCallableSite(context, head, site, snapshot, snapshot.documented, null);
}
