import { crc32, deflateSync, inflateSync } from 'node:zlib';
import type { ImageSize, MediaFile, StoredFile } from './model.ts';

/** An image in memory. Each pixel is a 32-bit word with the bytes red, green, blue and alpha; rows start at the top. */
export interface PixelBuffer {
  readonly width: number;
  readonly height: number;
  readonly words: Uint32Array;
}

/** Packs a color into a word. It does not depend on the byte order of the machine. */
function packPixel(red: number, green: number, blue: number, alpha = 255): number {
  return new Uint32Array(Uint8Array.of(red, green, blue, alpha).buffer)[0] ?? 0;
}

/** Creates an image whose pixel at (x, y) is the pixel with the index `from(x, y)` of the source. */
function mapPixels(
  { words }: PixelBuffer,
  width: number,
  height: number,
  from: (x: number, y: number) => number,
): PixelBuffer {
  const target = new Uint32Array(width * height);
  let at = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) target[at++] = words[from(x, y)] ?? 0;
  }
  return { width, height, words: target };
}

/** Crops to the rectangle at (left, top), limited to the image. */
export function crop(
  source: PixelBuffer,
  left: number,
  top: number,
  width: number,
  height: number,
): PixelBuffer {
  const x0 = clamp(Math.round(left), 0, source.width - 1);
  const y0 = clamp(Math.round(top), 0, source.height - 1);
  const w = clamp(Math.round(width), 1, source.width - x0);
  const h = clamp(Math.round(height), 1, source.height - y0);
  return mapPixels(source, w, h, (x, y) => (y0 + y) * source.width + x0 + x);
}

export function flip(source: PixelBuffer, horizontal: boolean, vertical: boolean): PixelBuffer {
  const { width, height } = source;
  return mapPixels(
    source,
    width,
    height,
    (x, y) => (vertical ? height - 1 - y : y) * width + (horizontal ? width - 1 - x : x),
  );
}

/** Rotates clockwise to the nearest quarter turn. Other angles would need interpolation. */
export function rotate(source: PixelBuffer, degrees: number): PixelBuffer {
  const { width, height } = source;
  const quarters = ((Math.round(degrees / 90) % 4) + 4) % 4;
  if (quarters === 1) return mapPixels(source, height, width, (x, y) => (height - 1 - x) * width + y);
  if (quarters === 2) return flip(source, true, true);
  if (quarters === 3) return mapPixels(source, height, width, (x, y) => x * width + width - 1 - y);
  return source;
}

/** Resizes by nearest-neighbor sampling. */
export function resize(source: PixelBuffer, width: number, height: number): PixelBuffer {
  const columns = Array.from({ length: width }, (_, x) => Math.floor((x * source.width) / width));
  return mapPixels(
    source,
    width,
    height,
    (x, y) => Math.floor((y * source.height) / height) * source.width + (columns[x] ?? 0),
  );
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}

const PNG_SIGNATURE: Uint8Array = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** Encodes an image as PNG (RFC 2083): RGBA with 8 bits for each channel, one data chunk, no filters. */
export function encodePng({ width, height, words }: PixelBuffer): Uint8Array {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, 8);
  header.setUint8(9, 6);

  const rgba = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  // The first byte of each row is its filter type: 0 is none.
  const rows = new Uint8Array(height * (width * 4 + 1));
  for (let y = 0; y < height; y++) {
    rows.set(rgba.subarray(y * width * 4, (y + 1) * width * 4), y * (width * 4 + 1) + 1);
  }
  return concatBytes([
    PNG_SIGNATURE,
    createChunk('IHDR', new Uint8Array(header.buffer)),
    createChunk('IDAT', deflateSync(rows, { level: 1 })),
    createChunk('IEND', new Uint8Array(0)),
  ]);
}

function createChunk(type: string, content: Uint8Array): Uint8Array {
  const body = concatBytes([new TextEncoder().encode(type), content]);
  const frame = new DataView(new ArrayBuffer(body.length + 8));
  frame.setUint32(0, content.length);
  new Uint8Array(frame.buffer).set(body, 4);
  frame.setUint32(body.length + 4, crc32(body));
  return new Uint8Array(frame.buffer);
}

