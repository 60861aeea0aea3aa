import { ok, refuse, requires } from '../../site/answers.ts';
import type { RouteDeclaration, SiteAnswer, SiteError, SiteRequest } from '../../site/declare.ts';
import { isRefusal } from '../access.ts';
import type { ContentState } from '../state.ts';
import { describeTool, runTool } from '../tools/tool.ts';
import { findTool, TOOLS } from '../tools/toolbox.ts';
import {
  advance,
  type Call,
  findSession,
  invalidParam,
  missingParam,
  type Session,
  statusOf,
} from './assistant.ts';
import { APPROVAL_SCHEMA, RESULT_SCHEMA, TOOL_SCHEMA } from './schemas.ts';

type Request = SiteRequest<ContentState>;

export const TOOLS_ROUTE: RouteDeclaration<ContentState> = {
  route: '/chat/tools',
  schema: TOOL_SCHEMA,
  endpoints: [
    { methods: ['GET'], permission: requires('editor'), handle: () => ok(TOOLS.map(describeTool)) },
  ],
};

/** Runs what the model waits for. The body holds `session` and `call`. */
export const EXECUTE_ROUTE: RouteDeclaration<ContentState> = {
  route: '/chat/tools/execute',
  schema: RESULT_SCHEMA,
  endpoints: [{ methods: ['POST'], permission: requires('editor'), handle: withCall(execute) }],
};

/** Decides on a call that changes the site. The body holds `session`, `call` and `decision`: approve or deny. */
export const APPROVALS_ROUTE: RouteDeclaration<ContentState> = {
  route: '/chat/approvals',
  schema: APPROVAL_SCHEMA,
  endpoints: [{ methods: ['POST'], permission: requires('editor'), handle: withCall(decide) }],
};

function execute(session: Session, call: Call, request: Request): SiteAnswer | SiteError {
  if (call.approval === 'waiting') {
    return refuse(403, 'ext_a_approval_required', `The tool ${call.tool} needs an approval.`);
  }
  const tool = findTool(call.tool);
  if (tool === undefined) return refuse(404, 'ext_a_tool_not_found', `There is no tool ${call.tool}.`);
  const result = runTool(tool, call.input, request);
  // A tool that failed has run: the model is told, and the caller too.
  const text = isRefusal(result) ? result.message : JSON.stringify(result);
  const next = advance(request, session, { message: { role: 'tool', text } });
  if (isRefusal(result)) return result;
  return ok({ session: next.id, status: statusOf(next), tool: tool.name, result });
}

function decide(session: Session, call: Call, request: Request): SiteAnswer | SiteError {
  const decision = request.params.string('decision', '');
  if (decision === '') return missingParam('decision');
  if (decision !== 'approve' && decision !== 'deny') {
    return invalidParam('decision', 'decision is not one of approve and deny.');
  }
  if (call.approval !== 'waiting') {
    return refuse(409, 'ext_a_approval_settled', 'This call waits for no approval.');
  }
  const next =
    decision === 'approve'
      ? advance(request, session, { pending: { ...call, approval: 'granted' } })
      : advance(request, session, { message: { role: 'tool', text: `The user denied ${call.tool}.` } });
  return ok({ session: next.id, status: statusOf(next), call: call.id, decision });
}

/** A handler for the call that a session waits for, which the body must name. */
function withCall(handle: (session: Session, call: Call, request: Request) => SiteAnswer | SiteError) {
  return (request: Request): SiteAnswer | SiteError => {
    const { params, state, user } = request;
    for (const name of ['session', 'call']) {
      if (params.string(name, '') === '') return missingParam(name);
    }
    const session = findSession(request, params.string('session', ''));
    if (isRefusal(session)) return session;
    if (!state.assistant.consents.has(user?.id ?? 0)) {
      return refuse(403, 'ext_a_consent_required', 'Please agree to the use of the model first.');
    }
    const { pending } = session;
    return pending !== undefined && pending.id === params.string('call')
      ? handle(session, pending, request)
      : refuse(404, 'ext_a_call_not_found', 'The session does not wait for this call.');
  };
}
