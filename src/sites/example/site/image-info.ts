interface ImageInfo {
  readonly mime: string;
  readonly width: number;
  readonly height: number;
}

/** Reads the header of a PNG, GIF, WebP (RFC 9649 §2.7, without extended header 1×1) or JPEG. */
export function readImageInfo(bytes: Uint8Array): ImageInfo | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return readHeader(view);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

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
  // SOF0 to SOF15 without DHT, JPG and DAC.
  for (let at = 2; at + 9 < view.byteLength; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { mime: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
  }
  return null;
}
