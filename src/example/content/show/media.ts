import type { JsonObject } from '../../../json.ts';
import type { SiteRequest } from '../../site/declare.ts';
import type { Entry, Media } from '../entries.ts';
import { missingSizes } from '../image/subsizes.ts';
import type { ContentState } from '../state.ts';
import { renderContent, renderExcerpt } from './html.ts';

type Request = Pick<SiteRequest<ContentState>, 'address' | 'state'>;

/** What a camera would have said. None took these. */
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

export function mediaFields(entry: Entry, request: Request): JsonObject {
  const { media } = entry;
  if (media === undefined) return {};
  return {
    description: { raw: entry.content, rendered: describe(entry, media, request) },
    caption: { raw: entry.excerpt, rendered: renderExcerpt(entry.excerpt, '') },
    alt_text: media.alt,
    media_type: media.image === undefined ? 'file' : 'image',
    mime_type: media.mime,
    media_details: details(media, request),
    post: entry.parent === 0 ? null : entry.parent,
    source_url: fileAt(media.file, request),
    missing_image_sizes: missingSizes(media),
  };
}

/** The attachment's page shows the file itself before what is written of it. */
function describe({ title, content }: Entry, media: Media, request: Request): string {
  const href = fileAt(media.file, request);
  const link =
    media.image === undefined
      ? `<a href='${href}'>${title}</a>`
      : `<a href='${href}'><img src="${href}" alt="" width="${media.image.width}" height="${media.image.height}" /></a>`;
  return `<p class="attachment">${link}</p>\n${renderContent(content)}`;
}

function details(media: Media, request: Request): JsonObject {
  if (media.image === undefined) return { filesize: sizeOf(media.file, request), sizes: {} };
  const { width, height } = media.image;
  return {
    width,
    height,
    file: media.file,
    filesize: sizeOf(media.file, request),
    sizes: { ...smaller(media, request), full: { ...full(media, request), width, height } },
    image_meta: IMAGE_META,
    ...(media.edit === undefined ? {} : { parent_image: edited(media.edit) }),
  };
}

function smaller(media: Media, request: Request): JsonObject {
  const folder = media.file.slice(0, media.file.lastIndexOf('/') + 1);
  return Object.fromEntries(
    Object.entries(media.sizes).map(([name, { file, width, height }]) => [
      name,
      {
        file,
        width,
        height,
        filesize: sizeOf(folder + file, request),
        mime_type: 'image/png',
        source_url: fileAt(folder + file, request),
      },
    ]),
  );
}

function full({ file, mime }: Media, request: Request): JsonObject {
  return { file: file.slice(file.lastIndexOf('/') + 1), mime_type: mime, source_url: fileAt(file, request) };
}

/** Where an edited image comes from; what was done to it stands beside, as the caller gave it. */
function edited({ of, file, modifiers }: NonNullable<Media['edit']>): JsonObject {
  return {
    attachment_id: of,
    file,
    modifiers: modifiers.map(({ type, ...args }) => ({ type, args: args })),
  };
}

/** The address of a file of the uploads folder. */
export function fileAt(file: string, { address }: Pick<Request, 'address'>): string {
  return address(`/wp-content/uploads/${file}`);
}

function sizeOf(file: string, { state }: Request): number {
  return state.files.get(file)?.bytes().length ?? 0;
}
