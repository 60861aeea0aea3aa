import type { JsonObject } from '../../../json.ts';
import type { SiteError, SiteResponse } from '../../site/declarations.ts';
import {
  created,
  isSiteError,
  listResponse,
  ok,
  requireRole,
  restError,
  slicePage,
} from '../../site/responses.ts';
import type { ChatSession } from '../model/chat.ts';
import type { ContentRequest, ContentRoute } from '../model/state.ts';
import { formatDateTime } from '../rules/dates.ts';
import { CHAT_MODELS, type ChatModelId, isChatModelId } from './language-model.ts';
import { SESSION_SCHEMA } from './schemas.ts';
import { findOwnSession, getSessionStatus, serializeMessage, serializeToolCall } from './session.ts';

const SESSIONS_ROUTE = '/ext-a/v1/chat/sessions';
const PER_PAGE = 20;
const MAX_TITLE_LENGTH = 200;

/** The chat sessions of the user. Bodies contain `title`, `model` and `archived`. */
export const SESSION_ROUTES: readonly ContentRoute[] = [
  {
    route: '/chat/sessions',
    schema: SESSION_SCHEMA,
    endpoints: [
      { methods: ['GET'], permission: requireRole('editor'), handle: listSessions },
      { methods: ['POST'], permission: requireRole('editor'), handle: createSession },
    ],
  },
  {
    route: '/chat/sessions/(?P<id>[a-zA-Z0-9_-]+)',
    schema: SESSION_SCHEMA,
    endpoints: [
      {
        methods: ['GET'],
        permission: requireRole('editor'),
        handle: withSession((session) => ok(serializeSession(session))),
      },
      {
        methods: ['POST', 'PUT', 'PATCH'],
        permission: requireRole('editor'),
        handle: withSession(changeSession),
      },
      {
        methods: ['DELETE'],
        permission: requireRole('editor'),
        handle: withSession((session, { state }) => {
          state.assistant.sessions.delete(session.id);
          return ok({ deleted: true, previous: serializeSession(session) });
        }),
      },
    ],
  },
];

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