const concatBytes = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

/** Larger images are not decoded. */
const MAX_PIXELS = 16_000_000;

/** The channels by color type (RFC 2083 §4.1.1): gray, RGB, palette, gray with alpha, RGB with alpha. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Decodes a PNG; `null` for other files, for interlaced images, and for bit depths other than 8. Transparency in `tRNS` is ignored. */
export function decodePng(bytes: Uint8Array): PixelBuffer | null {
  try {
    return decodeChunks(bytes);
  } catch {
    // The uploaded file is truncated or corrupt.
    return null;
  }
}

function decodeChunks(bytes: Uint8Array): PixelBuffer | null {
  if (!PNG_SIGNATURE.every((byte, index) => bytes[index] === byte)) return null;
  const chunks = readChunks(bytes);
  const header = chunks.find(({ type }) => type === 'IHDR')?.content;
  if (header === undefined || header.length < 13) return null;

  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const [width, height, colour] = [view.getUint32(0), view.getUint32(4), view.getUint8(9)];
  const channels = CHANNELS[colour];
  const isSupported = view.getUint8(8) === 8 && view.getUint8(12) === 0;
  if (channels === undefined || !isSupported || width * height === 0 || width * height > MAX_PIXELS)
    return null;

  const stride = width * channels;
  const packed = concatBytes(chunks.filter(({ type }) => type === 'IDAT').map(({ content }) => content));
  const rows = inflateSync(packed, { maxOutputLength: (stride + 1) * height });
  const raw = unfilter(rows, stride, height, channels);
  const palette = chunks.find(({ type }) => type === 'PLTE')?.content;
  return { width, height, words: toRgbaWords(raw, colour, channels, palette) };
}

