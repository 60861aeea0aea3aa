import type { Json } from '../../../base/json.ts';
import { createWrongTypeViolation } from '../../../generator/validation/wordpress/keywords.ts';
import type { EndpointDeclaration, SiteResponse } from '../../rest-server/declarations.ts';
import { created, listResponse, ok, refuse, refuseUser } from '../../rest-server/responses.ts';
import { sanitizeTitle } from '../../rest-server/slug.ts';
import { STATUSES } from './declarations.ts';
import type { ContentRequest, ContentState, Entry, EntryKind } from './model.ts';
import { selectPage } from './query.ts';
import { canEdit, canRead, requireEditor } from './rules.ts';
import { COLLECTION_ROUTES, getPermalink, serializeEntry } from './serialize.ts';
import { readRequestFile, storeMediaFile } from './uploads.ts';
import { createEntry, deleteEntry, readEntryChanges, trashEntry, updateEntry } from './write.ts';

export type EntryPermission = (request: ContentRequest, kind: EntryKind) => void;

export type EntryHandler = (request: ContentRequest, kind: EntryKind) => SiteResponse;

function findEntry(state: ContentState, kind: EntryKind, id: number): Entry {
  const entry = state.entries.get(id);
  return entry?.kind === kind ? entry : refuse(404, 'rest_post_invalid_id', 'Invalid post ID.');
}

function findRequested({ state, params }: ContentRequest, kind: EntryKind): Entry {
  return findEntry(state, kind, params.integer('id', 0));
}

export const entryPermissions: Readonly<Record<string, EntryPermission>> = {
  listEntries({ params, user }) {
    if (params.string('context') !== 'edit') return;
    requireEditor(user, 'rest_forbidden_context', 'edit posts in this post type');
  },

  readEntry(request, kind) {
    const { params, state, user } = request;
    const entry = findRequested(request, kind);
    if (params.string('context') === 'edit') {
      requireEditor(user, 'rest_forbidden_context', 'edit this post');
    }
    const password = params.string('password', '');
    if (password !== '' && password !== entry.password) {
      refuse(403, 'rest_post_incorrect_password', 'Incorrect post password.');
    }
    if (!canRead(state, user, entry)) refuseUser(user);
  },

  createEntry({ params, user }) {
    if (params.integer('id', 0) !== 0) refuse(400, 'rest_post_exists', 'Cannot create existing post.');
    requireEditor(user, 'rest_cannot_create', 'create posts as this user');
  },

  updateEntry: canUpdateEntry,

  deleteEntry(request, kind) {
    findRequested(request, kind);
    requireEditor(request.user, 'rest_cannot_delete', 'delete this post');
  },

  readRevisions: onParent('parent', 'view revisions'),
  readAutosaves: onParent('id', 'view autosaves'),
};

/** Revisions and autosaves are the mock's; their parent is an entry. */
function onParent(name: 'id' | 'parent', action: string): EntryPermission {
  return ({ params, state, user }, kind) => {
    if (state.entries.get(params.integer(name, 0))?.kind !== kind)
      refuse(404, 'rest_post_invalid_parent', 'Invalid post parent ID.');
    requireEditor(user, 'rest_cannot_read', `${action} of this post`);
  };
}

function canUpdateEntry(request: ContentRequest, kind: EntryKind): void {
  findRequested(request, kind);
  requireEditor(request.user, 'rest_cannot_edit', 'edit this post');
}

const THEME_TEMPLATES: Readonly<Record<EntryKind, readonly string[]>> = {
  post: ['wide'],
  page: ['wide', 'landing', 'no-title'],
  attachment: [],
};

/** Callbacks of WordPress in place of an argument's schema. */
type ArgumentCallbacks = Required<Pick<EndpointDeclaration<ContentState>, 'validate' | 'sanitize'>>;

const identity = (value: Json): Json => value;

export function createWriteCallbacks(kind: EntryKind): ArgumentCallbacks {
  const templates = THEME_TEMPLATES[kind];
  const currentOf = ({ params, state }: ContentRequest): Entry | undefined =>
    state.entries.get(params.integer('id', 0));
  return {
    validate: {
      slug: (value) => (typeof value === 'string' ? undefined : createWrongTypeViolation('slug', 'string')),
      status(value, request) {
        const allowed: readonly unknown[] = [...STATUSES.writable, currentOf(request)?.status];
        if (allowed.includes(value)) return undefined;
        return `status is not one of ${STATUSES.writable.slice(0, -1).join(', ')}, and ${STATUSES.writable.at(-1)}.`;
      },
      template(value, request) {
        const allowed: readonly unknown[] = ['', currentOf(request)?.template, ...templates];
        return allowed.includes(value) ? undefined : `template is not one of ${templates.join(', ')}.`;
      },
    },
    sanitize: {
      title: identity,
      content: identity,
      excerpt: identity,
      caption: identity,
      description: identity,
      slug: (value) => (typeof value === 'string' ? sanitizeTitle(value) : ''),
    },
  };
}

