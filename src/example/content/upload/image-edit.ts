import { isJsonObject, type Json, type JsonObject } from '../../../json.ts';
import { decodePng } from '../image/decode-png.ts';
import { encodePng } from '../image/encode-png.ts';
import { crop, flip, type PixelBuffer, rotate } from '../image/pixels.ts';
import type { ImageEdit, MediaFile } from '../model/entries.ts';
import type { ContentState } from '../model/state.ts';
import { storeMediaFile } from './store.ts';

/** Parses the `modifiers` parameter. */
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
    const [left, top] = [toNumber(given['left']), toNumber(given['top'])];
    return [{ type, left, top, width: toNumber(given['width']), height: toNumber(given['height']) }];
  });
}

function toNumber(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}

/**
 * Stores an edited copy of an image in the same folder. Only a PNG is changed; the copy of another type has the same
 * pixels and records the edits.
 */
export function createEditedCopy(
  state: ContentState,
  media: MediaFile,
  edits: readonly ImageEdit[],
  { id, now }: { readonly id: number; readonly now: Date },
): MediaFile {
  const bytes = state.files.get(media.file)?.readBytes() ?? new Uint8Array(0);
  const pixels = media.mime === 'image/png' ? decodePng(bytes) : null;
  const edited = pixels === null ? bytes : encodePng(edits.reduce(applyEdit, pixels));
  const stored = storeMediaFile(
    state,
    { name: getEditedName(media.file), type: media.mime, bytes: edited },
    now,
  );
  return { ...stored, alt: media.alt, edit: { sourceId: id, file: media.file, edits } };
}

/** The name of the copy: `harbour-edited.png`, also for an edited image. */
function getEditedName(file: string): string {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return name.replace(/(?:-edited(?:-\d+)?)?(\.[^.]+)$/, '-edited$1');
}

function applyEdit(pixels: PixelBuffer, edit: ImageEdit): PixelBuffer {
  if (edit.type === 'rotate') return rotate(pixels, edit.angle);
  if (edit.type === 'flip') return flip(pixels, edit.horizontal, edit.vertical);
  const { left, top, width, height } = edit;
  const across = (percent: number): number => (pixels.width * percent) / 100;
  const down = (percent: number): number => (pixels.height * percent) / 100;
  return crop(pixels, across(left), down(top), across(width), down(height));
}
