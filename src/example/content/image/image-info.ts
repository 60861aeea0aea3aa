/** The type and size of an image, read from the header of its file. */
interface ImageInfo {
  readonly mime: string;
  readonly width: number;
  readonly height: number;
}

/** Reads the header of a PNG, GIF, WebP or JPEG; `null` for other files. */
export function readImageInfo(bytes: Uint8Array): ImageInfo | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return readPng(view) ?? readGif(view) ?? readWebp(view) ?? readJpeg(view);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function readPng(view: DataView): ImageInfo | null {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return null;
  return { mime: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

function readGif(view: DataView): ImageInfo | null {
  if (view.getUint32(0) !== 0x47494638) return null;
  return { mime: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** Reads the extended header (RFC 9649 §2.7). Other WebP files get the size 1×1. */
function readWebp(view: DataView): ImageInfo | null {
  if (view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250) return null;
  if (view.getUint32(12) !== 0x56503858) return { mime: 'image/webp', width: 1, height: 1 };
  const readUint24 = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  return { mime: 'image/webp', width: readUint24(24) + 1, height: readUint24(27) + 1 };
}

/** The size is in the frame header: SOF0 to SOF15 without DHT, JPG and DAC, whose markers lie among them. */
function readJpeg(view: DataView): ImageInfo | null {
  if (view.getUint16(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 < view.byteLength; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { mime: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
  }
  return null;
}
