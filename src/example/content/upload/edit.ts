import { isJsonObject, type Json, type JsonObject } from '../../../json.ts';
import type { Media, Modifier } from '../entries.ts';
import { decodePng } from '../image/decode.ts';
import { crop, flip, type Pixels, rotate } from '../image/pixels.ts';
import { encodePng } from '../image/png.ts';
import type { ContentState } from '../state.ts';
import { storeMedia } from './store.ts';

/** The steps of an edit, as the parameter holds them. */
export function readModifiers(list: readonly JsonObject[]): readonly Modifier[] {
  return list.flatMap(({ type, args }): Modifier[] => {
    const given = isJsonObject(args) ? args : {};
    if (type === 'rotate') return [{ type, angle: number(given['angle']) }];
    if (type === 'flip') {
      const ways = isJsonObject(given['flip']) ? given['flip'] : {};
      return [{ type, horizontal: ways['horizontal'] === true, vertical: ways['vertical'] === true }];
    }
    if (type !== 'crop') return [];
    const [left, top] = [number(given['left']), number(given['top'])];
    return [{ type, left, top, width: number(given['width']), height: number(given['height']) }];
  });
}

function number(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}

/**
 * The edited copy of an image, stored beside it. A PNG is really turned and cut; of the other kinds, which are not read
 * here, the copy only records what was asked.
 */
export function editMedia(
  state: ContentState,
  media: Media,
  modifiers: readonly Modifier[],
  { id, now }: { readonly id: number; readonly now: Date },
): Media {
  const bytes = state.files.get(media.file)?.bytes() ?? new Uint8Array(0);
  const pixels = media.mime === 'image/png' ? decodePng(bytes) : null;
  const edited = pixels === null ? bytes : encodePng(modifiers.reduce(apply, pixels));
  const stored = storeMedia(state, { name: editedName(media.file), type: media.mime, bytes: edited }, now);
  return { ...stored, alt: media.alt, edit: { of: id, file: media.file, modifiers } };
}

/** `harbour-edited.png`, however often it is edited: the store adds a number. */
function editedName(file: string): string {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return name.replace(/(?:-edited(?:-\d+)?)?(\.[^.]+)$/, '-edited$1');
}

function apply(pixels: Pixels, modifier: Modifier): Pixels {
  if (modifier.type === 'rotate') return rotate(pixels, modifier.angle);
  if (modifier.type === 'flip') return flip(pixels, modifier.horizontal, modifier.vertical);
  const { left, top, width, height } = modifier;
  const across = (percent: number): number => (pixels.width * percent) / 100;
  const down = (percent: number): number => (pixels.height * percent) / 100;
  return crop(pixels, across(left), down(top), across(width), down(height));
}
