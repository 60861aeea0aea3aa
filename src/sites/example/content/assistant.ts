import type { JsonObject } from '../../../base/json.ts';
import { isRestBoolean } from '../../../generator/validation/wordpress/schema.ts';
import type { SiteResponse } from '../../rest-server/declarations.ts';
import { created, ok, pageResponse, RefusedError, refuse } from '../../rest-server/responses.ts';
import {
  ABILITIES,
  findAbility,
  refuseMissing,
  refuseParam,
  runAbility,
  serializeAsTool,
} from './abilities.ts';
import type { ChatRole, ChatSession, ContentHandler, ContentRequest, ToolCall } from './model.ts';
import { formatDateTime } from './rules.ts';
import seed from './seed.json' with { type: 'json' };

const CHAT_MODELS = seed.chatModels;
const DEFAULT_MODEL = 'lighthouse-small';

/** Patterns that trigger a tool; their groups are its input. */
const INTENT_PATTERNS: readonly (readonly [RegExp, tool: string])[] = [
  [/\b(?:search|find|look) (?:for )?"?(?<query>[^"?.!]{1,100})/i, 'content/search-posts'],
  [/\b(?:write|draft|create)\b[^"]{0,200}"(?<title>[^"]{1,200})"/i, 'content/create-draft'],
  [/\b(?:how many|count)\b/i, 'site/describe'],
];

/** Sessions of other users give 404, so their existence is not revealed. */
function findSession({ state, user, params }: ContentRequest, argument: 'id' | 'session'): ChatSession {
  const session = state.assistant.sessions.get(params.string(argument, ''));
  if (session !== undefined && session.owner === user?.id) return session;
  return refuse(404, 'ext_a_session_not_found', 'There is no such session.');
}

function addMessage({ now }: ContentRequest, session: ChatSession, role: ChatRole, text: string): void {
  session.updated = formatDateTime(now.getTime());
  session.messages.push({ role, text, time: session.updated });
}

function getSessionStatus({ pending }: ChatSession): string {
  if (pending === null) return 'ready';
  return pending.approval === 'waiting' ? 'awaiting-approval' : 'awaiting-tool';
}

const listOwnSessions = ({ state, user }: ContentRequest): ChatSession[] =>
  [...state.assistant.sessions.values()].filter(({ owner }) => owner === user?.id);

function setConsent({ state, user, params, now }: ContentRequest): SiteResponse {
  const granted = params.get('granted') ?? refuseMissing('granted');
  if (!isRestBoolean(granted)) refuseParam('granted', 'granted is not of type boolean.');
  const { consents } = state.assistant;
  const id = user?.id ?? 0;
  if (!params.boolean('granted')) {
    consents.delete(id);
    return ok({ granted: false, since: null });
  }
  const since = consents.get(id) ?? now.getTime();
  consents.set(id, since);
  return ok({ granted: true, since: formatDateTime(since) });
}

function createSession(request: ContentRequest): SiteResponse {
  const { state, user, now, link } = request;
  const time = formatDateTime(now.getTime());
  const session: ChatSession = {
    id: state.random.text(16),
    owner: user?.id ?? 0,
    title: 'New chat',
    model: DEFAULT_MODEL,
    archived: false,
    created: time,
    updated: time,
    messages: [],
    pending: null,
  };
  changeSession(request, session);
  state.assistant.sessions.set(session.id, session);
  return created(serializeSession(session), link(`/ext-a/v1/chat/sessions/${session.id}`));
}

function changeSession({ params, now }: ContentRequest, session: ChatSession): void {
  const title = params.string('title', session.title).trim();
  const model = params.string('model', session.model);
  if (title === '' || title.length > 200) refuseParam('title', 'title must have 1 to 200 characters.');
  if (!CHAT_MODELS.some(({ id }) => id === model)) refuseParam('model', 'model is not one of the models.');
  const archived = params.boolean('archived', session.archived);
  Object.assign(session, { title, model, archived, updated: formatDateTime(now.getTime()) });
}

function serializeSession(session: ChatSession): JsonObject {
  const { owner: _, ...shown } = session;
  return { ...shown, messages: [...shown.messages], status: getSessionStatus(session) };
}

/** One step of the model: a text, or a request for a tool. */
function runStep(request: ContentRequest): SiteResponse {
  const { params } = request;
  if (params.string('session', '') === '') refuseMissing('session');
  const message = params.string('message', '').trim();
  const session = findSession(request, 'session');
  requireConsent(request);
  if (session.archived) {
    refuse(409, 'ext_a_session_archived', 'The session is archived: restore it to go on.');
  }
  if (session.pending !== null) {
    refuse(409, 'ext_a_chat_awaiting_tool', 'The model waits for a tool.', {
      session_status: getSessionStatus(session),
    });
  }
  const last = session.messages.at(-1);
  if (message === '') {
    if (last?.role !== 'tool') return refuseMissing('message');
    return respondToStep(request, session, `That is done. The site says: ${last.text}`);
  }
  const model = CHAT_MODELS.find(({ id }) => id === session.model);
  if (message.length > (model?.context ?? 0)) {
    refuse(400, 'ext_a_message_too_long', 'The message is longer than the model can read.');
  }
  addMessage(request, session, 'user', message);
  session.pending = requestTool(request, message);
  const tool = findAbility(session.pending?.tool ?? '');
  return respondToStep(request, session, tool ? `I would like to use “${tool.title}”.` : seed.chatReply);
}

function requireConsent({ state, user }: ContentRequest): void {
  if (state.assistant.consents.has(user?.id ?? 0)) return;
  refuse(403, 'ext_a_consent_required', 'Please agree to the use of the model first.');
}

function requestTool({ state }: ContentRequest, message: string): ToolCall | null {
  for (const [pattern, tool] of INTENT_PATTERNS) {
    const found = pattern.exec(message);
    if (found === null) continue;
    const approval = findAbility(tool)?.changesSite === true ? 'waiting' : 'unneeded';
    return { id: state.random.text(12), tool, arguments: { ...found.groups }, approval };
  }
  return null;
}

function respondToStep(request: ContentRequest, session: ChatSession, message: string): SiteResponse {
  addMessage(request, session, 'assistant', message);
  const { id, pending: call } = session;
  const type = call === null ? 'message' : 'tool-request';
  return ok({ session: id, status: getSessionStatus(session), type, message, call });
}

function executeCall(request: ContentRequest): SiteResponse {
  const [session, call] = findPendingCall(request);
  if (call.approval === 'waiting') {
    refuse(403, 'ext_a_approval_required', `The tool ${call.tool} needs an approval.`);
  }
  const tool =
    findAbility(call.tool) ?? refuse(404, 'ext_a_tool_not_found', `There is no tool ${call.tool}.`);
  session.pending = null;
  try {
    const result = runAbility(tool, call.arguments, request);
    addMessage(request, session, 'tool', JSON.stringify(result));
    return ok({ session: session.id, status: getSessionStatus(session), tool: tool.name, result });
  } catch (error) {
    if (error instanceof RefusedError) addMessage(request, session, 'tool', error.message);
    throw error;
  }
}

function decideCall(request: ContentRequest): SiteResponse {
  const [session, call] = findPendingCall(request);
  const decision = request.params.string('decision', '') || refuseMissing('decision');
  if (decision !== 'approve' && decision !== 'deny') {
    refuseParam('decision', 'decision is not one of approve and deny.');
  }
  if (call.approval !== 'waiting') {
    refuse(409, 'ext_a_approval_settled', 'This call waits for no approval.');
  }
  if (decision === 'approve') call.approval = 'granted';
  else {
    session.pending = null;
    addMessage(request, session, 'tool', `The user denied ${call.tool}.`);
  }
  return ok({ session: session.id, status: getSessionStatus(session), call: call.id, decision });
}

function findPendingCall(request: ContentRequest): [ChatSession, ToolCall] {
  const { params } = request;
  for (const name of ['session', 'call']) if (params.string(name, '') === '') refuseMissing(name);
  const session = findSession(request, 'session');
  requireConsent(request);
  const { pending } = session;
  if (pending !== null && pending.id === params.string('call')) return [session, pending];
  return refuse(404, 'ext_a_call_not_found', 'The session does not wait for this call.');
}

export const assistantOperations: Readonly<Record<string, ContentHandler>> = {
  getChatStatus: (request) =>
    ok({
      available: true,
      model: DEFAULT_MODEL,
      consent: request.state.assistant.consents.has(request.user?.id ?? 0),
      sessions: listOwnSessions(request).length,
    }),
  listModels: () => ok(CHAT_MODELS),
  setConsent,
  listSessions: (request) => pageResponse(request, listOwnSessions(request).reverse(), serializeSession),
  createSession,
  readSession: (request) => ok(serializeSession(findSession(request, 'id'))),
  updateSession(request) {
    const session = findSession(request, 'id');
    changeSession(request, session);
    return ok(serializeSession(session));
  },
  deleteSession(request) {
    const session = findSession(request, 'id');
    request.state.assistant.sessions.delete(session.id);
    return ok({ deleted: true, previous: serializeSession(session) });
  },
  listTools: () => ok(ABILITIES.map(serializeAsTool)),
  runStep,
  executeCall,
  decideCall,
};
