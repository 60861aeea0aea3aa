import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  crop,
  decodePng,
  encodePng,
  flip,
  type PixelBuffer,
  readImageInfo,
  resize,
  rotate,
} from '../../../src/example/content/images.ts';

const pixels = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
  .chain(([width, height]) =>
    fc
      .array(fc.integer({ min: 0, max: 0xffff_ffff }), {
        minLength: width * height,
        maxLength: width * height,
      })
      .map((words): PixelBuffer => ({ width, height, words: Uint32Array.from(words) })),
  );

describe('an image', () => {
  test('is unchanged after PNG encoding and decoding', () => {
    fc.assert(
      fc.property(pixels, (image) => {
        expect(decodePng(encodePng(image))).toEqual(image);
      }),
    );
  });

  test('is unchanged after four quarter turns and after two flips', () => {
    fc.assert(
      fc.property(pixels, (image) => {
        expect([90, 90, 90, 90].reduce(rotate, image)).toEqual(image);
        expect(rotate(image, 180)).toEqual(flip(image, true, true));
        expect(rotate(rotate(image, 90), -90)).toEqual(image);
        expect(flip(flip(image, true, false), true, false)).toEqual(image);
      }),
    );
  });

  test('has at least one pixel after cropping and resizing', () => {
    const number = fc.integer({ min: -20, max: 20 });
    fc.assert(
      fc.property(pixels, number, number, number, number, (image, left, top, width, height) => {
        const cut = crop(image, left, top, width, height);
        expect(cut.words).toHaveLength(cut.width * cut.height);
        expect(cut.width).toBeGreaterThan(0);
        expect(resize(image, 3, 2).words).toHaveLength(6);
      }),
    );
  });

  test('has its left column on top after a clockwise turn', () => {
    const image = { width: 2, height: 1, words: Uint32Array.of(1, 2) };
    expect(rotate(image, 90)).toEqual({ width: 1, height: 2, words: Uint32Array.of(1, 2) });
    const column = { width: 1, height: 2, words: Uint32Array.of(1, 2) };
    expect(rotate(column, 90)).toEqual({ width: 2, height: 1, words: Uint32Array.of(2, 1) });
  });
});

describe('bytes that are not an image', () => {
  test('are rejected', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(decodePng(bytes)).toBeNull();
        readImageInfo(bytes);
      }),
    );
  });

  test('are rejected if they are a truncated or changed PNG', () => {
    const png = encodePng({ width: 4, height: 4, words: new Uint32Array(16) });
    fc.assert(
      fc.property(fc.nat(png.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        decodePng(png.subarray(0, at));
        const changed = png.slice();
        changed[at] = byte;
        decodePng(changed);
      }),
    );
  });

  test('are rejected if they decompress to more than the header states', () => {
    const bomb = encodePng({ width: 4, height: 4, words: new Uint32Array(16) });
    const packed = deflateSync(new Uint8Array(10_000_000));
    const whole = new Uint8Array(33 + 12 + packed.length);
    whole.set(bomb.subarray(0, 33));
    new DataView(whole.buffer).setUint32(33, packed.length);
    whole.set(new TextEncoder().encode('IDAT'), 37);
    whole.set(packed, 41);
    expect(decodePng(whole)).toBeNull();
  });
});
