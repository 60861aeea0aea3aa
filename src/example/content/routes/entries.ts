import type { SiteError, SiteResponse } from '../../site/declarations.ts';
import { created, isSiteError, listResponse, ok, restError } from '../../site/responses.ts';
import { createListCallbacks, createWriteCallbacks } from '../argument-callbacks.ts';
import type { Entry, EntryKind } from '../model/entries.ts';
import type { ContentEndpoint, ContentRequest, ContentRoute } from '../model/state.ts';
import {
  canCreateEntry,
  canDeleteEntry,
  canListEntries,
  canReadEntry,
  canUpdateEntry,
  findEntry,
} from '../permissions.ts';
import { listEntries } from '../query/list.ts';
import { canRead } from '../rules/capabilities.ts';
import { createWriteArgs, RESPONSE_SCHEMAS, WRITE_SCHEMAS } from '../schema/entry-schemas.ts';
import { CONTEXT_ARG, LIST_ARGS } from '../schema/list-args.ts';
import { serializeEntry } from '../serialize/entry.ts';
import { COLLECTION_ROUTES } from '../serialize/links.ts';
import { getPermalink } from '../serialize/permalink.ts';
import { readEntryChanges } from '../write/changes.ts';
import { deleteEntry, trashEntry } from '../write/remove.ts';
import { createEntry, updateEntry } from '../write/save.ts';

type HandlerResult = SiteResponse | SiteError;

const ID_ARGS = { id: { description: 'Unique identifier for the post.', type: 'integer' } };

const TEXT_ARGS = {
  excerpt_length: { description: 'Override the default excerpt length.', type: 'integer' },
  password: { description: 'The password for the post if it is password protected.', type: 'string' },
};

const FORCE_ARG = {
  type: 'boolean',
  default: false,
  description: 'Whether to bypass Trash and force deletion.',
};

/** Creates the collection and item routes of posts or pages. */
export function createEntryRoutes(kind: 'post' | 'page'): readonly ContentRoute[] {
  const base = COLLECTION_ROUTES[kind].replace('/core/v2', '');
  return [
    {
      route: base,
      schema: RESPONSE_SCHEMAS[kind],
      endpoints: [createListEndpoint(kind, true), createPostEndpoint(kind)],
    },
    {
      route: `${base}/(?P<id>[\\d]+)`,
      schema: RESPONSE_SCHEMAS[kind],
      endpoints: [
        createReadEndpoint(kind, true),
        createUpdateEndpoint(kind, true),
        createDeleteEndpoint(kind, true),
      ],
    },
  ];
}

export function createListEndpoint(kind: EntryKind, allowBatch: boolean): ContentEndpoint {
  return {
    methods: ['GET'],
    allowBatch,
    args: LIST_ARGS[kind],
    ...createListCallbacks(kind),
    permission: canListEntries,
    handle(request) {
      const resultPage = listEntries(request, kind);
      if (isSiteError(resultPage)) return resultPage;
      const context = request.params.string('context', 'view');
      // As in WordPress, the totals include entries that the user cannot read.
      const readable = resultPage.items.filter((entry) => canRead(request.state, request.user, entry));
      return listResponse(
        readable.map((entry) => serializeEntry(entry, request, context)),
        resultPage.pagination,
      );
    },
  };
}

function createPostEndpoint(kind: 'post' | 'page'): ContentEndpoint {
  return {
    methods: ['POST'],
    allowBatch: true,
    args: createWriteArgs(WRITE_SCHEMAS[kind]),
    ...createWriteCallbacks(kind),
    permission: canCreateEntry,
    handle(request) {
      const changes = readEntryChanges(request, kind);
      if (isSiteError(changes)) return changes;
      const entry = createEntry(kind, changes, request);
      return isSiteError(entry) ? entry : createdEntryResponse(entry, request);
    },
  };
}

export function createdEntryResponse(entry: Entry, request: ContentRequest, context = 'edit'): SiteResponse {
  return created(
    serializeEntry(entry, request, context),
    request.link(`${COLLECTION_ROUTES[entry.kind]}/${entry.id}`),
  );
}

export function createReadEndpoint(kind: EntryKind, allowBatch: boolean): ContentEndpoint {
  return {
    methods: ['GET'],
    allowBatch,
    args: { ...ID_ARGS, context: CONTEXT_ARG, ...(kind === 'attachment' ? {} : TEXT_ARGS) },
    permission: canReadEntry(kind),
    handle: withEntry(kind, (entry, request) =>
      ok(serializeEntry(entry, request, request.params.string('context', 'view')), {
        Link: `<${getPermalink(entry, request)}>; rel="alternate"; type=text/html`,
      }),
    ),
  };
}

export function createUpdateEndpoint(kind: EntryKind, allowBatch: boolean): ContentEndpoint {
  return {
    methods: ['POST', 'PUT', 'PATCH'],
    allowBatch,
    args: { ...ID_ARGS, ...createWriteArgs(WRITE_SCHEMAS[kind]) },
    ...createWriteCallbacks(kind),
    permission: canUpdateEntry(kind),
    handle: withEntry(kind, (current, request) => {
      const changes = readEntryChanges(request, kind, current);
      if (isSiteError(changes)) return changes;
      const entry = updateEntry(current, changes, request);
      return isSiteError(entry) ? entry : ok(serializeEntry(entry, request, 'edit'));
    }),
  };
}

export function createDeleteEndpoint(kind: EntryKind, allowBatch: boolean): ContentEndpoint {
  return {
    methods: ['DELETE'],
    allowBatch,
    args: { ...ID_ARGS, force: FORCE_ARG },
    permission: canDeleteEntry(kind),
    handle: withEntry(kind, (entry, request) => {
      if (request.params.boolean('force')) {
        const { _links, ...previous } = serializeEntry(entry, request, 'edit');
        deleteEntry(entry, request.state);
        return ok({ deleted: true, previous });
      }
      if (kind === 'attachment') {
        const message = "The post does not support trashing. Set 'force=true' to delete.";
        return restError(501, 'rest_trash_not_supported', message);
      }
      if (entry.status === 'trash') {
        return restError(410, 'rest_already_trashed', 'The post has already been deleted.');
      }
      return ok(serializeEntry(trashEntry(entry, request), request, 'edit'));
    }),
  };
}

/** Creates a handler that finds the entry of the path first. */
export function withEntry(
  kind: EntryKind,
  handle: (entry: Entry, request: ContentRequest) => HandlerResult,
): (request: ContentRequest) => HandlerResult {
  return (request) => {
    const entry = findEntry(request.state, kind, request.params.integer('id', 0));
    return isSiteError(entry) ? entry : handle(entry, request);
  };
}
