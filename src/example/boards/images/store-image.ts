import type { JsonObject } from '../../../json.ts';
import type { SiteError } from '../../site/declarations.ts';
import { restError } from '../../site/responses.ts';
import { type Board, nextId, type StoredImage, slugify, toTimestamp } from '../model/index.ts';
import { type BoardRequest, createView, type ItemView, responseSchema, schema } from '../rest/index.ts';

/** Maximum size of an image, in bytes. */
const MAX_IMAGE_SIZE = 5 * 1024 * 1024;

/** Maximum size of all images together, in bytes; the site stores them in memory. */
const MAX_TOTAL_SIZE = 64 * 1024 * 1024;

type Signature = readonly [type: string, extension: string, bytes: readonly (number | null)[]];

/** Image types by their first bytes. The name and the type that the client sends are not trusted. */
const SIGNATURES: readonly Signature[] = [
  ['image/png', 'png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', 'jpg', [0xff, 0xd8, 0xff]],
  ['image/gif', 'gif', [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', 'webp', [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50]],
];

/** Stores the image of a request: the form field `file`, else the first file of the form, else the body. */
export function storeImage(request: BoardRequest, board: Board): StoredImage | SiteError {
  const { state, user, files, body, headers, now } = request;
  const file = files.find(({ field }) => field === 'file') ?? files[0];
  const isRaw = /^image\//i.test(headers.get('content-type') ?? '');
  const bytes = file?.bytes ?? (isRaw ? body : null);
  if (bytes === null || bytes.length === 0) {
    return restError(400, 'rest_upload_no_data', 'No picture was sent: send a form with a field `file`.');
  }
  if (bytes.length > MAX_IMAGE_SIZE) {
    return restError(413, 'rest_upload_file_too_big', 'This picture is larger than 5 MB.');
  }
  const stored = [...state.images.values()].reduce((sum, { size }) => sum + size, 0);
  if (stored + bytes.length > MAX_TOTAL_SIZE) {
    return restError(400, 'rest_upload_limited_space', 'Not enough space to upload.');
  }
  const signature = SIGNATURES.find(([, , first]) =>
    first.every((byte, index) => byte === null || bytes[index] === byte),
  );
  if (signature === undefined) {
    return restError(400, 'rest_upload_unknown_type', 'Only PNG, JPEG, GIF and WebP pictures can be sent.');
  }
  const [mimeType, extension] = signature;
  const id = nextId(state, 'images');
  const name = `${slugify((file?.name ?? 'picture').replace(/\.[^.]*$/, ''))}.${extension}`;
  const image: StoredImage = {
    id,
    boardId: board.id,
    name,
    mimeType,
    size: bytes.length,
    path: `/boards-uploads/${id}/${name}`,
    // The bytes of the request may be a view of a larger buffer, which a copy does not keep alive.
    bytes: Uint8Array.from(bytes),
    uploadedBy: user?.id ?? 0,
    uploadedAt: toTimestamp(now),
  };
  state.images.set(id, image);
  return image;
}

export const imageView: ItemView<StoredImage> = createView<StoredImage, BoardRequest>((request) => request, {
  id: schema.readOnly(schema.integer('Number of the picture.')),
  board_id: schema.readOnly(schema.integer('Board that it belongs to.')),
  name: schema.string('Name of the file.'),
  mime_type: [schema.string('Media type, by its first bytes: `image/png`.'), ({ mimeType }) => mimeType],
  size: schema.integer('Size in bytes.'),
  url: [schema.uri('Where it can be fetched.'), ({ path }, { address }) => address(path)],
  uploaded_at: [schema.dateTime('When it was sent.'), ({ uploadedAt }) => uploadedAt],
});

export const IMAGE_SCHEMA: JsonObject = responseSchema(
  'image',
  'A picture that was sent to a board.',
  imageView.properties,
);
