import type { JsonObject } from '../../../json.ts';
import { listMissingSizes } from '../image/subsizes.ts';
import type { Entry, MediaFile } from '../model/entries.ts';
import type { ContentRequest } from '../model/state.ts';
import { renderContent, renderExcerpt } from './render-html.ts';

type Request = Pick<ContentRequest, 'address' | 'state'>;

/** The camera metadata, which the generated images lack. */
const IMAGE_META: JsonObject = {
  aperture: '0',
  credit: '',
  camera: '',
  caption: '',
  created_timestamp: '0',
  copyright: '',
  focal_length: '0',
  iso: '0',
  shutter_speed: '0',
  title: '',
  orientation: '0',
  keywords: [],
};

export function createMediaFields(entry: Entry, request: Request): JsonObject {
  const { media } = entry;
  if (media === undefined) return {};
  return {
    description: { raw: entry.content, rendered: renderDescription(entry, media, request) },
    caption: { raw: entry.excerpt, rendered: renderExcerpt(entry.excerpt, '') },
    alt_text: media.alt,
    media_type: media.image === undefined ? 'file' : 'image',
    mime_type: media.mime,
    media_details: createMediaDetails(media, request),
    post: entry.parent === 0 ? null : entry.parent,
    source_url: getUploadUrl(media.file, request),
    missing_image_sizes: listMissingSizes(media),
  };
}

/** Renders the description after the file itself, as on the attachment page. */
function renderDescription({ title, content }: Entry, media: MediaFile, request: Request): string {
  const href = getUploadUrl(media.file, request);
  const link =
    media.image === undefined
      ? `<a href='${href}'>${title}</a>`
      : `<a href='${href}'><img src="${href}" alt="" width="${media.image.width}" height="${media.image.height}" /></a>`;
  return `<p class="attachment">${link}</p>\n${renderContent(content)}`;
}

function createMediaDetails(media: MediaFile, request: Request): JsonObject {
  if (media.image === undefined) return { filesize: getFileSize(media.file, request), sizes: {} };
  const { width, height } = media.image;
  return {
    width,
    height,
    file: media.file,
    filesize: getFileSize(media.file, request),
    sizes: {
      ...createSizeDetails(media, request),
      full: { ...createFullSize(media, request), width, height },
    },
    image_meta: IMAGE_META,
    ...(media.edit === undefined ? {} : { parent_image: serializeEdit(media.edit) }),
  };
}

function createSizeDetails(media: MediaFile, request: Request): JsonObject {
  const folder = media.file.slice(0, media.file.lastIndexOf('/') + 1);
  return Object.fromEntries(
    Object.entries(media.sizes).map(([name, { file, width, height }]) => [
      name,
      {
        file,
        width,
        height,
        filesize: getFileSize(folder + file, request),
        mime_type: 'image/png',
        source_url: getUploadUrl(folder + file, request),
      },
    ]),
  );
}

function createFullSize({ file, mime }: MediaFile, request: Request): JsonObject {
  return {
    file: file.slice(file.lastIndexOf('/') + 1),
    mime_type: mime,
    source_url: getUploadUrl(file, request),
  };
}

/** Serializes the source and the edits of an edited image. */
function serializeEdit({ sourceId, file, edits }: NonNullable<MediaFile['edit']>): JsonObject {
  return {
    attachment_id: sourceId,
    file,
    modifiers: edits.map(({ type, ...args }) => ({ type, args: args })),
  };
}

/** The URL of a file in the uploads folder. */
export function getUploadUrl(file: string, { address }: Pick<Request, 'address'>): string {
  return address(`/wp-content/uploads/${file}`);
}

function getFileSize(file: string, { state }: Request): number {
  return state.files.get(file)?.readBytes().length ?? 0;
}
