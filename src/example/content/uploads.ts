import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import type { UploadedFile } from '../../rest-server/declarations.ts';
import { refuse } from '../../rest-server/responses.ts';
import {
  crop,
  decodePng,
  encodePng,
  flip,
  type PixelBuffer,
  readImageInfo,
  rotate,
  storeImageSizes,
} from './images.ts';
import type { ContentRequest, ContentState, ImageEdit, MediaFile, StoredFile } from './model.ts';
import seed from './seed.json' with { type: 'json' };
import { getUploadFolder } from './seed.ts';

/** The media types that are accepted, by file extension. Types that browsers run are missing. */
const MEDIA_TYPES = new Map(Object.entries(seed.mediaTypes));

/** Removes folders and leading dots from a file name and replaces unsafe characters by hyphens. */
export function sanitizeFileName(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  return base
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(-120);
}

/** Parses the file name of `Content-Disposition` as WordPress does (RFC 6266, without `filename*`). */
export function parseDispositionFileName(header: string): string | undefined {
  for (const part of header.split(';').slice(1)) {
    const [key = '', value] = part.split(/=(.*)/s);
    if (key.trim().toLowerCase() !== 'filename' || value === undefined) continue;
    const name = value.trim();
    return name.length > 1 && name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name;
  }
  return undefined;
}

/** The size limit of an uploaded file: 10 MiB. */
const MAX_FILE_BYTES: number = 10 * 1024 * 1024;

export type ReceivedFile = Omit<UploadedFile, 'field'>;

/** Reads the form field `file`, or the raw body with its name in `Content-Disposition`. */
export function readRequestFile(request: ContentRequest): ReceivedFile {
  const fromForm = request.files.find(({ field }) => field === 'file');
  // WordPress handles forms and raw bodies in two functions with different error codes.
  const errorCode = fromForm === undefined ? 'rest_upload_sideload_error' : 'rest_upload_unknown_error';
  const received = fromForm ?? readRawBody(request);

  const expected = request.headers.get('content-md5')?.trim();
  if (expected !== undefined && expected !== createHash('md5').update(received.bytes).digest('hex')) {
    refuse(412, 'rest_upload_hash_mismatch', 'Content hash did not match expected.');
  }
  if (received.bytes.length > MAX_FILE_BYTES) {
    const message = `This file is too big. Files must be less than ${MAX_FILE_BYTES / 1024} KB in size.`;
    refuse(400, 'rest_upload_file_too_big', message);
  }
  return validateFile(received.name, received.bytes, errorCode);
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

/** Requires an accepted extension and, for an image, matching content. */
function validateFile(originalName: string, bytes: Uint8Array, errorCode: string): ReceivedFile {
  const name = sanitizeFileName(originalName);
  const type = MEDIA_TYPES.get(/\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '');
  if (bytes.length === 0) {
    refuse(500, errorCode, 'File is empty. Please upload something more substantial.');
  }
  if (type === undefined || (type.startsWith('image/') && readImageInfo(bytes)?.mime !== type)) {
    return refuse(500, errorCode, 'Sorry, you are not allowed to upload this file type.');
  }
  return { name, type, bytes };
}

/** Stores a file in the folder of the month under a free name, and the smaller sizes of an image. */
export function storeMediaFile(
  state: ContentState,
  { name, type, bytes }: ReceivedFile,
  now: Date,
): MediaFile {
  const file = findFreePath(state.files, `${getUploadFolder(now.getTime())}/${name}`);
  state.files.set(file, { type, readBytes: () => bytes });
  const image = type.startsWith('image/') ? readImageInfo(bytes) : null;
  const media: MediaFile = { mime: type, file, alt: '', sizes: {} };
  if (image === null) return media;
  return addImageSizes({ ...media, image: { width: image.width, height: image.height } }, state.files);
}

/** Creates the missing sizes of an image if it is a readable PNG. */
export function addImageSizes(media: MediaFile, files: Map<string, StoredFile>): MediaFile {
  const bytes = files.get(media.file)?.readBytes();
  const pixels = bytes === undefined || media.mime !== 'image/png' ? null : decodePng(bytes);
  return pixels === null
    ? media
    : { ...media, sizes: storeImageSizes(pixels, () => pixels, media.file, files) };
}

/** Finds a free path: `harbour.png`, `harbour-1.png` … */
function findFreePath(files: ReadonlyMap<string, StoredFile>, path: string): string {
  const dot = path.lastIndexOf('.');
  let candidate = path;
  for (let number = 1; files.has(candidate); number++) {
    candidate = `${path.slice(0, dot)}-${number}${path.slice(dot)}`;
  }
  return candidate;
}

export function parseImageEdits(list: readonly JsonObject[]): readonly ImageEdit[] {
  return list.flatMap(({ type, args }): ImageEdit[] => {
    const given = isJsonObject(args) ? args : {};
    if (type === 'rotate') return [{ type, angle: toNumber(given['angle']) }];
    if (type === 'flip') {
      const directions = isJsonObject(given['flip']) ? given['flip'] : {};
      return [
        { type, horizontal: directions['horizontal'] === true, vertical: directions['vertical'] === true },
      ];
    }
    if (type !== 'crop') return [];
    const numbers = ['left', 'top', 'width', 'height'].map((name) => toNumber(given[name]));
    const [left = 0, top = 0, width = 0, height = 0] = numbers;
    return [{ type, left, top, width, height }];
  });
}

function toNumber(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}

/** Stores an edited copy of an image in the same folder; `null` if the site has no editor for its type: only for PNG. */
export function createEditedCopy(
  state: ContentState,
  media: MediaFile,
  edits: readonly ImageEdit[],
  { id, now }: { readonly id: number; readonly now: Date },
): MediaFile | null {
  const pixels = decodePng(state.files.get(media.file)?.readBytes() ?? new Uint8Array(0));
  if (pixels === null) return null;
  const edited = encodePng(edits.reduce(applyEdit, pixels));
  const fileName = media.file.slice(media.file.lastIndexOf('/') + 1);
  // `harbour-edited.png`, also for an edited image.
  const name = fileName.replace(/(?:-edited(?:-\d+)?)?(\.[^.]+)$/, '-edited$1');
  const stored = storeMediaFile(state, { name, type: media.mime, bytes: edited }, now);
  return { ...stored, alt: media.alt, edit: { sourceId: id, file: media.file, edits } };
}

function applyEdit(pixels: PixelBuffer, edit: ImageEdit): PixelBuffer {
  if (edit.type === 'rotate') return rotate(pixels, edit.angle);
  if (edit.type === 'flip') return flip(pixels, edit.horizontal, edit.vertical);
  const { left, top, width, height } = edit;
  const across = (percent: number): number => (pixels.width * percent) / 100;
  const down = (percent: number): number => (pixels.height * percent) / 100;
  return crop(pixels, across(left), down(top), across(width), down(height));
}
