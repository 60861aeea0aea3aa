/** An image in memory. Each pixel is a 32-bit word with the bytes red, green, blue and alpha; rows start at the top. */
export interface PixelBuffer {
  readonly width: number;
  readonly height: number;
  readonly words: Uint32Array;
}

/** Packs a color into a word. It does not depend on the byte order of the machine. */
export function packPixel(red: number, green: number, blue: number, alpha = 255): number {
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
