import type { JsonObject } from '../../json.ts';
import type { SiteError, SiteResponse } from '../../rest-server/declarations.ts';
import { created, isSiteError, listResponse, ok, restError, slicePage } from '../../rest-server/responses.ts';
import { isRestBoolean } from '../../validation/wordpress/schema.ts';
import { ABILITIES, findAbility, runAbility, serializeAsTool } from './abilities.ts';
import type { ContentOperations } from './declarations.ts';
import type { ChatMessage, ChatSession, ContentRequest, ToolCall } from './model.ts';
import { formatDateTime } from './rules.ts';

/** The simulated language models. They respond by fixed rules. */
const CHAT_MODELS = [
  { id: 'lighthouse-small', name: 'Lighthouse Small', context: 4_000 },
  { id: 'lighthouse-large', name: 'Lighthouse Large', context: 32_000 },
] as const;

type ChatModelId = (typeof CHAT_MODELS)[number]['id'];

function isChatModelId(id: string): id is ChatModelId {
  return CHAT_MODELS.some((model) => model.id === id);
}

/** The context length of a model, in characters. */
function getContextLength(id: string): number {
  return (CHAT_MODELS.find((model) => model.id === id) ?? CHAT_MODELS[0]).context;
}

interface ToolIntent {
  readonly tool: string;
  readonly input: JsonObject;
}

