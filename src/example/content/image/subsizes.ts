import type { ImageSize, MediaFile, StoredFile } from '../model/entries.ts';
import { encodePng } from './encode-png.ts';
import { crop, type PixelBuffer, resize } from './pixels.ts';

/** The default image sizes of WordPress: maximal width and height, and whether the image is cropped to fit. */
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

/** Lists the sizes that are smaller than the image. */
function planImageSizes(image: { readonly width: number; readonly height: number }): readonly PlannedSize[] {
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

/** Lists the names of sizes that have no file. */
export function listMissingSizes(media: MediaFile): readonly string[] {
  if (media.image === undefined) return [];
  return planImageSizes(media.image).flatMap(({ name }) => (Object.hasOwn(media.sizes, name) ? [] : [name]));
}

/** Stores the smaller sizes of an image in its folder. Each is computed when it is first read. */
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

/** Resizes to cover the target and crops both sides evenly. */
function resizeAndCrop(pixels: PixelBuffer, width: number, height: number): PixelBuffer {
  const scale = Math.max(width / pixels.width, height / pixels.height);
  const [wide, high] = [Math.ceil(pixels.width * scale), Math.ceil(pixels.height * scale)];
  return crop(resize(pixels, wide, high), (wide - width) / 2, (high - height) / 2, width, height);
}

/** Computes a value on the first call and returns it on later calls. */
export function computeOnce<T>(compute: () => T): () => T {
  let computed: { readonly value: T } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}
