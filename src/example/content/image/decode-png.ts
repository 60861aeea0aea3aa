import { inflateSync } from 'node:zlib';
import { concatBytes, PNG_SIGNATURE } from './encode-png.ts';
import type { PixelBuffer } from './pixels.ts';

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
    rgba.set(toRgba(raw.subarray(from, from + channels), colour, palette), to);
  }
  return new Uint32Array(rgba.buffer);
}

function toRgba(from: Uint8Array, colour: number, palette?: Uint8Array): readonly number[] {
  const [first = 0, second = 0, third = 0, fourth = 255] = from;
  if (colour === 3) return [...(palette?.subarray(first * 3, first * 3 + 3) ?? [0, 0, 0]), 255];
  if (colour === 0) return [first, first, first, 255];
  if (colour === 4) return [first, first, first, second];
  return [first, second, third, colour === 6 ? fourth : 255];
}
