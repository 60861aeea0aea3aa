import { crc32, deflateSync } from 'node:zlib';
import type { PixelBuffer } from './pixels.ts';

export const PNG_SIGNATURE: Uint8Array = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

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

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}
