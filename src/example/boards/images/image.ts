import type { JsonObject } from '../../../json.ts';
import { refuse } from '../../site/answers.ts';
import type { SiteError } from '../../site/declare.ts';
import { slugify } from '../model/slug.ts';
import { moment, nextId } from '../model/state.ts';
import type { Board, StoredImage } from '../model/types.ts';
import type { BoardRequest } from '../rest/route.ts';
import { answersWhole } from '../tasks/schema.ts';

/** The largest picture that is kept, in bytes. */
export const IMAGE_LIMIT: number = 5 * 1024 * 1024;

/** What all pictures together may take, in bytes: they are kept in memory. */
export const SPACE: number = 64 * 1024 * 1024;

/** Pictures by their first bytes: what the caller calls a file says nothing. */
const SIGNATURES: readonly (readonly [type: string, extension: string, bytes: readonly (number | null)[]])[] =
  [
    ['image/png', 'png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
    ['image/jpeg', 'jpg', [0xff, 0xd8, 0xff]],
    ['image/gif', 'gif', [0x47, 0x49, 0x46, 0x38]],
    ['image/webp', 'webp', [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50]],
  ];

/** Keeps the request's picture: the file of a form (`file`, or else its first), or the body as it stands. */
export function storeImage(request: BoardRequest, board: Board): StoredImage | SiteError {
  const { state, user, files, body, headers, now } = request;
  const file = files.find(({ field }) => field === 'file') ?? files[0];
  const isRaw = /^image\//i.test(headers.get('content-type') ?? '');
  const bytes = file?.bytes ?? (isRaw ? body : null);
  if (bytes === null || bytes.length === 0) {
    return refuse(400, 'rest_upload_no_data', 'No picture was sent: send a form with a field `file`.');
  }
  if (bytes.length > IMAGE_LIMIT) {
    return refuse(413, 'rest_upload_file_too_big', 'This picture is larger than 5 MB.');
  }
  const taken = [...state.images.values()].reduce((sum, { size }) => sum + size, 0);
  if (taken + bytes.length > SPACE) {
    return refuse(400, 'rest_upload_limited_space', 'Not enough space to upload.');
  }
  const known = SIGNATURES.find(([, , signature]) =>
    signature.every((byte, index) => byte === null || bytes[index] === byte),
  );
  if (known === undefined) {
    return refuse(400, 'rest_upload_unknown_type', 'Only PNG, JPEG, GIF and WebP pictures can be sent.');
  }
  const [type, extension] = known;
  const id = nextId(state, 'images');
  const name = `${slugify((file?.name ?? 'picture').replace(/\.[^.]*$/, ''))}.${extension}`;
  const image: StoredImage = {
    id,
    boardId: board.id,
    name,
    type,
    size: bytes.length,
    path: `/boards-uploads/${id}/${name}`,
    // A copy of its own: the request's bytes may be a view of a larger buffer.
    bytes: Uint8Array.from(bytes),
    uploadedBy: user?.id ?? 0,
    at: moment(now),
  };
  state.images.set(id, image);
  return image;
}

export const IMAGE_SCHEMA: JsonObject = answersWhole('image', 'A picture that was sent to a board.', {
  id: { description: 'Number of the picture.', type: 'integer', readonly: true },
  board_id: { description: 'Board that it belongs to.', type: 'integer', readonly: true },
  name: { description: 'Name of the file.', type: 'string' },
  mime_type: { description: 'Media type, by its first bytes: `image/png`.', type: 'string' },
  size: { description: 'Size in bytes.', type: 'integer' },
  url: { description: 'Where it can be fetched.', type: 'string', format: 'uri' },
  uploaded_at: { description: 'When it was sent.', type: 'string', format: 'date-time' },
});

export function showImage({ address }: BoardRequest, image: StoredImage): JsonObject {
  return {
    id: image.id,
    board_id: image.boardId,
    name: image.name,
    mime_type: image.type,
    size: image.size,
    url: address(image.path),
    uploaded_at: image.at,
  };
}
