/** An image in memory: four bytes a pixel (red, green, blue, alpha), rows from the top. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/** The image whose pixel at (x, y) is what `from` says of another: every change of shape is one of these. */
function remap(
  source: Pixels,
  width: number,
  height: number,
  from: (x: number, y: number) => readonly [number, number],
): Pixels {
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [sx, sy] = from(x, y);
      const at = (sy * source.width + sx) * 4;
      rgba.set(source.rgba.subarray(at, at + 4), (y * width + x) * 4);
    }
  }
  return { width, height, rgba };
}

/** The rectangle at (left, top), cut to the image's edges. */
export function crop(source: Pixels, left: number, top: number, width: number, height: number): Pixels {
  const x0 = clamp(Math.round(left), 0, source.width - 1);
  const y0 = clamp(Math.round(top), 0, source.height - 1);
  const w = clamp(Math.round(width), 1, source.width - x0);
  const h = clamp(Math.round(height), 1, source.height - y0);
  return remap(source, w, h, (x, y) => [x0 + x, y0 + y]);
}

export function flip(source: Pixels, horizontal: boolean, vertical: boolean): Pixels {
  const { width, height } = source;
  return remap(source, width, height, (x, y) => [
    horizontal ? width - 1 - x : x,
    vertical ? height - 1 - y : y,
  ]);
}

/** Clockwise, to the nearest quarter turn: a demonstration needs no interpolation. */
export function rotate(source: Pixels, degrees: number): Pixels {
  const { width, height } = source;
  const quarters = ((Math.round(degrees / 90) % 4) + 4) % 4;
  if (quarters === 1) return remap(source, height, width, (x, y) => [y, height - 1 - x]);
  if (quarters === 2) return flip(source, true, true);
  if (quarters === 3) return remap(source, height, width, (x, y) => [width - 1 - y, x]);
  return source;
}

/** By the nearest pixel. */
export function resize(source: Pixels, width: number, height: number): Pixels {
  return remap(source, width, height, (x, y) => [
    Math.floor((x * source.width) / width),
    Math.floor((y * source.height) / height),
  ]);
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
