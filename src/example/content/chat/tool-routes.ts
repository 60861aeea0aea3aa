import type { SiteError, SiteResponse } from '../../site/declarations.ts';
import { isSiteError, ok, requireRole, restError } from '../../site/responses.ts';
import { runAbility, serializeAsTool } from '../abilities/ability.ts';
import { ABILITIES, findAbility } from '../abilities/catalog.ts';
import type { ChatSession, ToolCall } from '../model/chat.ts';
import type { ContentRequest, ContentRoute } from '../model/state.ts';
import { APPROVAL_SCHEMA, RESULT_SCHEMA, TOOL_SCHEMA } from './schemas.ts';
import {
  findOwnSession,
  getSessionStatus,
  invalidBodyParam,
  missingBodyParam,
  updateSession,
} from './session.ts';

export const TOOLS_ROUTE: ContentRoute = {
  route: '/chat/tools',
  schema: TOOL_SCHEMA,
  endpoints: [
    { methods: ['GET'], permission: requireRole('editor'), handle: () => ok(ABILITIES.map(serializeAsTool)) },
  ],
};

/** Runs the pending tool call. The body contains `session` and `call`. */
export const EXECUTE_ROUTE: ContentRoute = {
  route: '/chat/tools/execute',
  schema: RESULT_SCHEMA,
  endpoints: [{ methods: ['POST'], permission: requireRole('editor'), handle: withPendingCall(executeCall) }],
};

/** Approves or denies the pending tool call. The body contains `session`, `call` and `decision`. */
export const APPROVALS_ROUTE: ContentRoute = {
  route: '/chat/approvals',
  schema: APPROVAL_SCHEMA,
  endpoints: [{ methods: ['POST'], permission: requireRole('editor'), handle: withPendingCall(decideCall) }],
};

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
