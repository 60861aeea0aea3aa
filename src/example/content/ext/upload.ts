import type { JsonObject } from '../../../json.ts';
import { ok, requires } from '../../site/answers.ts';
import type { RouteDeclaration, SiteRequest } from '../../site/declare.ts';
import { isRefusal } from '../access.ts';
import { showDate } from '../rules/dates.ts';
import { EVERYWHERE, schemaOf, shown } from '../schema/field.ts';
import { fileAt } from '../show/media.ts';
import type { ContentState } from '../state.ts';
import { type Received, receiveFile } from '../upload/receive.ts';

/** A file that was sent ahead: it waits to be used, an hour long. */
export interface Upload {
  readonly id: string;
  readonly owner: number;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** Below the uploads folder. */
  readonly file: string;
  readonly expires: number;
}

const LIFETIME = 3_600_000;

const SCHEMA = schemaOf('upload', {
  id: shown('Token of the upload.', 'string', EVERYWHERE),
  name: shown('Name of the file.', 'string', EVERYWHERE),
  type: shown('Media type of the file.', 'string', EVERYWHERE),
  size: shown('Size of the file in bytes.', 'integer', EVERYWHERE),
  url: shown('Where the file can be read until it expires.', 'string', EVERYWHERE, { format: 'uri' }),
  expires: shown('When the file is dropped, as GMT.', 'string', EVERYWHERE, { format: 'date-time' }),
});

/** Takes a file in, as a form or as the raw body; it becomes no media item. */
export const UPLOAD_ROUTES: readonly RouteDeclaration<ContentState>[] = [
  {
    route: '/upload',
    schema: SCHEMA,
    endpoints: [
      {
        methods: ['POST', 'PUT'],
        permission: requires('editor'),
        handle(request) {
          const file = receiveFile(request);
          if (isRefusal(file)) return file;
          const upload = keep(file, request);
          return ok(show(upload, request));
        },
      },
    ],
  },
];

function keep({ name, type, bytes }: Received, { state, user, now }: SiteRequest<ContentState>): Upload {
  dropExpired(state, now.getTime());
  const id = state.random.text(20);
  const file = `incoming/${id}/${name}`;
  const upload: Upload = {
    id,
    owner: user?.id ?? 0,
    name,
    type,
    size: bytes.length,
    file,
    expires: now.getTime() + LIFETIME,
  };
  state.files.set(file, { type, bytes: () => bytes });
  state.uploads.set(id, upload);
  return upload;
}

function show(
  { id, name, type, size, file, expires }: Upload,
  request: SiteRequest<ContentState>,
): JsonObject {
  return { id, name, type, size, url: fileAt(file, request), expires: showDate(expires) };
}

/** Drops uploads whose hour is over. */
export function dropExpired(state: ContentState, now: number): void {
  for (const upload of state.uploads.values()) if (upload.expires <= now) drop(state, upload);
}

export function drop(state: ContentState, { id, file }: Upload): void {
  state.uploads.delete(id);
  state.files.delete(file);
}
