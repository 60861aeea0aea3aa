import { forbid, ok, refuse } from '../site/answers.ts';
import type {
  EndpointDeclaration,
  RouteDeclaration,
  SiteAnswer,
  SiteError,
  SiteRequest,
} from '../site/declare.ts';
import { isRefusal, mayCreate, mayUpdate } from './access.ts';
import type { Entry } from './entries.ts';
import {
  answerCreated,
  deleteEndpoint,
  listEndpoint,
  readEndpoint,
  updateEndpoint,
  withEntry,
} from './entry-routes.ts';
import { writeRules } from './judged.ts';
import { mayWrite } from './rules/rights.ts';
import { ANSWERED } from './schema/answers.ts';
import { EDIT_ARGS, MEDIA_SCHEMA } from './schema/media.ts';
import { writableArgs } from './schema/writable.ts';
import { showEntry } from './show/entry.ts';
import { fileAt } from './show/media.ts';
import type { ContentState } from './state.ts';
import { editMedia, readModifiers } from './upload/edit.ts';
import { receiveFile } from './upload/receive.ts';
import { storeMedia, withSizes } from './upload/store.ts';
import { readChanges } from './write/changes.ts';
import { create, update } from './write/save.ts';

type Request = SiteRequest<ContentState>;
type Endpoint = EndpointDeclaration<ContentState>;

/** Images that WordPress can edit. */
const EDITABLE = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

const createMedia: Endpoint = {
  methods: ['POST'],
  args: writableArgs(MEDIA_SCHEMA),
  ...writeRules('attachment'),
  permission: mayCreate,
  handle(request) {
    const { params, state, now } = request;
    const refused = wrongParent(request);
    if (refused !== undefined) return refused;
    const file = receiveFile(request);
    if (isRefusal(file)) return file;
    const changes = readChanges(request, 'attachment');
    if (isRefusal(changes)) return changes;

    const stored = storeMedia(state, file, now);
    const media = { ...stored, alt: params.string('alt_text', '') };
    const title = changes.title ?? stored.file.replace(/^.*\/|\.[^.]+$/g, '');
    const entry = create('attachment', { ...changes, title, media }, request);
    return isRefusal(entry) ? entry : answerCreated(entry, request);
  },
};

const updateMedia: Endpoint = {
  ...updateEndpoint('attachment', false),
  handle: withEntry('attachment', (before, request) => {
    const changes = wrongParent(request) ?? readChanges(request, 'attachment', before);
    if (isRefusal(changes)) return changes;
    const alt = request.params.string('alt_text');
    const media = before.media === undefined || alt === undefined ? {} : { media: { ...before.media, alt } };
    const entry = update(before, { ...changes, ...media }, request);
    return isRefusal(entry) ? entry : ok(showEntry(entry, request, 'edit'));
  }),
};

const postProcess: Endpoint = {
  methods: ['POST'],
  args: {
    id: { description: 'Unique identifier for the attachment.', type: 'integer' },
    action: { type: 'string', enum: ['create-image-subsizes'], required: true },
  },
  permission: mayUpdate('attachment'),
  handle: withEntry('attachment', (before, request) => {
    const media = before.media === undefined ? {} : { media: withSizes(before.media, request.state.files) };
    const entry: Entry = { ...before, ...media };
    request.state.entries.set(entry.id, entry);
    return ok(showEntry(entry, request, 'edit'));
  }),
};

const edit: Endpoint = {
  methods: ['POST'],
  args: EDIT_ARGS,
  permission: (request) =>
    mayWrite(request.user)
      ? mayUpdate('attachment')(request)
      : forbid(
          request.user,
          'rest_cannot_edit_image',
          'Sorry, you are not allowed to upload media on this site.',
        ),
  handle: withEntry('attachment', editImage),
};

function editImage(original: Entry, request: Request): SiteAnswer | SiteError {
  const { params, state, now } = request;
  const { media } = original;
  if (media === undefined || !isFileOf(original, params.string('src', ''), request)) {
    return refuse(404, 'rest_unknown_attachment', 'Unable to get meta information for file.');
  }
  if (!EDITABLE.includes(media.mime)) {
    return refuse(400, 'rest_cannot_edit_file_type', 'This type of file cannot be edited.');
  }
  const modifiers = readModifiers(params.objects('modifiers'));
  if (modifiers.length === 0) {
    const message = 'The image was not edited. Edit the image before applying the changes.';
    return refuse(400, 'rest_image_not_edited', message);
  }
  const { title, content, excerpt } = original;
  const edited = editMedia(state, media, modifiers, { id: original.id, now });
  const entry = create('attachment', { title, content, excerpt, media: edited }, request);
  return isRefusal(entry) ? entry : answerCreated(entry, request, 'view');
}

/** Whether an address is that of the image or of one of its sizes. */
function isFileOf({ media }: Entry, src: string, request: Request): boolean {
  if (media?.image === undefined) return false;
  const folder = media.file.slice(0, media.file.lastIndexOf('/') + 1);
  const files = [media.file, ...Object.values(media.sizes).map(({ file }) => folder + file)];
  return files.some((file) => src === fileAt(file, request) || src.endsWith(`/wp-content/uploads/${file}`));
}

/** Media hang on posts and pages only. */
function wrongParent({ params, state }: Request): SiteError | undefined {
  const parent = params.integer('post', 0);
  const wrong = state.entries.get(parent)?.kind === 'attachment' || state.revisions.has(parent);
  return wrong ? refuse(400, 'rest_invalid_param', 'Invalid parent type.') : undefined;
}

export const MEDIA_ROUTES: readonly RouteDeclaration<ContentState>[] = [
  {
    route: '/media',
    schema: ANSWERED.attachment,
    endpoints: [listEndpoint('attachment', false), createMedia],
  },
  {
    route: '/media/(?P<id>[\\d]+)',
    schema: ANSWERED.attachment,
    endpoints: [readEndpoint('attachment', false), updateMedia, deleteEndpoint('attachment', false)],
  },
  { route: '/media/(?P<id>[\\d]+)/post-process', endpoints: [postProcess] },
  { route: '/media/(?P<id>[\\d]+)/edit', endpoints: [edit] },
];
