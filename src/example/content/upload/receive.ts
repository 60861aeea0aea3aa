import { createHash } from 'node:crypto';
import { refuse } from '../../site/answers.ts';
import type { SiteError, SiteRequest } from '../../site/declare.ts';
import { readImageFacts } from '../image/dimensions.ts';
import type { ContentState } from '../state.ts';
import { nameFromDisposition, safeName, typeOfName } from './types.ts';

/** The largest file that is kept: 10 MiB. */
export const LARGEST_FILE: number = 10 * 1024 * 1024;

export interface Received {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

type Request = SiteRequest<ContentState>;

/** The file of a request: of the form's field `file`, or the whole body with its name in `Content-Disposition`. */
export function receiveFile(request: Request): Received | SiteError {
  const fromForm = request.files.find(({ field }) => field === 'file');
  // The two ways fail under different names, because two parts of WordPress take the file in.
  const failure = fromForm === undefined ? 'rest_upload_sideload_error' : 'rest_upload_unknown_error';
  const sent = fromForm ?? fromBody(request);
  if ('kind' in sent) return sent;

  const expected = request.headers.get('content-md5')?.trim();
  if (expected !== undefined && expected !== createHash('md5').update(sent.bytes).digest('hex')) {
    return refuse(412, 'rest_upload_hash_mismatch', 'Content hash did not match expected.');
  }
  if (sent.bytes.length > LARGEST_FILE) {
    const message = `This file is too big. Files must be less than ${LARGEST_FILE / 1024} KB in size.`;
    return refuse(400, 'rest_upload_file_too_big', message);
  }
  return judged(sent.name, sent.bytes, failure);
}

function fromBody({ body, headers }: Request): { name: string; bytes: Uint8Array } | SiteError {
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
  const name = nameFromDisposition(disposition);
  if (name === undefined || name === '') {
    return refuse(
      400,
      'rest_upload_invalid_disposition',
      'Invalid Content-Disposition supplied. Content-Disposition needs to be formatted as `attachment; filename="image.png"` or similar.',
    );
  }
  return { name, bytes: body };
}

/** The ending has to be one that is allowed, and an image has to be one. */
function judged(given: string, bytes: Uint8Array, failure: string): Received | SiteError {
  const name = safeName(given);
  const type = typeOfName(name);
  if (bytes.length === 0) {
    return refuse(500, failure, 'File is empty. Please upload something more substantial.');
  }
  if (type === undefined || (type.startsWith('image/') && readImageFacts(bytes)?.mime !== type)) {
    return refuse(500, failure, 'Sorry, you are not allowed to upload this file type.');
  }
  return { name, type, bytes };
}
