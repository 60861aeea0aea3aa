import type { ImageSize, MediaFile, StoredFile } from '../model/entries.ts';
import { encodePng } from './encode-png.ts';
import { crop, type PixelBuffer, resize } from './pixels.ts';

/** The sizes in which WordPress keeps an image: the longest edges, and whether it is cut to fit. */
const IMAGE_SIZES: readonly (readonly [name: string, width: number, height: number, cut: boolean])[] = [
  ['medium', 300, 300, false],
  ['large', 1024, 1024, false],
  ['thumbnail', 150, 150, true],
  ['medium_large', 768, Number.POSITIVE_INFINITY, false],
  ['1536x1536', 1536, 1536, false],
  ['2048x2048', 2048, 2048, false],
];

interface PlannedSize {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly isCropped: boolean;
}

/** The sizes that an image is to have: those that are smaller than itself. */
export function planImageSizes(image: {
  readonly width: number;
  readonly height: number;
}): readonly PlannedSize[] {
  return IMAGE_SIZES.flatMap(([name, width, height, isCropped]): PlannedSize[] => {
    if (image.width <= width && image.height <= height) return [];
    if (isCropped) {
      return [
        { name, width: Math.min(width, image.width), height: Math.min(height, image.height), isCropped },
      ];
    }
    const scale = Math.min(width / image.width, height / image.height);
    const scaled = (length: number): number => Math.max(1, Math.round(length * scale));
    return [{ name, width: scaled(image.width), height: scaled(image.height), isCropped }];
  });
}

/** The names of sizes that an image lacks. */
export function listMissingSizes(media: MediaFile): readonly string[] {
  if (media.image === undefined) return [];
  return planImageSizes(media.image).flatMap(({ name }) => (Object.hasOwn(media.sizes, name) ? [] : [name]));
}

/** Stores an image's smaller sizes beside it. Each is made when it is first read. */
export function storeImageSizes(
  image: { readonly width: number; readonly height: number },
  pixels: () => PixelBuffer,
  file: string,
  files: Map<string, StoredFile>,
): Readonly<Record<string, ImageSize>> {
  const made = planImageSizes(image).map(({ name, width, height, isCropped }): [string, ImageSize] => {
    const path = file.replace(/\.[^.]+$/, `-${width}x${height}.png`);
    const shrink = isCropped ? resizeAndCrop : resize;
    files.set(path, {
      type: 'image/png',
      readBytes: computeOnce(() => encodePng(shrink(pixels(), width, height))),
    });
    return [name, { file: path.slice(path.lastIndexOf('/') + 1), width, height }];
  });
  return Object.fromEntries(made);
}

/** Fills the size and cuts off what hangs over, evenly. */
function resizeAndCrop(pixels: PixelBuffer, width: number, height: number): PixelBuffer {
  const scale = Math.max(width / pixels.width, height / pixels.height);
  const [wide, high] = [Math.ceil(pixels.width * scale), Math.ceil(pixels.height * scale)];
  return crop(resize(pixels, wide, high), (wide - width) / 2, (high - height) / 2, width, height);
}

/** Makes a value when it is first asked for, and keeps it. */
export function computeOnce<T>(compute: () => T): () => T {
  let computed: { readonly value: T } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}
