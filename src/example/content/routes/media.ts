import type { SiteError, SiteResponse } from '../../site/declarations.ts';
import { forbiddenError, isSiteError, ok, restError } from '../../site/responses.ts';
import { createWriteCallbacks } from '../argument-callbacks.ts';
import type { Entry } from '../model/entries.ts';
import type { ContentEndpoint, ContentRequest, ContentRoute } from '../model/state.ts';
import { canCreateEntry, canUpdateEntry } from '../permissions.ts';
import { canEdit } from '../rules/capabilities.ts';
import { createWriteArgs, RESPONSE_SCHEMAS } from '../schema/entry-schemas.ts';
import { EDIT_ARGS, MEDIA_SCHEMA } from '../schema/media.ts';
import { serializeEntry } from '../serialize/entry.ts';
import { getUploadUrl } from '../serialize/media.ts';
import { createEditedCopy, parseImageEdits } from '../upload/image-edit.ts';
import { readRequestFile } from '../upload/receive.ts';
import { addImageSizes, storeMediaFile } from '../upload/store.ts';
import { readEntryChanges } from '../write/changes.ts';
import { createEntry, updateEntry } from '../write/save.ts';
import {
  createDeleteEndpoint,
  createdEntryResponse,
  createListEndpoint,
  createReadEndpoint,
  createUpdateEndpoint,
  withEntry,
} from './entries.ts';

/** The image types that WordPress can edit. */
const EDITABLE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

const createMediaEndpoint: ContentEndpoint = {
  methods: ['POST'],
  args: createWriteArgs(MEDIA_SCHEMA),
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
};

const updateMediaEndpoint: ContentEndpoint = {
  ...createUpdateEndpoint('attachment', false),
  handle: withEntry('attachment', (current, request) => {
    const changes = validateParent(request) ?? readEntryChanges(request, 'attachment', current);
    if (isSiteError(changes)) return changes;
    const alt = request.params.string('alt_text');
    const media =
      current.media === undefined || alt === undefined ? {} : { media: { ...current.media, alt } };
    const entry = updateEntry(current, { ...changes, ...media }, request);
    return isSiteError(entry) ? entry : ok(serializeEntry(entry, request, 'edit'));
  }),
};

const postProcessEndpoint: ContentEndpoint = {
  methods: ['POST'],
  args: {
    id: { description: 'Unique identifier for the attachment.', type: 'integer' },
    action: { type: 'string', enum: ['create-image-subsizes'], required: true },
  },
  permission: canUpdateEntry('attachment'),
  handle: withEntry('attachment', (current, request) => {
    const media =
      current.media === undefined ? {} : { media: addImageSizes(current.media, request.state.files) };
    const entry: Entry = { ...current, ...media };
    request.state.entries.set(entry.id, entry);
    return ok(serializeEntry(entry, request, 'edit'));
  }),
};

const editEndpoint: ContentEndpoint = {
  methods: ['POST'],
  args: EDIT_ARGS,
  permission: (request) =>
    canEdit(request.user)
      ? canUpdateEntry('attachment')(request)
      : forbiddenError(
          request.user,
          'rest_cannot_edit_image',
          'Sorry, you are not allowed to upload media on this site.',
        ),
  handle: withEntry('attachment', editImage),
};

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

export const MEDIA_ROUTES: readonly ContentRoute[] = [
  {
    route: '/media',
    schema: RESPONSE_SCHEMAS.attachment,
    endpoints: [createListEndpoint('attachment', false), createMediaEndpoint],
  },
  {
    route: '/media/(?P<id>[\\d]+)',
    schema: RESPONSE_SCHEMAS.attachment,
    endpoints: [
      createReadEndpoint('attachment', false),
      updateMediaEndpoint,
      createDeleteEndpoint('attachment', false),
    ],
  },
  { route: '/media/(?P<id>[\\d]+)/post-process', endpoints: [postProcessEndpoint] },
  { route: '/media/(?P<id>[\\d]+)/edit', endpoints: [editEndpoint] },
];
