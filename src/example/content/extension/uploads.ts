import type { JsonObject } from '../../../json.ts';
import { created, isSiteError, requireRole } from '../../site/responses.ts';
import type { ContentRequest, ContentRoute, ContentState, PendingUpload } from '../model/state.ts';
import { formatDateTime } from '../rules/dates.ts';
import { ALL_CONTEXTS, createRecordSchema, readOnlyField } from '../schema/field.ts';
import { getUploadUrl } from '../serialize/media.ts';
import { type ReceivedFile, readRequestFile } from '../upload/receive.ts';

const UPLOAD_LIFETIME = 3_600_000;

const UPLOAD_SCHEMA = createRecordSchema('upload', {
  id: readOnlyField('Token of the upload.', 'string', ALL_CONTEXTS),
  name: readOnlyField('Name of the file.', 'string', ALL_CONTEXTS),
  type: readOnlyField('Media type of the file.', 'string', ALL_CONTEXTS),
  size: readOnlyField('Size of the file in bytes.', 'integer', ALL_CONTEXTS),
  url: readOnlyField('Where the file can be read until it expires.', 'string', ALL_CONTEXTS, {
    format: 'uri',
  }),
  expires: readOnlyField('When the file is dropped, as GMT.', 'string', ALL_CONTEXTS, {
    format: 'date-time',
  }),
});

/** Stores a file from a form or the raw body without a media item. */
export const UPLOAD_ROUTES: readonly ContentRoute[] = [
  {
    route: '/upload',
    schema: UPLOAD_SCHEMA,
    endpoints: [
      {
        methods: ['POST', 'PUT'],
        permission: requireRole('editor'),
        handle(request) {
          const file = readRequestFile(request);
          if (isSiteError(file)) return file;
          const upload = storeUpload(file, request);
          return created(serializeUpload(upload, request), getUploadUrl(upload.file, request));
        },
      },
    ],
  },
];

function storeUpload(
  { name, type, bytes }: ReceivedFile,
  { state, user, now }: ContentRequest,
): PendingUpload {
  deleteExpiredUploads(state, now.getTime());
  const id = state.random.text(20);
  const file = `incoming/${id}/${name}`;
  const upload: PendingUpload = {
    id,
    owner: user?.id ?? 0,
    name,
    type,
    size: bytes.length,
    file,
    expires: now.getTime() + UPLOAD_LIFETIME,
  };
  state.files.set(file, { type, readBytes: () => bytes });
  state.uploads.set(id, upload);
  return upload;
}

function serializeUpload(
  { id, name, type, size, file, expires }: PendingUpload,
  request: ContentRequest,
): JsonObject {
  return { id, name, type, size, url: getUploadUrl(file, request), expires: formatDateTime(expires) };
}

/** Deletes the uploads that have expired. */
export function deleteExpiredUploads(state: ContentState, now: number): void {
  for (const upload of state.uploads.values()) if (upload.expires <= now) deleteUpload(state, upload);
}

export function deleteUpload(state: ContentState, { id, file }: PendingUpload): void {
  state.uploads.delete(id);
  state.files.delete(file);
}
