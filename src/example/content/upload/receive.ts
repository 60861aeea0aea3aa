import { createHash } from 'node:crypto';
import type { SiteError } from '../../site/declarations.ts';
import { restError } from '../../site/responses.ts';
import { readImageInfo } from '../image/image-info.ts';
import type { ContentRequest } from '../model/state.ts';
import { getMediaType, parseDispositionFileName, sanitizeFileName } from './file-name.ts';

/** The size limit of an uploaded file: 10 MiB. */
const MAX_FILE_BYTES: number = 10 * 1024 * 1024;

export interface ReceivedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Reads the form field `file`, or the raw body with its name in `Content-Disposition`. */
export function readRequestFile(request: ContentRequest): ReceivedFile | SiteError {
  const fromForm = request.files.find(({ field }) => field === 'file');
  // WordPress handles forms and raw bodies in two functions with different error codes.
  const errorCode = fromForm === undefined ? 'rest_upload_sideload_error' : 'rest_upload_unknown_error';
  const received = fromForm ?? readRawBody(request);
  if ('kind' in received) return received;

  const expected = request.headers.get('content-md5')?.trim();
  if (expected !== undefined && expected !== createHash('md5').update(received.bytes).digest('hex')) {
    return restError(412, 'rest_upload_hash_mismatch', 'Content hash did not match expected.');
  }
  if (received.bytes.length > MAX_FILE_BYTES) {
    const message = `This file is too big. Files must be less than ${MAX_FILE_BYTES / 1024} KB in size.`;
    return restError(400, 'rest_upload_file_too_big', message);
  }
  return validateFile(received.name, received.bytes, errorCode);
}

function readRawBody({ body, headers }: ContentRequest): { name: string; bytes: Uint8Array } | SiteError {
  if (body === null || body.length === 0) {
    return restError(400, 'rest_upload_no_data', 'No data supplied.');
  }
  if (headers.get('content-type') === null) {
    return restError(400, 'rest_upload_no_content_type', 'No Content-Type supplied.');
  }
  const disposition = headers.get('content-disposition');
  if (disposition === null) {
    return restError(400, 'rest_upload_no_content_disposition', 'No Content-Disposition supplied.');
  }
  const name = parseDispositionFileName(disposition);
  if (name === undefined || name === '') {
    return restError(
      400,
      'rest_upload_invalid_disposition',
      'Invalid Content-Disposition supplied. Content-Disposition needs to be formatted as `attachment; filename="image.png"` or similar.',
    );
  }
  return { name, bytes: body };
}

/** Requires an accepted extension and, for an image, matching content. */
function validateFile(originalName: string, bytes: Uint8Array, errorCode: string): ReceivedFile | SiteError {
  const name = sanitizeFileName(originalName);
  const type = getMediaType(name);
  if (bytes.length === 0) {
    return restError(500, errorCode, 'File is empty. Please upload something more substantial.');
  }
  if (type === undefined || (type.startsWith('image/') && readImageInfo(bytes)?.mime !== type)) {
    return restError(500, errorCode, 'Sorry, you are not allowed to upload this file type.');
  }
  return { name, type, bytes };
}
