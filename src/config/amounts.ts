export const A_DURATION = 'a duration such as 250ms, 30s, 5m or 1h';
export const A_SIZE = 'a size such as 500KiB, 64MiB or 1GiB';

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const BYTES = { '': 1, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3 } as const;

/** `250ms`, `30s`, `5m`, `1h`, `1d` in milliseconds; `undefined` for another text */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim());
  const unit = match?.[2] as keyof typeof MILLISECONDS | undefined;
  if (!match?.[1] || unit === undefined) return undefined;
  const milliseconds = Number(match[1]) * MILLISECONDS[unit];
  // Node's timers hold 31 bits. A longer delay would fire at once.
  return milliseconds <= 0x7fff_ffff ? milliseconds : undefined;
}

/** `500KiB`, `64MiB`, `1GiB` or a plain number in bytes; `undefined` for another text */
export function parseSize(text: string): number | undefined {
  const match = /^(\d{1,9})(kib|mib|gib|)$/i.exec(text.trim());
  if (match?.[1] === undefined) return undefined;
  return Number(match[1]) * BYTES[(match[2] ?? '').toLowerCase() as keyof typeof BYTES];
}
