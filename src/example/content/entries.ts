import type { Json } from '../../json.ts';
import type { SiteError, SiteResponse } from '../../rest-server/declarations.ts';
import {
  created,
  forbiddenError,
  isSiteError,
  listResponse,
  ok,
  restError,
} from '../../rest-server/responses.ts';
import { createWrongTypeViolation } from '../../validation/wordpress/keywords.ts';
import type { ContentOperation, ContentOperations } from './declarations.ts';
import type { ContentRequest, ContentState, Entry, EntryKind } from './model.ts';
import { listEntries } from './query.ts';
import {
  canEdit,
  canRead,
  LISTABLE_STATUSES,
  MEDIA_STATUSES,
  sanitizeTitle,
  WRITABLE_STATUSES,
} from './rules.ts';
import { COLLECTION_ROUTES, getPermalink, getUploadUrl, serializeEntry } from './serialize.ts';
import {
  addImageSizes,
  createEditedCopy,
  parseImageEdits,
  readRequestFile,
  storeMediaFile,
} from './uploads.ts';
import { createEntry, deleteEntry, readEntryChanges, trashEntry, updateEntry } from './write.ts';

type PermissionCheck = (request: ContentRequest) => SiteError | undefined;

/** Finds an entry by kind and id. */
export function findEntry(state: ContentState, kind: EntryKind, id: number): Entry | SiteError {
  const entry = state.entries.get(id);
  return entry?.kind === kind ? entry : restError(404, 'rest_post_invalid_id', 'Invalid post ID.');
}

/** Finds the parent entry of a revision or autosave. */
function findParent(state: ContentState, kind: EntryKind, id: number): Entry | SiteError {
  const entry = state.entries.get(id);
  return entry?.kind === kind ? entry : restError(404, 'rest_post_invalid_parent', 'Invalid post parent ID.');
}

/** Requires that the parent of a revision or autosave exists and that the user can edit it. */
export function checkParentAccess(
  { params, state, user }: ContentRequest,
  kind: EntryKind,
  { parentParam, code, message }: ParentCheck,
): SiteError | undefined {
  const parent = findParent(state, kind, params.integer(parentParam, 0));
  if (isSiteError(parent)) return parent;
  return canEdit(user) ? undefined : forbiddenError(user, code, message);
}

interface ParentCheck {
  /** The path parameter with the id of the parent. */
  readonly parentParam: 'id' | 'parent';
  /** The error of a user who cannot edit. */
  readonly code: string;
  readonly message: string;
}

const canListEntries: PermissionCheck = ({ params, user }) =>
  params.string('context') === 'edit' && !canEdit(user)
    ? forbiddenError(
        user,
        'rest_forbidden_context',
        'Sorry, you are not allowed to edit posts in this post type.',
      )
    : undefined;

/** Permits reading if the entry exists and the context, the password and the status allow it. */
function canReadEntry(kind: EntryKind): PermissionCheck {
  return ({ params, state, user }) => {
    const entry = findEntry(state, kind, params.integer('id', 0));
    if (isSiteError(entry)) return entry;
    if (params.string('context') === 'edit' && !canEdit(user)) {
      return forbiddenError(user, 'rest_forbidden_context', 'Sorry, you are not allowed to edit this post.');
    }
    const password = params.string('password', '');
    if (password !== '' && password !== entry.password) {
      return restError(403, 'rest_post_incorrect_password', 'Incorrect post password.');
    }
    return canRead(state, user, entry) ? undefined : forbiddenError(user);
  };
}

const canCreateEntry: PermissionCheck = (request) => {
  const { params, user } = request;
  if (params.integer('id', 0) !== 0) {
    return restError(400, 'rest_post_exists', 'Cannot create existing post.');
  }
  return (
    checkEditorFields(request, 'create') ??
    (canEdit(user)
      ? undefined
      : forbiddenError(
          user,
          'rest_cannot_create',
          'Sorry, you are not allowed to create posts as this user.',
        ))
  );
};

