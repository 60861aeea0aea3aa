import { decodePng } from '../image/decode-png.ts';
import { readImageInfo } from '../image/image-info.ts';
import { storeImageSizes } from '../image/subsizes.ts';
import type { MediaFile, StoredFile } from '../model/entries.ts';
import type { ContentState } from '../model/state.ts';
import { getUploadFolder } from '../seed/media.ts';
import type { ReceivedFile } from './receive.ts';

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
