import type { JsonObject } from '../../json.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import type { SiteResponse } from '../../rest-server/declarations.ts';
import { created, ok, pageResponse, RefusedError, refuse } from '../../rest-server/responses.ts';
import { isRestBoolean } from '../../validation/wordpress/schema.ts';
import {
  ABILITIES,
  findAbility,
  refuseMissing,
  refuseParam,
  runAbility,
  serializeAsTool,
} from './abilities.ts';
import type { ChatMessage, ChatSession, ContentHandler, ContentRequest, ToolCall } from './model.ts';
import { formatDateTime } from './rules.ts';
import seed from './seed.json' with { type: 'json' };

/** The simulated language models. They respond by fixed rules. */
const CHAT_MODELS = seed.chatModels;
const DEFAULT_MODEL = 'lighthouse-small';

/** The patterns that trigger a tool, with the member of its input that they capture. The first match is used. */
const INTENT_PATTERNS: readonly (readonly [RegExp, tool: string, input?: 'query' | 'title' | 'post'])[] = [
  [/\b(?:search|find|look) (?:for )?"?([^"?.!]{1,100})/i, 'content/search-posts', 'query'],
  [/\b(?:write|draft|create)\b[^"]{0,200}"([^"]{1,200})"/i, 'content/create-draft', 'title'],
  [/\bpublish (?:post )?#?(\d{1,9})\b/i, 'content/publish-post', 'post'],
  [/\bsummari[sz]e (?:post )?#?(\d{1,9})\b/i, 'content/summarize-post', 'post'],
  [/\b(how many|count)\b/i, 'site/describe'],
];

function detectToolIntent(message: string): { tool: string; input: JsonObject } | undefined {
  for (const [pattern, tool, name] of INTENT_PATTERNS) {
    const captured = pattern.exec(message)?.[1];
    if (captured === undefined) continue;
    if (name === undefined) return { tool, input: {} };
    const text = name === 'query' ? captured.trim() : captured;
    return { tool, input: { [name]: name === 'post' ? Number(text) : text } };
  }
  return undefined;
}

/** Finds a session of the user. Those of other users give 404, so their existence is not revealed. */
function findOwnSession({ state, user }: ContentRequest, id: string): ChatSession {
  const session = state.assistant.sessions.get(id);
  if (session !== undefined && session.owner === user?.id) return session;
  return refuse(404, 'ext_a_session_not_found', 'There is no such session.');
}

const findSessionOfPath = (request: ContentRequest): ChatSession =>
  findOwnSession(request, request.params.string('id', ''));

/** Adds a message to a session, and replaces or removes its pending call. */
function updateSession(
  { state, now }: ContentRequest,
  session: ChatSession,
  change: { readonly message?: Omit<ChatMessage, 'time'>; readonly pendingCall?: ToolCall },
): ChatSession {
  const { pendingCall: _, ...rest } = session;
  const time = now.getTime();
  const added = change.message === undefined ? [] : [{ ...change.message, time }];
  const next: ChatSession = {
    ...rest,
    updated: time,
    messages: [...session.messages, ...added],
    ...(change.pendingCall === undefined ? {} : { pendingCall: change.pendingCall }),
  };
  state.assistant.sessions.set(next.id, next);
  return next;
}

/** The status: ready for a message, or waiting for a tool or an approval. */
function getSessionStatus({ pendingCall }: ChatSession): 'ready' | 'awaiting-tool' | 'awaiting-approval' {
  if (pendingCall === undefined) return 'ready';
  return pendingCall.approval === 'waiting' ? 'awaiting-approval' : 'awaiting-tool';
}

function serializeToolCall({ id, tool, input, approval }: ToolCall): JsonObject {
  return { id, tool, arguments: input, approval };
}

const listOwnSessions = ({ state, user }: ContentRequest): ChatSession[] =>
  [...state.assistant.sessions.values()].filter(({ owner }) => owner === user?.id);

/** Sets the consent of the user to the use of the model. The body contains `granted`. */
function setConsent({ state, user, params, now }: ContentRequest): SiteResponse {
  const granted = params.get('granted') ?? refuseMissing('granted');
  // PHP converts "maybe" to true, which would not be a consent.
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

const MAX_TITLE_LENGTH = 200;

function createSession(request: ContentRequest): SiteResponse {
  const { state, user, now, link } = request;
  const input = parseSessionInput(request);
  const time = now.getTime();
  const session: ChatSession = {
    id: state.random.text(16),
    owner: user?.id ?? 0,
    title: 'New chat',
    model: DEFAULT_MODEL,
    archived: false,
    created: time,
    updated: time,
    messages: [],
    ...input,
  };
  state.assistant.sessions.set(session.id, session);
  return created(serializeSession(session), link(`/ext-a/v1/chat/sessions/${session.id}`));
}

function parseSessionInput({ params }: ContentRequest): Partial<ChatSession> {
  const title = params.string('title');
  const model = params.string('model');
  if (title !== undefined && (title.trim() === '' || title.length > MAX_TITLE_LENGTH)) {
    refuseParam('title', `title must have 1 to ${MAX_TITLE_LENGTH} characters.`);
  }
  if (model !== undefined && !CHAT_MODELS.some(({ id }) => id === model)) {
    refuseParam('model', 'model is not one of the models.');
  }
  const archived = params.has('archived') ? params.boolean('archived') : undefined;
  return omitUndefined({ title: title?.trim(), model, archived });
}

function serializeSession(session: ChatSession): JsonObject {
  const { id, title, model, archived, created: createdAt, updated, messages, pendingCall } = session;
  return {
    id,
    title,
    model,
    archived,
    status: getSessionStatus(session),
    created: formatDateTime(createdAt),
    updated: formatDateTime(updated),
    messages: messages.map(({ time, ...message }) => ({ ...message, time: formatDateTime(time) })),
    pending: pendingCall === undefined ? null : serializeToolCall(pendingCall),
  };
}

/**
 * Runs one step of the model. The body contains `session` and, unless a tool has just run, `message`. The model replies
 * with text, or requests a tool and waits until it has run.
 */
function runStep(request: ContentRequest): SiteResponse {
  const { params } = request;
  const id = params.string('session', '') || refuseMissing('session');
  const message = params.string('message', '').trim();
  const session = findOwnSession(request, id);
  requireConsent(request);
  if (session.archived) {
    refuse(409, 'ext_a_session_archived', 'The session is archived: restore it to go on.');
  }
  if (session.pendingCall !== undefined) {
    refuse(409, 'ext_a_chat_awaiting_tool', 'The model waits for a tool.', {
      session_status: getSessionStatus(session),
    });
  }
  const last = session.messages.at(-1);
  if (message === '') {
    if (last?.role !== 'tool') return refuseMissing('message');
    return addReply(session, `That is done. The site says: ${last.text}`, request);
  }
  const model = CHAT_MODELS.find(({ id: name }) => name === session.model);
  if (message.length > (model?.context ?? 0)) {
    refuse(400, 'ext_a_message_too_long', 'The message is longer than the model can read.');
  }
  const asked = updateSession(request, session, { message: { role: 'user', text: message } });
  return respondToMessage(asked, message, request);
}

function requireConsent({ state, user }: ContentRequest): void {
  if (state.assistant.consents.has(user?.id ?? 0)) return;
  refuse(403, 'ext_a_consent_required', 'Please agree to the use of the model first.');
}

/** Requests the tool that the message asks for, or replies. */
function respondToMessage(session: ChatSession, message: string, request: ContentRequest): SiteResponse {
  const intent = detectToolIntent(message);
  const tool = intent === undefined ? undefined : findAbility(intent.tool);
  if (intent === undefined || tool === undefined) {
    const count = message.split(/\s+/).filter((word) => word !== '').length;
    const words = `${count} ${count === 1 ? 'word' : 'words'}`;
    return addReply(session, seed.chatReply.replace('%s', words), request);
  }
  const call: ToolCall = {
    id: request.state.random.text(12),
    tool: tool.name,
    input: intent.input,
    approval: tool.changesSite ? 'waiting' : 'unneeded',
  };
  const text = `I would like to use “${tool.title}”.`;
  return toStepResponse(
    updateSession(request, session, { message: { role: 'assistant', text }, pendingCall: call }),
  );
}

function addReply(session: ChatSession, text: string, request: ContentRequest): SiteResponse {
  return toStepResponse(updateSession(request, session, { message: { role: 'assistant', text } }));
}

function toStepResponse(session: ChatSession): SiteResponse {
  const { id, pendingCall, messages } = session;
  return ok({
    session: id,
    status: getSessionStatus(session),
    type: pendingCall === undefined ? 'message' : 'tool-request',
    message: messages.at(-1)?.text ?? '',
    call: pendingCall === undefined ? null : serializeToolCall(pendingCall),
  });
}

function executeCall(request: ContentRequest): SiteResponse {
  const [session, call] = findPendingCall(request);
  if (call.approval === 'waiting') {
    refuse(403, 'ext_a_approval_required', `The tool ${call.tool} needs an approval.`);
  }
  const tool =
    findAbility(call.tool) ?? refuse(404, 'ext_a_tool_not_found', `There is no tool ${call.tool}.`);
  const finish = (text: string): ChatSession =>
    updateSession(request, session, { message: { role: 'tool', text } });
  try {
    const result = runAbility(tool, call.input, request);
    const next = finish(JSON.stringify(result));
    return ok({ session: next.id, status: getSessionStatus(next), tool: tool.name, result });
  } catch (error) {
    // A failed tool counts as run: the model gets the message and the client the error.
    if (error instanceof RefusedError) finish(error.message);
    throw error;
  }
}

/** Approves or denies the pending tool call. The body contains `decision`. */
function decideCall(request: ContentRequest): SiteResponse {
  const [session, call] = findPendingCall(request);
  const decision = request.params.string('decision', '') || refuseMissing('decision');
  if (decision !== 'approve' && decision !== 'deny') {
    refuseParam('decision', 'decision is not one of approve and deny.');
  }
  if (call.approval !== 'waiting') {
    refuse(409, 'ext_a_approval_settled', 'This call waits for no approval.');
  }
  const next =
    decision === 'approve'
      ? updateSession(request, session, { pendingCall: { ...call, approval: 'granted' } })
      : updateSession(request, session, { message: { role: 'tool', text: `The user denied ${call.tool}.` } });
  return ok({ session: next.id, status: getSessionStatus(next), call: call.id, decision });
}

/** Finds the session and its pending call that the body names. */
function findPendingCall(request: ContentRequest): [ChatSession, ToolCall] {
  const { params } = request;
  for (const name of ['session', 'call']) if (params.string(name, '') === '') refuseMissing(name);
  const session = findOwnSession(request, params.string('session', ''));
  requireConsent(request);
  const { pendingCall } = session;
  if (pendingCall !== undefined && pendingCall.id === params.string('call')) return [session, pendingCall];
  return refuse(404, 'ext_a_call_not_found', 'The session does not wait for this call.');
}

/** The operations of the assistant. The bodies of the last three contain `session`, and `call` those of tools. */
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
  // The latest first.
  listSessions: (request) => pageResponse(request, listOwnSessions(request).reverse(), serializeSession),
  createSession,
  readSession: (request) => ok(serializeSession(findSessionOfPath(request))),
  updateSession(request) {
    const session = findSessionOfPath(request);
    const updated = request.now.getTime();
    const changed: ChatSession = { ...session, ...parseSessionInput(request), updated };
    request.state.assistant.sessions.set(session.id, changed);
    return ok(serializeSession(changed));
  },
  deleteSession(request) {
    const session = findSessionOfPath(request);
    request.state.assistant.sessions.delete(session.id);
    return ok({ deleted: true, previous: serializeSession(session) });
  },
  listTools: () => ok(ABILITIES.map(serializeAsTool)),
  runStep,
  executeCall,
  decideCall,
};
