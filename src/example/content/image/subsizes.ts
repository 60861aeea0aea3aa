import type { ImageSize, Media, StoredFile } from '../entries.ts';
import { lazily } from './lazy.ts';
import { crop, type Pixels, resize } from './pixels.ts';
import { encodePng } from './png.ts';

/** The sizes in which WordPress keeps an image: the longest edges, and whether it is cut to fit. */
const SIZES: readonly (readonly [name: string, width: number, height: number, cut: boolean])[] = [
  ['medium', 300, 300, false],
  ['large', 1024, 1024, false],
  ['thumbnail', 150, 150, true],
  ['medium_large', 768, Number.POSITIVE_INFINITY, false],
  ['1536x1536', 1536, 1536, false],
  ['2048x2048', 2048, 2048, false],
];

interface Planned {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly cut: boolean;
}

/** The sizes that an image is to have: those that are smaller than itself. */
export function plannedSizes(image: { readonly width: number; readonly height: number }): readonly Planned[] {
  return SIZES.flatMap(([name, width, height, cut]): Planned[] => {
    if (image.width <= width && image.height <= height) return [];
    if (cut) {
      return [{ name, width: Math.min(width, image.width), height: Math.min(height, image.height), cut }];
    }
    const scale = Math.min(width / image.width, height / image.height);
    const scaled = (length: number): number => Math.max(1, Math.round(length * scale));
    return [{ name, width: scaled(image.width), height: scaled(image.height), cut }];
  });
}

/** The names of sizes that an image lacks. */
export function missingSizes(media: Media): readonly string[] {
  if (media.image === undefined) return [];
  return plannedSizes(media.image).flatMap(({ name }) => (Object.hasOwn(media.sizes, name) ? [] : [name]));
}

/** Stores an image's smaller sizes beside it. Each is made when it is first read. */
export function makeSizes(
  image: { readonly width: number; readonly height: number },
  pixels: () => Pixels,
  file: string,
  files: Map<string, StoredFile>,
): Readonly<Record<string, ImageSize>> {
  const made = plannedSizes(image).map(({ name, width, height, cut }): [string, ImageSize] => {
    const path = file.replace(/\.[^.]+$/, `-${width}x${height}.png`);
    const shrink = cut ? cover : resize;
    files.set(path, { type: 'image/png', bytes: lazily(() => encodePng(shrink(pixels(), width, height))) });
    return [name, { file: path.slice(path.lastIndexOf('/') + 1), width, height }];
  });
  return Object.fromEntries(made);
}

/** Fills the size and cuts off what hangs over, evenly. */
function cover(pixels: Pixels, width: number, height: number): Pixels {
  const scale = Math.max(width / pixels.width, height / pixels.height);
  const [wide, high] = [Math.ceil(pixels.width * scale), Math.ceil(pixels.height * scale)];
  return crop(resize(pixels, wide, high), (wide - width) / 2, (high - height) / 2, width, height);
}
