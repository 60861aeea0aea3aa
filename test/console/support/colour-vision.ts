/** Red, green and blue of 0 to 1, linear. */
type Rgb = readonly [number, number, number];
type Matrix = readonly [Rgb, Rgb, Rgb];

/** Machado, Oliveira and Fernandes 2009, severity 1, for linear values of sRGB. */
const DEFICIENCIES: Readonly<Record<'protanopia' | 'deuteranopia', Matrix>> = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
};

/** From linear sRGB to XYZ, relative to the white point D65. */
const TO_XYZ: Matrix = [
  [0.4339, 0.3762, 0.1899],
  [0.2126, 0.7152, 0.0722],
  [0.0178, 0.1095, 0.8727],
];

function toLinear(hex: string): Rgb {
  const channel = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function multiply([first, second, third]: Matrix, [red, green, blue]: Rgb): Rgb {
  const row = ([a, b, c]: Rgb): number => a * red + b * green + c * blue;
  return [row(first), row(second), row(third)];
}

function toLab(colour: Rgb): Rgb {
  const scale = (value: number): number => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
  const [x, y, z] = multiply(TO_XYZ, colour);
  return [116 * scale(y) - 16, 500 * (scale(x) - scale(y)), 200 * (scale(y) - scale(z))];
}

/** How far apart two colours are for a dichromat: the distance in CIELAB. Below about 10 they are easily confused. */
export function measureDistance(one: string, other: string, kind: keyof typeof DEFICIENCIES): number {
  const [first, second] = [one, other].map((hex) => {
    const [red, green, blue] = multiply(DEFICIENCIES[kind], toLinear(hex));
    const clip = (value: number): number => Math.min(1, Math.max(0, value));
    return toLab([clip(red), clip(green), clip(blue)]);
  });
  if (first === undefined || second === undefined) return 0;
  return Math.hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]);
}

/** The contrast of two colours (WCAG 2.2). */
export function measureContrast(one: string, other: string): number {
  const luminances = [one, other].map((hex) => multiply(TO_XYZ, toLinear(hex))[1]);
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05);
}
