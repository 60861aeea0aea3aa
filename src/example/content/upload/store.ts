import type { Media, StoredFile } from '../entries.ts';
import { decodePng } from '../image/decode.ts';
import { readImageFacts } from '../image/dimensions.ts';
import { makeSizes } from '../image/subsizes.ts';
import { folderOf } from '../seed/media.ts';
import type { ContentState } from '../state.ts';
import type { Received } from './receive.ts';

/** Puts a file into this month's folder, under its name or the next free one, and makes an image's smaller sizes. */
export function storeMedia(state: ContentState, { name, type, bytes }: Received, now: Date): Media {
  const file = freeName(state.files, `${folderOf(now.getTime())}/${name}`);
  state.files.set(file, { type, bytes: () => bytes });
  const facts = type.startsWith('image/') ? readImageFacts(bytes) : null;
  const media: Media = { mime: type, file, alt: '', sizes: {} };
  if (facts === null) return media;
  return withSizes({ ...media, image: { width: facts.width, height: facts.height } }, state.files);
}

/** Makes what is missing of an image's sizes, where its kind can be read. */
export function withSizes(media: Media, files: Map<string, StoredFile>): Media {
  const bytes = files.get(media.file)?.bytes();
  const pixels = bytes === undefined || media.mime !== 'image/png' ? null : decodePng(bytes);
  return pixels === null ? media : { ...media, sizes: makeSizes(pixels, () => pixels, media.file, files) };
}

/** `harbour.png`, `harbour-1.png` … */
function freeName(files: ReadonlyMap<string, StoredFile>, path: string): string {
  const dot = path.lastIndexOf('.');
  let free = path;
  for (let number = 1; files.has(free); number++) {
    free = `${path.slice(0, dot)}-${number}${path.slice(dot)}`;
  }
  return free;
}
