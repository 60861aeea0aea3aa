import type { JsonObject } from '../../../json.ts';
import { collection, created, ok, refuse, requires, slicePage } from '../../site/answers.ts';
import type { RouteDeclaration, SiteAnswer, SiteError, SiteRequest } from '../../site/declare.ts';
import { isRefusal } from '../access.ts';
import { showDate } from '../rules/dates.ts';
import type { ContentState } from '../state.ts';
import { findSession, type Session, showCall, showMessage, statusOf } from './assistant.ts';
import { isModel, MODELS, type ModelId } from './models.ts';
import { SESSION_SCHEMA } from './schemas.ts';

type Request = SiteRequest<ContentState>;

const ROUTE = '/ext-a/v1/chat/sessions';
const PER_PAGE = 20;
const LONGEST_TITLE = 200;

/** A user's own sessions. Bodies hold `title`, `model` and `archived`. */
export const SESSION_ROUTES: readonly RouteDeclaration<ContentState>[] = [
  {
    route: '/chat/sessions',
    schema: SESSION_SCHEMA,
    endpoints: [
      { methods: ['GET'], permission: requires('editor'), handle: list },
      { methods: ['POST'], permission: requires('editor'), handle: begin },
    ],
  },
  {
    route: '/chat/sessions/(?P<id>[a-zA-Z0-9_-]+)',
    schema: SESSION_SCHEMA,
    endpoints: [
      {
        methods: ['GET'],
        permission: requires('editor'),
        handle: withSession((session) => ok(showSession(session))),
      },
      { methods: ['POST', 'PUT', 'PATCH'], permission: requires('editor'), handle: withSession(change) },
      {
        methods: ['DELETE'],
        permission: requires('editor'),
        handle: withSession((session, { state }) => {
          state.assistant.sessions.delete(session.id);
          return ok({ deleted: true, previous: showSession(session) });
        }),
      },
    ],
  },
];

/** Latest first; `page` in the query turns the pages. */
function list({ state, user, params }: Request): SiteAnswer {
  const own = [...state.assistant.sessions.values()].filter(({ owner }) => owner === user?.id).reverse();
  const page = Math.max(1, params.integer('page', 1));
  const shown = slicePage(own, { page, perPage: PER_PAGE });
  return collection(shown.map(showSession), { total: own.length, page, perPage: PER_PAGE });
}

function begin(request: Request): SiteAnswer | SiteError {
  const { state, user, now, link } = request;
  const wanted = readSession(request);
  if (isRefusal(wanted)) return wanted;
  const time = now.getTime();
  const session: Session = {
    id: state.random.text(16),
    owner: user?.id ?? 0,
    title: 'New chat',
    model: MODELS[0].id,
    archived: false,
    created: time,
    updated: time,
    messages: [],
    ...wanted,
  };
  state.assistant.sessions.set(session.id, session);
  return created(showSession(session), link(`${ROUTE}/${session.id}`));
}

function change(session: Session, request: Request): SiteAnswer | SiteError {
  const wanted = readSession(request);
  if (isRefusal(wanted)) return wanted;
  const changed: Session = { ...session, ...wanted, updated: request.now.getTime() };
  request.state.assistant.sessions.set(session.id, changed);
  return ok(showSession(changed));
}

interface Wanted {
  readonly title?: string;
  readonly model?: ModelId;
  readonly archived?: boolean;
}

function readSession({ params }: Request): Wanted | SiteError {
  const title = params.string('title');
  const model = params.string('model');
  if (title !== undefined && (title.trim() === '' || title.length > LONGEST_TITLE)) {
    return { ...invalid('title'), params: { title: `title must have 1 to ${LONGEST_TITLE} characters.` } };
  }
  if (model !== undefined && !isModel(model)) {
    return { ...invalid('model'), params: { model: 'model is not one of the models.' } };
  }
  return {
    ...(title === undefined ? {} : { title: title.trim() }),
    ...(model === undefined ? {} : { model }),
    ...(params.has('archived') ? { archived: params.boolean('archived') } : {}),
  };
}

function invalid(name: string): SiteError {
  return refuse(400, 'ext_a_invalid_parameter', `Invalid parameter(s): ${name}`);
}

function withSession(handle: (session: Session, request: Request) => SiteAnswer | SiteError) {
  return (request: Request): SiteAnswer | SiteError => {
    const session = findSession(request, request.params.string('id', ''));
    return isRefusal(session) ? session : handle(session, request);
  };
}

function showSession(session: Session): JsonObject {
  const { id, title, model, archived, created: begun, updated, messages, pending } = session;
  return {
    id,
    title,
    model,
    archived,
    status: statusOf(session),
    created: showDate(begun),
    updated: showDate(updated),
    messages: messages.map(showMessage),
    pending: pending === undefined ? null : showCall(pending),
  };
}
