const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * Reads a length of time as people write it, `250ms`, `30s`, `5m`, `1h`, `1d`, into milliseconds.
 *
 * @returns `undefined` where the text is none; a bare number is none either, since its unit would be a guess.
 */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim());
  const unit = match?.[2] as keyof typeof UNITS | undefined;
  if (!match?.[1] || unit === undefined) return undefined;
  const milliseconds = Number(match[1]) * UNITS[unit];
  // A timer of Node holds 31 bits; a longer one would fire at once.
  return milliseconds <= 0x7fff_ffff ? milliseconds : undefined;
}
