import { ok, refuse, requires } from '../../site/answers.ts';
import type { RouteDeclaration, SiteAnswer, SiteError, SiteRequest } from '../../site/declare.ts';
import { isRefusal } from '../access.ts';
import type { ContentState } from '../state.ts';
import { findTool } from '../tools/toolbox.ts';
import {
  advance,
  type Call,
  findSession,
  missingParam,
  type Session,
  showCall,
  statusOf,
} from './assistant.ts';
import { contextOf } from './models.ts';
import { STEP_SCHEMA } from './schemas.ts';
import { reply, understand } from './understand.ts';

type Request = SiteRequest<ContentState>;

/**
 * One step of the model. The body holds `session` and, unless a tool has just run, the user's `message`. The model
 * answers with text, or it asks for a tool and waits until that has run.
 */
export const MODEL_STEP_ROUTE: RouteDeclaration<ContentState> = {
  route: '/chat/model-step',
  schema: STEP_SCHEMA,
  endpoints: [{ methods: ['POST'], permission: requires('editor'), handle: step }],
};

function step(request: Request): SiteAnswer | SiteError {
  const { params, state, user } = request;
  const id = params.string('session', '');
  const message = params.string('message', '').trim();
  if (id === '') return missingParam('session');
  const session = findSession(request, id);
  if (isRefusal(session)) return session;
  if (!state.assistant.consents.has(user?.id ?? 0)) {
    return refuse(403, 'ext_a_consent_required', 'Please agree to the use of the model first.');
  }
  if (session.pending !== undefined) {
    return refuse(409, 'ext_a_chat_awaiting_tool', 'The model waits for a tool.', {
      session_status: statusOf(session),
    });
  }
  const last = session.messages.at(-1);
  if (message === '')
    return last?.role === 'tool' ? conclude(session, last.text, request) : missingParam('message');
  if (message.length > contextOf(session.model)) {
    return refuse(400, 'ext_a_message_too_long', 'The message is longer than the model can read.');
  }
  return think(advance(request, session, { message: { role: 'user', text: message } }), message, request);
}

/** Asks for the tool that the message wishes for, or replies. */
function think(session: Session, message: string, request: Request): SiteAnswer {
  const wish = understand(message);
  const tool = wish === undefined ? undefined : findTool(wish.tool);
  if (wish === undefined || tool === undefined) return say(session, reply(message), request);
  const call: Call = {
    id: request.state.random.text(12),
    tool: tool.name,
    input: wish.input,
    approval: tool.changes ? 'waiting' : 'unneeded',
  };
  const text = `I would like to use “${tool.title}”.`;
  return answer(advance(request, session, { message: { role: 'assistant', text }, pending: call }));
}

function conclude(session: Session, result: string, request: Request): SiteAnswer {
  return say(session, `That is done. The site says: ${result}`, request);
}

function say(session: Session, text: string, request: Request): SiteAnswer {
  return answer(advance(request, session, { message: { role: 'assistant', text } }));
}

function answer(session: Session): SiteAnswer {
  const { id, pending, messages } = session;
  return ok({
    session: id,
    status: statusOf(session),
    type: pending === undefined ? 'message' : 'tool-request',
    message: messages.at(-1)?.text ?? '',
    call: pending === undefined ? null : showCall(pending),
  });
}
