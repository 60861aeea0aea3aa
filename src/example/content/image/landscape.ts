import { type PixelBuffer, packPixel } from './pixels.ts';

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

export interface LandscapeOptions {
  readonly width: number;
  readonly height: number;
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
