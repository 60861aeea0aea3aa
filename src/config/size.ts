const UNITS = { '': 1, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3 } as const;

/** Reads a size as people write it, `500KiB`, `64MiB`, `1GiB` or bytes alone; `undefined` where the text is none. */
export function parseSize(text: string): number | undefined {
  const match = /^(\d{1,9})(kib|mib|gib|)$/i.exec(text.trim());
  if (match?.[1] === undefined) return undefined;
  return Number(match[1]) * UNITS[(match[2] ?? '').toLowerCase() as keyof typeof UNITS];
}