/** The patterns that trigger a tool. The first match is used. */
const INTENT_PATTERNS: readonly (readonly [RegExp, (captured: string) => ToolIntent])[] = [
  [
    /\b(?:search|find|look) (?:for )?"?([^"?.!]{1,100})/i,
    (query) => ({ tool: 'content/search-posts', input: { query: query.trim() } }),
  ],
  [
    /\b(?:write|draft|create)\b[^"]{0,200}"([^"]{1,200})"/i,
    (title) => ({ tool: 'content/create-draft', input: { title } }),
  ],
  [
    /\bpublish (?:post )?#?(\d{1,9})\b/i,
    (id) => ({ tool: 'content/publish-post', input: { post: Number(id) } }),
  ],
  [
    /\bsummari[sz]e (?:post )?#?(\d{1,9})\b/i,
    (id) => ({ tool: 'content/summarize-post', input: { post: Number(id) } }),
  ],
  [/\b(how many|count)\b/i, () => ({ tool: 'site/describe', input: {} })],
];

/** Detects the tool that a message requests, with its input. */
function detectToolIntent(message: string): ToolIntent | undefined {
  for (const [pattern, createIntent] of INTENT_PATTERNS) {
    const captured = pattern.exec(message)?.[1];
    if (captured !== undefined) return createIntent(captured);
  }
  return undefined;
}

/** The reply to a message that requests no tool. */
function composeReply(message: string): string {
  const words = message.split(/\s+/).filter((word) => word !== '').length;
  return `I read ${words} ${words === 1 ? 'word' : 'words'}. Ask me to search for something, to summarize a post, or to draft one with a title in quotes.`;
}

/** Finds a session of the user. Those of other users give 404, so their existence is not revealed. */
function findOwnSession({ state, user }: ContentRequest, id: string): ChatSession | SiteError {
  const session = state.assistant.sessions.get(id);
  return session !== undefined && session.owner === user?.id
    ? session
    : restError(404, 'ext_a_session_not_found', 'There is no such session.');
}

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

function serializeMessage({ role, text, time }: ChatMessage): JsonObject {
  return { role, text, time: formatDateTime(time) };
}

/** The error of a missing body member. It has the extension's own code because the arguments are not declared. */
function missingBodyParam(name: string): SiteError {
  return { ...restError(400, 'ext_a_missing_parameter', `Missing parameter(s): ${name}`), params: [name] };
}

/** The error of an invalid body member. */
function invalidBodyParam(name: string, message: string): SiteError {
  return {
    ...restError(400, 'ext_a_invalid_parameter', `Invalid parameter(s): ${name}`),
    params: { [name]: message },
  };
}

function getStatus({ state, user }: ContentRequest): SiteResponse {
  const id = user?.id ?? 0;
  const sessions = [...state.assistant.sessions.values()].filter(({ owner }) => owner === id).length;
  return ok({
    available: true,
    model: CHAT_MODELS[0].id,
    consent: state.assistant.consents.has(id),
    sessions,
  });
}

/** Sets the consent of the user to the use of the model. The body contains `granted`. */
function setConsent({ state, user, params, now }: ContentRequest): SiteResponse | SiteError {
  const granted = params.get('granted') ?? null;
  if (granted === null) return missingBodyParam('granted');
  // PHP converts "maybe" to true, which would not be a consent.
  if (!isRestBoolean(granted)) return invalidBodyParam('granted', 'granted is not of type boolean.');
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

const SESSIONS_ROUTE = '/ext-a/v1/chat/sessions';
const PER_PAGE = 20;
const MAX_TITLE_LENGTH = 200;

/** Lists the sessions, latest first, paginated by `page`. */
function listSessions({ state, user, params }: ContentRequest): SiteResponse {
  const ownSessions = [...state.assistant.sessions.values()]
    .filter(({ owner }) => owner === user?.id)
    .reverse();
  const page = Math.max(1, params.integer('page', 1));
  const pageItems = slicePage(ownSessions, { page, perPage: PER_PAGE });
  return listResponse(pageItems.map(serializeSession), {
    total: ownSessions.length,
    page,
    perPage: PER_PAGE,
  });
}

function createSession(request: ContentRequest): SiteResponse | SiteError {
  const { state, user, now, link } = request;
  const input = parseSessionInput(request);
  if (isSiteError(input)) return input;
  const time = now.getTime();
  const session: ChatSession = {
    id: state.random.text(16),
    owner: user?.id ?? 0,
    title: 'New chat',
    model: CHAT_MODELS[0].id,
    archived: false,
    created: time,
    updated: time,
    messages: [],
    ...input,
  };
  state.assistant.sessions.set(session.id, session);
  return created(serializeSession(session), link(`${SESSIONS_ROUTE}/${session.id}`));
}

function changeSession(session: ChatSession, request: ContentRequest): SiteResponse | SiteError {
  const input = parseSessionInput(request);
  if (isSiteError(input)) return input;
  const changed: ChatSession = { ...session, ...input, updated: request.now.getTime() };
  request.state.assistant.sessions.set(session.id, changed);
  return ok(serializeSession(changed));
}

interface SessionInput {
  readonly title?: string;
  readonly model?: ChatModelId;
  readonly archived?: boolean;
}

function parseSessionInput({ params }: ContentRequest): SessionInput | SiteError {
  const title = params.string('title');
  const model = params.string('model');
  if (title !== undefined && (title.trim() === '' || title.length > MAX_TITLE_LENGTH)) {
    return { ...invalid('title'), params: { title: `title must have 1 to ${MAX_TITLE_LENGTH} characters.` } };
  }
  if (model !== undefined && !isChatModelId(model)) {
    return { ...invalid('model'), params: { model: 'model is not one of the models.' } };
  }
  return {
    ...(title === undefined ? {} : { title: title.trim() }),
    ...(model === undefined ? {} : { model }),
    ...(params.has('archived') ? { archived: params.boolean('archived') } : {}),
  };
}

function invalid(name: string): SiteError {
  return restError(400, 'ext_a_invalid_parameter', `Invalid parameter(s): ${name}`);
}

function withSession(handle: (session: ChatSession, request: ContentRequest) => SiteResponse | SiteError) {
  return (request: ContentRequest): SiteResponse | SiteError => {
    const session = findOwnSession(request, request.params.string('id', ''));
    return isSiteError(session) ? session : handle(session, request);
  };
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
    messages: messages.map(serializeMessage),
    pending: pendingCall === undefined ? null : serializeToolCall(pendingCall),
  };
}

/**
 * Runs one step of the model. The body contains `session` and, unless a tool has just run, `message`. The model replies
 * with text, or requests a tool and waits until it has run.
 */
function runStep(request: ContentRequest): SiteResponse | SiteError {
  const { params, state, user } = request;
  const id = params.string('session', '');
  const message = params.string('message', '').trim();
  if (id === '') return missingBodyParam('session');
  const session = findOwnSession(request, id);
  if (isSiteError(session)) return session;
  if (!state.assistant.consents.has(user?.id ?? 0)) {
    return restError(403, 'ext_a_consent_required', 'Please agree to the use of the model first.');
  }
  if (session.archived) {
    return restError(409, 'ext_a_session_archived', 'The session is archived: restore it to go on.');
  }
  if (session.pendingCall !== undefined) {
    return restError(409, 'ext_a_chat_awaiting_tool', 'The model waits for a tool.', {
      session_status: getSessionStatus(session),
    });
  }
  const last = session.messages.at(-1);
  if (message === '')
    return last?.role === 'tool'
      ? respondToToolResult(session, last.text, request)
      : missingBodyParam('message');
  if (message.length > getContextLength(session.model)) {
    return restError(400, 'ext_a_message_too_long', 'The message is longer than the model can read.');
  }
  return respondToMessage(
    updateSession(request, session, { message: { role: 'user', text: message } }),
    message,
    request,
  );
}

/** Requests the tool that the message asks for, or replies. */
function respondToMessage(session: ChatSession, message: string, request: ContentRequest): SiteResponse {
  const intent = detectToolIntent(message);
  const tool = intent === undefined ? undefined : findAbility(intent.tool);
  if (intent === undefined || tool === undefined) return addReply(session, composeReply(message), request);
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

function respondToToolResult(session: ChatSession, result: string, request: ContentRequest): SiteResponse {
  return addReply(session, `That is done. The site says: ${result}`, request);
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

/** Runs the pending tool call. */
function executeCall(
  session: ChatSession,
  call: ToolCall,
  request: ContentRequest,
): SiteResponse | SiteError {
  if (call.approval === 'waiting') {
    return restError(403, 'ext_a_approval_required', `The tool ${call.tool} needs an approval.`);
  }
  const tool = findAbility(call.tool);
  if (tool === undefined) return restError(404, 'ext_a_tool_not_found', `There is no tool ${call.tool}.`);
  const result = runAbility(tool, call.input, request);
  // A failed tool counts as run: the model gets the message and the client the error.
  const text = isSiteError(result) ? result.message : JSON.stringify(result);
  const next = updateSession(request, session, { message: { role: 'tool', text } });
  if (isSiteError(result)) return result;
  return ok({ session: next.id, status: getSessionStatus(next), tool: tool.name, result });
}

/** Approves or denies the pending tool call. The body contains `decision`. */
function decideCall(session: ChatSession, call: ToolCall, request: ContentRequest): SiteResponse | SiteError {
  const decision = request.params.string('decision', '');
  if (decision === '') return missingBodyParam('decision');
  if (decision !== 'approve' && decision !== 'deny') {
    return invalidBodyParam('decision', 'decision is not one of approve and deny.');
  }
  if (call.approval !== 'waiting') {
    return restError(409, 'ext_a_approval_settled', 'This call waits for no approval.');
  }
  const next =
    decision === 'approve'
      ? updateSession(request, session, { pendingCall: { ...call, approval: 'granted' } })
      : updateSession(request, session, { message: { role: 'tool', text: `The user denied ${call.tool}.` } });
  return ok({ session: next.id, status: getSessionStatus(next), call: call.id, decision });
}

/** Creates a handler that finds the session and its pending call by the body. */
function withPendingCall(
  handle: (session: ChatSession, call: ToolCall, request: ContentRequest) => SiteResponse | SiteError,
) {
  return (request: ContentRequest): SiteResponse | SiteError => {
    const { params, state, user } = request;
    for (const name of ['session', 'call']) {
      if (params.string(name, '') === '') return missingBodyParam(name);
    }
    const session = findOwnSession(request, params.string('session', ''));
    if (isSiteError(session)) return session;
    if (!state.assistant.consents.has(user?.id ?? 0)) {
      return restError(403, 'ext_a_consent_required', 'Please agree to the use of the model first.');
    }
    const { pendingCall } = session;
    return pendingCall !== undefined && pendingCall.id === params.string('call')
      ? handle(session, pendingCall, request)
      : restError(404, 'ext_a_call_not_found', 'The session does not wait for this call.');
  };
}

/** The operations of the assistant. The bodies of the last three contain `session`, and `call` those of tools. */
export const assistantOperations: ContentOperations = {
  'GET /chat/status': getStatus,
  'GET /chat/models': () => ok(CHAT_MODELS),
  'POST /chat/consent': setConsent,
  'GET /chat/sessions': listSessions,
  'POST /chat/sessions': createSession,
  'GET /chat/sessions/(?P<id>[a-zA-Z0-9_-]+)': withSession((session) => ok(serializeSession(session))),
  'POST PUT PATCH /chat/sessions/(?P<id>[a-zA-Z0-9_-]+)': withSession(changeSession),
  'DELETE /chat/sessions/(?P<id>[a-zA-Z0-9_-]+)': withSession((session, { state }) => {
    state.assistant.sessions.delete(session.id);
    return ok({ deleted: true, previous: serializeSession(session) });
  }),
  'GET /chat/tools': () => ok(ABILITIES.map(serializeAsTool)),
  'POST /chat/model-step': runStep,
  'POST /chat/tools/execute': withPendingCall(executeCall),
  'POST /chat/approvals': withPendingCall(decideCall),
};