/** As in WordPress, the callback of `status` also checks the permission. */
export function createListCallbacks(kind: EntryKind): ArgumentCallbacks {
  const isMedia = kind === 'attachment';
  const defaultStatus = isMedia ? 'inherit' : 'publish';
  const allowed = isMedia ? STATUSES.media : STATUSES.listable;
  return {
    validate: {
      status(value, { user }) {
        const requested = splitWords(value).filter((status) => status !== defaultStatus);
        if (requested.length > 0 && !canEdit(user)) return 'Status is forbidden.';
        const isKnown = requested.every((status) => allowed.includes(status));
        return isKnown ? undefined : `status[0] is not one of ${allowed.join(', ')}.`;
      },
    },
    sanitize: {
      status(value) {
        const requested = splitWords(value);
        return requested.length === 0 ? [defaultStatus] : requested;
      },
    },
  };
}

function splitWords(value: Json): readonly string[] {
  const list = Array.isArray(value) ? value : [value];
  return list
    .flatMap((item) => (typeof item === 'string' ? item.split(/[\s,]+/) : []))
    .filter((word) => word !== '');
}

export const entryOperations: Readonly<Record<string, EntryHandler>> = {
  listEntries(request, kind) {
    const { entries } = request.state;
    const ofKind = [...entries.values()].filter((entry) => entry.kind === kind);
    const { items, pagination } = selectPage(request, ofKind);
    const context = request.params.string('context', 'view');
    // As in WordPress, totals include entries that the user cannot read.
    const readable = items.filter((entry) => canRead(request.state, request.user, entry));
    return listResponse(
      readable.map((entry) => serializeEntry(entry, request, context)),
      pagination,
    );
  },

  createEntry: (request, kind) =>
    createdEntryResponse(createEntry(kind, readEntryChanges(request, kind), request), request),

  readEntry(request, kind) {
    const entry = findRequested(request, kind);
    return ok(serializeEntry(entry, request, request.params.string('context', 'view')), {
      Link: `<${getPermalink(entry, request)}>; rel="alternate"; type=text/html`,
    });
  },

  updateEntry(request, kind) {
    const current = findRequested(request, kind);
    return editedResponse(updateEntry(current, readEntryChanges(request, kind, current), request), request);
  },

  deleteEntry(request, kind) {
    const entry = findRequested(request, kind);
    if (request.params.boolean('force')) {
      const { _links, ...previous } = serializeEntry(entry, request, 'edit');
      deleteEntry(entry, request.state);
      return ok({ deleted: true, previous });
    }
    if (kind === 'attachment') {
      const message = "The post does not support trashing. Set 'force=true' to delete.";
      refuse(501, 'rest_trash_not_supported', message);
    }
    if (entry.status === 'trash') {
      refuse(410, 'rest_already_trashed', 'The post has already been deleted.');
    }
    return editedResponse(trashEntry(entry, request), request);
  },

  createMedia(request, kind) {
    const { params, state, now } = request;
    validateParent(request);
    const file = readRequestFile(request);
    const changes = readEntryChanges(request, kind);
    const stored = storeMediaFile(state, file, now);
    const media = { ...stored, alt: params.string('alt_text', '') };
    const title = changes.title ?? stored.file.replace(/^.*\/|\.[^.]+$/g, '');
    return createdEntryResponse(createEntry(kind, { ...changes, title, media }, request), request);
  },

  updateMedia(request, kind) {
    const current = findRequested(request, kind);
    validateParent(request);
    const changes = readEntryChanges(request, kind, current);
    const alt = request.params.string('alt_text');
    const media =
      current.media === undefined || alt === undefined ? {} : { media: { ...current.media, alt } };
    return editedResponse(updateEntry(current, { ...changes, ...media }, request), request);
  },
};

function editedResponse(entry: Entry, request: ContentRequest): SiteResponse {
  return ok(serializeEntry(entry, request, 'edit'));
}

function createdEntryResponse(entry: Entry, request: ContentRequest, context = 'edit'): SiteResponse {
  return created(
    serializeEntry(entry, request, context),
    request.link(`${COLLECTION_ROUTES[entry.kind]}/${entry.id}`),
  );
}

function validateParent({ params, state }: ContentRequest): void {
  const parent = params.integer('post', 0);
  if (state.entries.get(parent)?.kind === 'attachment') {
    refuse(400, 'rest_invalid_param', 'Invalid parent type.');
  }
}
