import { crc32, deflateSync } from 'node:zlib';
import type { ImageSize, MediaFile, StoredFile } from './model.ts';

type Size = Pick<ImageSize, 'width' | 'height'>;

interface LandscapeOptions extends Size {
  readonly blue: number;
  readonly shape: number;
}

/** A PNG (RFC 2083) of sky, sun and sea. */
export function drawLandscape({ width, height, blue, shape }: LandscapeOptions): Uint8Array<ArrayBuffer> {
  const horizon = height * (0.5 + (shape % 5) / 25);
  const sun = { x: width * (0.2 + (shape % 7) / 10), y: height * 0.25, radius: height * 0.1 };
  const stride = width * 3 + 1;
  const rows = new Uint8Array(height * stride);
  for (let y = 0; y < height; y++) {
    const light = y > horizon ? 0.5 : 1 + y / height / 5;
    const background = [blue * 0.6 * light, blue * 0.8 * light, blue * light];
    for (let x = 0; x < width; x++) {
      const isSun = Math.hypot(x - sun.x, y - sun.y) < sun.radius;
      rows.set(isSun ? [255, 236, 179] : background, y * stride + 1 + x * 3);
    }
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const chunks = [
    createChunk('IHDR', header),
    createChunk('IDAT', deflateSync(rows)),
    createChunk('IEND', []),
  ];
  return new Uint8Array(Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]));
}

function createChunk(type: string, content: ArrayLike<number>): Buffer {
  const chunk = Buffer.alloc(content.length + 12);
  chunk.writeUInt32BE(content.length);
  chunk.write(type, 4, 'latin1');
  chunk.set(content, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), content.length + 8);
  return chunk;
}

/** WordPress's default sizes: maximum width and height, and whether to crop. */
const IMAGE_SIZES: readonly (readonly [name: string, width: number, height: number, cut: boolean])[] = [
  ['medium', 300, 300, false],
  ['large', 1024, 1024, false],
  ['thumbnail', 150, 150, true],
  ['medium_large', 768, Number.POSITIVE_INFINITY, false],
  ['1536x1536', 1536, 1536, false],
  ['2048x2048', 2048, 2048, false],
];

/** Adds smaller sizes, which have the bytes of the image: nothing is scaled. */
export function addImageSizes(media: MediaFile, image: Size, files: Map<string, StoredFile>): MediaFile {
  const { file } = media;
  const original = files.get(file);
  const sizes = IMAGE_SIZES.flatMap(([name, maxWidth, maxHeight, isCropped]): [string, ImageSize][] => {
    if (image.width <= maxWidth && image.height <= maxHeight) return [];
    const scale = Math.min(maxWidth / image.width, maxHeight / image.height);
    const limit = (length: number, most: number): number =>
      isCropped ? Math.min(most, length) : Math.max(1, Math.round(length * scale));
    const [width, height] = [limit(image.width, maxWidth), limit(image.height, maxHeight)];
    const path = file.replace(/(\.[^.]+)$/, `-${width}x${height}$1`);
    if (original !== undefined) files.set(path, original);
    return [[name, { file: path.slice(path.lastIndexOf('/') + 1), width, height }]];
  });
  return { ...media, image, sizes: Object.fromEntries(sizes) };
}