function readChunks(bytes: Uint8Array): { type: string; content: Uint8Array }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: { type: string; content: Uint8Array }[] = [];
  for (let at = PNG_SIGNATURE.length; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    chunks.push({ type, content: bytes.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

/** Reverses the filters of RFC 2083 §6. The first byte of each row is its filter type. */
function unfilter(rows: Uint8Array, stride: number, height: number, channels: number): Uint8Array {
  const raw = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x < channels ? 0 : (raw[at - channels] ?? 0);
      const up = y === 0 ? 0 : (raw[at - stride] ?? 0);
      const corner = x < channels || y === 0 ? 0 : (raw[at - stride - channels] ?? 0);
      raw[at] = (rows[y * (stride + 1) + 1 + x] ?? 0) + predictByte(filter, left, up, corner);
    }
  }
  return raw;
}

function predictByte(filter: number | undefined, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const estimate = left + up - corner;
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function toRgbaWords(raw: Uint8Array, colour: number, channels: number, palette?: Uint8Array): Uint32Array {
  const rgba = new Uint8Array((raw.length / channels) * 4);
  for (let from = 0, to = 0; from < raw.length; from += channels, to += 4) {
    const [first = 0, second = 0, third = 0, fourth = 255] = raw.subarray(from, from + channels);
    const isGray = colour === 0 || colour === 4;
    const sample = isGray ? [first, first, first] : [first, second, third];
    const indexed = palette?.subarray(first * 3, first * 3 + 3) ?? [0, 0, 0];
    rgba.set(colour === 3 ? indexed : sample, to);
    rgba[to + 3] = colour === 4 ? second : fourth;
  }
  return new Uint32Array(rgba.buffer);
}

/** The type and size of an image, read from the header of its file. */
interface ImageInfo extends Size {
  readonly mime: string;
}

/** Reads the header of a PNG, GIF, WebP or JPEG; `null` for other files. */
export function readImageInfo(bytes: Uint8Array): ImageInfo | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return readHeader(view);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Reads the header of a PNG, GIF, WebP (RFC 9649 §2.7, without extended header 1×1) or JPEG. */
function readHeader(view: DataView): ImageInfo | null {
  const signature = view.getUint32(0);
  const readUint24 = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  if (signature === 0x89504e47 && view.getUint32(4) === 0x0d0a1a0a) {
    return { mime: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
  }
  if (signature === 0x47494638) {
    return { mime: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
  }
  if (signature === 0x52494646 && view.getUint32(8) === 0x57454250) {
    const isExtended = view.getUint32(12) === 0x56503858;
    const [width, height] = isExtended ? [readUint24(24) + 1, readUint24(27) + 1] : [1, 1];
    return { mime: 'image/webp', width, height };
  }
  if (signature >>> 16 !== 0xffd8) return null;
  // The size is in the frame header: SOF0 to SOF15 without DHT, JPG and DAC, whose markers lie among them.
  for (let at = 2; at + 9 < view.byteLength; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { mime: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
  }
  return null;
}

/** Paints a landscape with sky, sun, hills and sea. */
export function paintLandscape({ width, height, hue, shape }: LandscapeOptions): PixelBuffer {
  const words = new Uint32Array(width * height);
  const horizon = Math.floor(height * (0.5 + (shape % 5) / 25));
  const sun = { x: width * (0.2 + (shape % 7) / 10), y: height * 0.25, radius: height * 0.1 };
  const light = packPixel(255, 236, 179);
  const land = colorOf(90 + (shape % 50), 0.35);
  const hills = Array.from(
    { length: width },
    (_, x) => horizon - Math.abs(Math.sin((x / width) * (2 + (shape % 4)) + shape)) * height * 0.25,
  );
  for (let y = 0; y < height; y++) {
    const sea = colorOf(hue + 10, 0.25 + ((y - horizon + height) % 6) * 0.02);
    const sky = colorOf(hue, 0.85 - (y / height) * 0.3);
    for (let x = 0; x < width; x++) {
      const background = y > horizon ? sea : y > (hills[x] ?? horizon) ? land : sky;
      words[y * width + x] = Math.hypot(x - sun.x, y - sun.y) < sun.radius ? light : background;
    }
  }
  return { width, height, words };
}

export interface LandscapeOptions extends Size {
  /** The hue of the sky, in degrees. */
  readonly hue: number;
  /** An integer that varies horizon, sun and hills. */
  readonly shape: number;
}

/** A color by hue and lightness (0…1) with the saturation 0.5. */
function colorOf(hue: number, lightness: number): number {
  const chroma = (1 - Math.abs(2 * lightness - 1)) * 0.5;
  const channel = (offset: number): number => {
    const k = (offset + hue / 30) % 12;
    return Math.round(255 * (lightness - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return packPixel(channel(0), channel(8), channel(4));
}

/** The default image sizes of WordPress: maximal width and height, and whether the image is cropped to fit. */
const IMAGE_SIZES: readonly (readonly [name: string, width: number, height: number, cut: boolean])[] = [
  ['medium', 300, 300, false],
  ['large', 1024, 1024, false],
  ['thumbnail', 150, 150, true],
  ['medium_large', 768, Number.POSITIVE_INFINITY, false],
  ['1536x1536', 1536, 1536, false],
  ['2048x2048', 2048, 2048, false],
];

type Size = Pick<ImageSize, 'width' | 'height'>;

/** Lists the sizes that are smaller than the image. */
function planImageSizes(image: Size) {
  return IMAGE_SIZES.flatMap(([name, width, height, isCropped]) => {
    if (image.width <= width && image.height <= height) return [];
    const scale = Math.min(width / image.width, height / image.height);
    const limited = (length: number, limit: number): number =>
      isCropped ? Math.min(limit, length) : Math.max(1, Math.round(length * scale));
    return [{ name, width: limited(image.width, width), height: limited(image.height, height), isCropped }];
  });
}

/** Lists the names of sizes that have no file. */
export function listMissingSizes(media: MediaFile): readonly string[] {
  if (media.image === undefined) return [];
  return planImageSizes(media.image).flatMap(({ name }) => (Object.hasOwn(media.sizes, name) ? [] : [name]));
}

/** Stores the smaller sizes of an image in its folder. Each is computed when it is first read. */
export function storeImageSizes(
  image: Size,
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
