import type { JsonObject } from '../../../json.ts';
import { refuse } from '../../site/answers.ts';
import type { SiteError, SiteRequest } from '../../site/declare.ts';
import { showDate } from '../rules/dates.ts';
import type { ContentState } from '../state.ts';

/** What the assistant remembers. */
export interface Assistant {
  readonly sessions: Map<string, Session>;
  /** By user: when they agreed that what they write is given to the model. */
  readonly consents: Map<number, number>;
}

export interface Session {
  readonly id: string;
  readonly owner: number;
  readonly title: string;
  readonly model: string;
  readonly archived: boolean;
  readonly created: number;
  readonly updated: number;
  readonly messages: readonly Message[];
  /** The tool that the model waits for. Until it has run, or was denied, there is no next step. */
  readonly pending?: Call;
}

export interface Message {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly time: number;
}

export interface Call {
  readonly id: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly approval: 'unneeded' | 'waiting' | 'granted';
}

export function createAssistant(): Assistant {
  return { sessions: new Map(), consents: new Map() };
}

type Request = SiteRequest<ContentState>;

/** A session of the caller's own; others' are not found, so that nobody learns of them. */
export function findSession({ state, user }: Request, id: string): Session | SiteError {
  const session = state.assistant.sessions.get(id);
  return session !== undefined && session.owner === user?.id
    ? session
    : refuse(404, 'ext_a_session_not_found', 'There is no such session.');
}

/** Puts a session's next state, with a message where one was added. */
export function advance(
  { state, now }: Request,
  session: Session,
  change: { readonly message?: Omit<Message, 'time'>; readonly pending?: Call },
): Session {
  const { pending: _, ...rest } = session;
  const time = now.getTime();
  const added = change.message === undefined ? [] : [{ ...change.message, time }];
  const next: Session = {
    ...rest,
    updated: time,
    messages: [...session.messages, ...added],
    ...(change.pending === undefined ? {} : { pending: change.pending }),
  };
  state.assistant.sessions.set(next.id, next);
  return next;
}

/** What a session waits for. */
export function statusOf({ pending }: Session): 'ready' | 'awaiting-tool' | 'awaiting-approval' {
  if (pending === undefined) return 'ready';
  return pending.approval === 'waiting' ? 'awaiting-approval' : 'awaiting-tool';
}

export function showCall({ id, tool, input, approval }: Call): JsonObject {
  return { id, tool, arguments: input, approval };
}

export function showMessage({ role, text, time }: Message): JsonObject {
  return { role, text, time: showDate(time) };
}

/** The refusal of a body that lacks a member. No argument is declared, so the code is the extension's own. */
export function missingParam(name: string): SiteError {
  return { ...refuse(400, 'ext_a_missing_parameter', `Missing parameter(s): ${name}`), params: [name] };
}

/** The refusal of a body's member that is not what it has to be. */
export function invalidParam(name: string, message: string): SiteError {
  return {
    ...refuse(400, 'ext_a_invalid_parameter', `Invalid parameter(s): ${name}`),
    params: { [name]: message },
  };
}
