import type { JsonObject } from '../../../json.ts';
import type { SiteError } from '../../site/declarations.ts';
import { restError } from '../../site/responses.ts';
import type { ChatMessage, ChatSession, ToolCall } from '../model/chat.ts';
import type { ContentRequest } from '../model/state.ts';
import { formatDateTime } from '../rules/dates.ts';

/** Finds a session of the user. Those of other users give 404, so their existence is not revealed. */
export function findOwnSession({ state, user }: ContentRequest, id: string): ChatSession | SiteError {
  const session = state.assistant.sessions.get(id);
  return session !== undefined && session.owner === user?.id
    ? session
    : restError(404, 'ext_a_session_not_found', 'There is no such session.');
}

/** Adds a message to a session, and replaces or removes its pending call. */
export function updateSession(
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
export function getSessionStatus({
  pendingCall,
}: ChatSession): 'ready' | 'awaiting-tool' | 'awaiting-approval' {
  if (pendingCall === undefined) return 'ready';
  return pendingCall.approval === 'waiting' ? 'awaiting-approval' : 'awaiting-tool';
}

export function serializeToolCall({ id, tool, input, approval }: ToolCall): JsonObject {
  return { id, tool, arguments: input, approval };
}

export function serializeMessage({ role, text, time }: ChatMessage): JsonObject {
  return { role, text, time: formatDateTime(time) };
}

/** The error of a missing body member. It has the extension's own code because the arguments are not declared. */
export function missingBodyParam(name: string): SiteError {
  return { ...restError(400, 'ext_a_missing_parameter', `Missing parameter(s): ${name}`), params: [name] };
}

/** The error of an invalid body member. */
export function invalidBodyParam(name: string, message: string): SiteError {
  return {
    ...restError(400, 'ext_a_invalid_parameter', `Invalid parameter(s): ${name}`),
    params: { [name]: message },
  };
}
