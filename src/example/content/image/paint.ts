import type { Pixels } from './pixels.ts';

/** A small landscape: sky, a sun, hills and the sea, in the colours and the shape that the numbers give. */
export function paint({ width, height, hue, shape }: Scene): Pixels {
  const rgba = new Uint8Array(width * height * 4);
  const horizon = Math.floor(height * (0.5 + (shape % 5) / 25));
  const sun = { x: width * (0.2 + (shape % 7) / 10), y: height * 0.25, radius: height * 0.1 };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      rgba.set(colourAt(x, y), (y * width + x) * 4);
    }
  }
  return { width, height, rgba };

  function colourAt(x: number, y: number): readonly number[] {
    if (Math.hypot(x - sun.x, y - sun.y) < sun.radius) return [255, 236, 179, 255];
    const hill = horizon - Math.abs(Math.sin((x / width) * (2 + (shape % 4)) + shape)) * height * 0.25;
    if (y > horizon) return tone(hue + 10, 0.25 + ((y - horizon) % 6) * 0.02);
    if (y > hill) return tone(hue + 150, 0.4);
    return tone(hue, 0.85 - (y / height) * 0.3);
  }
}

export interface Scene {
  readonly width: number;
  readonly height: number;
  /** Degrees of the colour circle. */
  readonly hue: number;
  /** Any whole number. */
  readonly shape: number;
}

/** A colour of half saturation by hue and lightness (0…1), opaque. */
function tone(hue: number, lightness: number): readonly number[] {
  const chroma = (1 - Math.abs(2 * lightness - 1)) * 0.5;
  return [0, 8, 4]
    .map((offset) => {
      const k = (offset + hue / 30) % 12;
      return Math.round(255 * (lightness - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
    })
    .concat(255);
}
