import { collection, created, ok, refuse } from '../site/answers.ts';
import type {
  EndpointDeclaration,
  RouteDeclaration,
  SiteAnswer,
  SiteError,
  SiteRequest,
} from '../site/declare.ts';
import { findEntry, isRefusal, mayCreate, mayDelete, mayList, mayReadOne, mayUpdate } from './access.ts';
import type { Entry, Kind } from './entries.ts';
import { listRules, writeRules } from './judged.ts';
import { listEntries } from './query/list.ts';
import { mayRead } from './rules/rights.ts';
import { ANSWERED, WRITTEN } from './schema/answers.ts';
import { CONTEXT, LIST_ARGS } from './schema/list-args.ts';
import { writableArgs } from './schema/writable.ts';
import { addressOf } from './show/address.ts';
import { showEntry } from './show/entry.ts';
import { COLLECTIONS } from './show/links.ts';
import type { ContentState } from './state.ts';
import { readChanges } from './write/changes.ts';
import { remove, trash } from './write/remove.ts';
import { create, update } from './write/save.ts';

type Request = SiteRequest<ContentState>;
type Endpoint = EndpointDeclaration<ContentState>;
type Answer = SiteAnswer | SiteError;

const ID = { id: { description: 'Unique identifier for the post.', type: 'integer' } };

const READ_TEXT = {
  excerpt_length: { description: 'Override the default excerpt length.', type: 'integer' },
  password: { description: 'The password for the post if it is password protected.', type: 'string' },
};

const FORCE = {
  type: 'boolean',
  default: false,
  description: 'Whether to bypass Trash and force deletion.',
};

/** The list and the items of posts or pages. */
export function entryRoutes(kind: 'post' | 'page'): readonly RouteDeclaration<ContentState>[] {
  const base = COLLECTIONS[kind].replace('/core/v2', '');
  return [
    { route: base, schema: ANSWERED[kind], endpoints: [listEndpoint(kind, true), createEndpoint(kind)] },
    {
      route: `${base}/(?P<id>[\\d]+)`,
      schema: ANSWERED[kind],
      endpoints: [readEndpoint(kind, true), updateEndpoint(kind, true), deleteEndpoint(kind, true)],
    },
  ];
}

export function listEndpoint(kind: Kind, allowBatch: boolean): Endpoint {
  return {
    methods: ['GET'],
    allowBatch,
    args: LIST_ARGS[kind],
    ...listRules(kind),
    permission: mayList,
    handle(request) {
      const listed = listEntries(request, kind);
      if (isRefusal(listed)) return listed;
      const context = request.params.string('context', 'view');
      // The totals count what the caller may not read as well, as at WordPress.
      const readable = listed.items.filter((entry) => mayRead(request.state, request.user, entry));
      return collection(
        readable.map((entry) => showEntry(entry, request, context)),
        listed.page,
      );
    },
  };
}

function createEndpoint(kind: 'post' | 'page'): Endpoint {
  return {
    methods: ['POST'],
    allowBatch: true,
    args: writableArgs(WRITTEN[kind]),
    ...writeRules(kind),
    permission: mayCreate,
    handle(request) {
      const changes = readChanges(request, kind);
      if (isRefusal(changes)) return changes;
      const entry = create(kind, changes, request);
      return isRefusal(entry) ? entry : answerCreated(entry, request);
    },
  };
}

export function answerCreated(entry: Entry, request: Request, context = 'edit'): SiteAnswer {
  return created(showEntry(entry, request, context), request.link(`${COLLECTIONS[entry.kind]}/${entry.id}`));
}

export function readEndpoint(kind: Kind, allowBatch: boolean): Endpoint {
  return {
    methods: ['GET'],
    allowBatch,
    args: { ...ID, context: CONTEXT, ...(kind === 'attachment' ? {} : READ_TEXT) },
    permission: mayReadOne(kind),
    handle: withEntry(kind, (entry, request) =>
      ok(showEntry(entry, request, request.params.string('context', 'view')), {
        Link: `<${addressOf(entry, request)}>; rel="alternate"; type=text/html`,
      }),
    ),
  };
}

export function updateEndpoint(kind: Kind, allowBatch: boolean): Endpoint {
  return {
    methods: ['POST', 'PUT', 'PATCH'],
    allowBatch,
    args: { ...ID, ...writableArgs(WRITTEN[kind]) },
    ...writeRules(kind),
    permission: mayUpdate(kind),
    handle: withEntry(kind, (before, request) => {
      const changes = readChanges(request, kind, before);
      if (isRefusal(changes)) return changes;
      const entry = update(before, changes, request);
      return isRefusal(entry) ? entry : ok(showEntry(entry, request, 'edit'));
    }),
  };
}

export function deleteEndpoint(kind: Kind, allowBatch: boolean): Endpoint {
  return {
    methods: ['DELETE'],
    allowBatch,
    args: { ...ID, force: FORCE },
    permission: mayDelete(kind),
    handle: withEntry(kind, (entry, request) => {
      if (request.params.boolean('force')) {
        const { _links, ...previous } = showEntry(entry, request, 'edit');
        remove(entry, request.state);
        return ok({ deleted: true, previous });
      }
      if (kind === 'attachment') {
        const message = "The post does not support trashing. Set 'force=true' to delete.";
        return refuse(501, 'rest_trash_not_supported', message);
      }
      if (entry.status === 'trash') {
        return refuse(410, 'rest_already_trashed', 'The post has already been deleted.');
      }
      return ok(showEntry(trash(entry, request), request, 'edit'));
    }),
  };
}

/** A handler of a path that names an entry. */
export function withEntry(
  kind: Kind,
  handle: (entry: Entry, request: Request) => Answer,
): (request: Request) => Answer {
  return (request) => {
    const entry = findEntry(request.state, kind, request.params.integer('id', 0));
    return isRefusal(entry) ? entry : handle(entry, request);
  };
}
