import type { UploadedFile } from '../../rest-server/declarations.ts';
import { refuse } from '../../rest-server/responses.ts';
import { findFreeName } from '../../rest-server/slug.ts';
import type { ContentRequest, ContentState, MediaFile } from './model.ts';
import seed from './seed.json' with { type: 'json' };
import { getUploadFolder } from './seed.ts';

const MEDIA_TYPES = new Map(Object.entries(seed.mediaTypes));

function sanitizeFileName(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  return base
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(-120);
}

/** WordPress's reading of `Content-Disposition` (RFC 6266, without `filename*`). */
function parseDispositionFileName(header: string): string | undefined {
  for (const part of header.split(';').slice(1)) {
    const [key = '', value] = part.split(/=(.*)/s);
    if (key.trim().toLowerCase() !== 'filename' || value === undefined) continue;
    const name = value.trim();
    return name.length > 1 && name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name;
  }
  return undefined;
}

const MAX_FILE_BYTES: number = 10 * 1024 * 1024;

type ReceivedFile = Omit<UploadedFile, 'field'>;

export function readRequestFile(request: ContentRequest): ReceivedFile {
  const fromForm = request.files.find(({ field }) => field === 'file');
  const received = fromForm ?? readRawBody(request);
  if (received.bytes.length > MAX_FILE_BYTES) {
    const message = `This file is too big. Files must be less than ${MAX_FILE_BYTES / 1024} KB in size.`;
    refuse(400, 'rest_upload_file_too_big', message);
  }
  return validateFile(received.name, received.bytes);
}

function readRawBody({ body, headers }: ContentRequest): { name: string; bytes: Uint8Array } {
  if (body === null || body.length === 0) {
    return refuse(400, 'rest_upload_no_data', 'No data supplied.');
  }
  if (headers.get('content-type') === null) {
    return refuse(400, 'rest_upload_no_content_type', 'No Content-Type supplied.');
  }
  const disposition = headers.get('content-disposition');
  if (disposition === null) {
    return refuse(400, 'rest_upload_no_content_disposition', 'No Content-Disposition supplied.');
  }
  const name = parseDispositionFileName(disposition);
  if (name === undefined || name === '') {
    const message =
      'Invalid Content-Disposition supplied. Content-Disposition needs to be formatted as `attachment; filename="image.png"` or similar.';
    return refuse(400, 'rest_upload_invalid_disposition', message);
  }
  return { name, bytes: body };
}

function validateFile(originalName: string, bytes: Uint8Array): ReceivedFile {
  const name = sanitizeFileName(originalName);
  const type = MEDIA_TYPES.get(/\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '');
  if (bytes.length === 0) {
    refuse(500, 'rest_upload_sideload_error', 'File is empty. Please upload something more substantial.');
  }
  if (type === undefined) {
    return refuse(500, 'rest_upload_sideload_error', 'Sorry, you are not allowed to upload this file type.');
  }
  return { name, type, bytes };
}

export function storeMediaFile(
  state: ContentState,
  { name, type, bytes }: ReceivedFile,
  now: Date,
): MediaFile {
  const folder = getUploadFolder(now.getTime());
  const file = findFreeName(
    (path) => state.files.has(path),
    (suffix) => `${folder}/${name.replace(/(?=\.[^.]*$)/, suffix)}`,
    1,
  );
  state.files.set(file, { type, readBytes: () => bytes });
  return { mime: type, file, alt: '' };
}