export function canUpdateEntry(kind: EntryKind): PermissionCheck {
  return (request) => {
    const { params, state, user } = request;
    const entry = findEntry(state, kind, params.integer('id', 0));
    if (isSiteError(entry)) return entry;
    if (!canEdit(user)) {
      return forbiddenError(user, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.');
    }
    return checkEditorFields(request, 'update');
  };
}

function canDeleteEntry(kind: EntryKind): PermissionCheck {
  return ({ params, state, user }) => {
    const entry = findEntry(state, kind, params.integer('id', 0));
    if (isSiteError(entry)) return entry;
    return canEdit(user)
      ? undefined
      : forbiddenError(user, 'rest_cannot_delete', 'Sorry, you are not allowed to delete this post.');
  };
}

/** Requires an editor for the author of another user and for sticky posts. */
function checkEditorFields(
  { params, user }: ContentRequest,
  verb: 'create' | 'update',
): SiteError | undefined {
  if (canEdit(user)) return undefined;
  const author = params.integer('author', 0);
  if (author !== 0 && author !== user?.id) {
    return forbiddenError(
      user,
      'rest_cannot_edit_others',
      `Sorry, you are not allowed to ${verb} posts as this user.`,
    );
  }
  return params.boolean('sticky')
    ? forbiddenError(user, 'rest_cannot_assign_sticky', 'Sorry, you are not allowed to make posts sticky.')
    : undefined;
}

/** The templates of the theme in addition to the default one, by kind. */
const THEME_TEMPLATES: Readonly<Record<EntryKind, readonly string[]>> = {
  post: ['wide'],
  page: ['wide', 'landing', 'no-title'],
  attachment: [],
};

const identity = (value: Json): Json => value;

/** Creates the callbacks that WordPress uses for some arguments of write endpoints instead of their schemas. */
export function createWriteCallbacks(
  kind: EntryKind,
): Required<Pick<ContentOperation, 'validate' | 'sanitize'>> {
  return {
    validate: {
      slug: (value) => (typeof value === 'string' ? undefined : createWrongTypeViolation('slug', 'string')),
      status(value, { params, state }) {
        const current = state.entries.get(params.integer('id', 0))?.status;
        const allowed: readonly unknown[] = [...WRITABLE_STATUSES, current];
        return allowed.includes(value)
          ? undefined
          : `status is not one of ${WRITABLE_STATUSES.slice(0, -1).join(', ')}, and ${WRITABLE_STATUSES.at(-1)}.`;
      },
      template(value, { params, state }) {
        const current = state.entries.get(params.integer('id', 0))?.template;
        const allowed: readonly unknown[] = ['', current, ...THEME_TEMPLATES[kind]];
        return allowed.includes(value)
          ? undefined
          : `template is not one of ${THEME_TEMPLATES[kind].join(', ')}.`;
      },
    },
    // A text is a string or an object. The handler ignores other values.
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

/** Creates the argument callbacks of list endpoints. As in WordPress, the callback of `status` also checks the permission. */
function createListCallbacks(kind: EntryKind): Required<Pick<ContentOperation, 'validate' | 'sanitize'>> {
  const [defaultStatus, allowed] =
    kind === 'attachment'
      ? (['inherit', MEDIA_STATUSES] as const)
      : (['publish', LISTABLE_STATUSES] as const);
  return {
    validate: {
      status(value, { user }) {
        const requested = splitWords(value).filter((status) => status !== defaultStatus);
        if (requested.length > 0 && !canEdit(user)) return 'Status is forbidden.';
        const unknownStatus = requested.find((status) => !allowed.some((one) => one === status));
        return unknownStatus === undefined ? undefined : `status[0] is not one of ${allowed.join(', ')}.`;
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

/** Splits text, or each text of a list, at commas and spaces. */
function splitWords(value: Json): readonly string[] {
  const list = Array.isArray(value) ? value : [value];
  return list
    .flatMap((item) => (typeof item === 'string' ? item.split(/[\s,]+/) : []))
    .filter((word) => word !== '');
}

type HandlerResult = SiteResponse | SiteError;

/** Creates the operations on the list and the items of a kind. */
export function entryOperations(kind: EntryKind, base: string): ContentOperations {
  return {
    [`GET ${base}`]: {
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
    },
    [`POST ${base}`]: {
      ...createWriteCallbacks(kind),
      permission: canCreateEntry,
      handle(request) {
        const changes = readEntryChanges(request, kind);
        if (isSiteError(changes)) return changes;
        const entry = createEntry(kind, changes, request);
        return isSiteError(entry) ? entry : createdEntryResponse(entry, request);
      },
    },
    [`GET ${base}/(?P<id>[\\d]+)`]: {
      permission: canReadEntry(kind),
      handle: withEntry(kind, (entry, request) =>
        ok(serializeEntry(entry, request, request.params.string('context', 'view')), {
          Link: `<${getPermalink(entry, request)}>; rel="alternate"; type=text/html`,
        }),
      ),
    },
    [`POST PUT PATCH ${base}/(?P<id>[\\d]+)`]: {
      ...createWriteCallbacks(kind),
      permission: canUpdateEntry(kind),
      handle: withEntry(kind, (current, request) => {
        const changes = readEntryChanges(request, kind, current);
        if (isSiteError(changes)) return changes;
        const entry = updateEntry(current, changes, request);
        return isSiteError(entry) ? entry : ok(serializeEntry(entry, request, 'edit'));
      }),
    },
    [`DELETE ${base}/(?P<id>[\\d]+)`]: {
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
    },
  };
}

/** The operations on media items, whose files are sent, edited and scaled. */
export const mediaOperations: ContentOperations = {
  ...entryOperations('attachment', '/media'),
  'POST /media': {
    ...createWriteCallbacks('attachment'),
    permission: canCreateEntry,
    handle(request) {
      const { params, state, now } = request;
      const parentError = validateParent(request);
      if (parentError !== undefined) return parentError;
      const file = readRequestFile(request);
      if (isSiteError(file)) return file;
      const changes = readEntryChanges(request, 'attachment');
      if (isSiteError(changes)) return changes;

      const stored = storeMediaFile(state, file, now);
      const media = { ...stored, alt: params.string('alt_text', '') };
      const title = changes.title ?? stored.file.replace(/^.*\/|\.[^.]+$/g, '');
      const entry = createEntry('attachment', { ...changes, title, media }, request);
      return isSiteError(entry) ? entry : createdEntryResponse(entry, request);
    },
  },
  'POST PUT PATCH /media/(?P<id>[\\d]+)': {
    ...createWriteCallbacks('attachment'),
    permission: canUpdateEntry('attachment'),
    handle: withEntry('attachment', (current, request) => {
      const changes = validateParent(request) ?? readEntryChanges(request, 'attachment', current);
      if (isSiteError(changes)) return changes;
      const alt = request.params.string('alt_text');
      const media =
        current.media === undefined || alt === undefined ? {} : { media: { ...current.media, alt } };
      const entry = updateEntry(current, { ...changes, ...media }, request);
      return isSiteError(entry) ? entry : ok(serializeEntry(entry, request, 'edit'));
    }),
  },
  'POST /media/(?P<id>[\\d]+)/post-process': {
    permission: canUpdateEntry('attachment'),
    handle: withEntry('attachment', (current, request) => {
      const media =
        current.media === undefined ? {} : { media: addImageSizes(current.media, request.state.files) };
      const entry: Entry = { ...current, ...media };
      request.state.entries.set(entry.id, entry);
      return ok(serializeEntry(entry, request, 'edit'));
    }),
  },
  'POST /media/(?P<id>[\\d]+)/edit': {
    permission: (request) =>
      canEdit(request.user)
        ? canUpdateEntry('attachment')(request)
        : forbiddenError(
            request.user,
            'rest_cannot_edit_image',
            'Sorry, you are not allowed to upload media on this site.',
          ),
    handle: withEntry('attachment', editImage),
  },
};

function createdEntryResponse(entry: Entry, request: ContentRequest, context = 'edit'): SiteResponse {
  return created(
    serializeEntry(entry, request, context),
    request.link(`${COLLECTION_ROUTES[entry.kind]}/${entry.id}`),
  );
}

/** Creates a handler that finds the entry of the path first. */
function withEntry(
  kind: EntryKind,
  handle: (entry: Entry, request: ContentRequest) => HandlerResult,
): (request: ContentRequest) => HandlerResult {
  return (request) => {
    const entry = findEntry(request.state, kind, request.params.integer('id', 0));
    return isSiteError(entry) ? entry : handle(entry, request);
  };
}

/** The image types that WordPress can edit. */
const EDITABLE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

function editImage(original: Entry, request: ContentRequest): SiteResponse | SiteError {
  const { params, state, now } = request;
  const { media } = original;
  if (media === undefined || !isFileOf(original, params.string('src', ''), request)) {
    return restError(404, 'rest_unknown_attachment', 'Unable to get meta information for file.');
  }
  if (!EDITABLE_TYPES.includes(media.mime)) {
    return restError(400, 'rest_cannot_edit_file_type', 'This type of file cannot be edited.');
  }
  const modifiers = parseImageEdits(params.objects('modifiers'));
  if (modifiers.length === 0) {
    const message = 'The image was not edited. Edit the image before applying the changes.';
    return restError(400, 'rest_image_not_edited', message);
  }
  const { title, content, excerpt } = original;
  const edited = createEditedCopy(state, media, modifiers, { id: original.id, now });
  const entry = createEntry('attachment', { title, content, excerpt, media: edited }, request);
  return isSiteError(entry) ? entry : createdEntryResponse(entry, request, 'view');
}

/** Whether a URL is that of the image or of one of its sizes. */
function isFileOf({ media }: Entry, src: string, request: ContentRequest): boolean {
  if (media?.image === undefined) return false;
  const folder = media.file.slice(0, media.file.lastIndexOf('/') + 1);
  const files = [media.file, ...Object.values(media.sizes).map(({ file }) => folder + file)];
  return files.some(
    (file) => src === getUploadUrl(file, request) || src.endsWith(`/wp-content/uploads/${file}`),
  );
}

/** Only a post or page can be the parent of a media item. */
function validateParent({ params, state }: ContentRequest): SiteError | undefined {
  const parent = params.integer('post', 0);
  const isInvalid = state.entries.get(parent)?.kind === 'attachment' || state.revisions.has(parent);
  return isInvalid ? restError(400, 'rest_invalid_param', 'Invalid parent type.') : undefined;
}
