import type { SiteError, SiteResponse } from '../../site/declarations.ts';
import { isSiteError, ok, requireRole, restError } from '../../site/responses.ts';
import { findAbility } from '../abilities/catalog.ts';
import type { ChatSession, ToolCall } from '../model/chat.ts';
import type { ContentRequest, ContentRoute } from '../model/state.ts';
import { composeReply, detectToolIntent, getContextLength } from './language-model.ts';
import { STEP_SCHEMA } from './schemas.ts';
import {
  findOwnSession,
  getSessionStatus,
  missingBodyParam,
  serializeToolCall,
  updateSession,
} from './session.ts';

/**
 * Runs one step of the model. The body contains `session` and, unless a tool has just run, `message`. The model replies
 * with text, or requests a tool and waits until it has run.
 */
export const MODEL_STEP_ROUTE: ContentRoute = {
  route: '/chat/model-step',
  schema: STEP_SCHEMA,
  endpoints: [{ methods: ['POST'], permission: requireRole('editor'), handle: runStep }],
};

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
