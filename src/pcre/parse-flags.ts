import type { PatternCursor } from './cursor.ts';

/** Flags that a pattern can set inside itself. See pcre2pattern(3), "Internal option setting". */
export interface PcreFlags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  readonly x: boolean;
  readonly xx: boolean;
  /** Plain parentheses do not capture. */
  readonly n: boolean;
  /** Swaps greedy and lazy quantifiers. */
  readonly U: boolean;
  /** Groups may share a name. */
  readonly J: boolean;
}

export const NO_FLAGS: PcreFlags = {
  i: false,
  m: false,
  s: false,
  x: false,
  xx: false,
  n: false,
  U: false,
  J: false,
};

/** Parses `i`, `i-m`, `^s` and so on, up to the `)` or `:` that follows. */
export function parseFlags(cursor: PatternCursor, current: PcreFlags): PcreFlags {
  const flags = { ...current };
  if (cursor.takeIf('^'))
    Object.assign(flags, { i: false, m: false, s: false, x: false, xx: false, n: false });
  let value = true;
  for (;;) {
    if (cursor.takeIf('-')) value = false;
    else if (cursor.takeIf('xx')) Object.assign(flags, { x: value, xx: value });
    else {
      const letter = cursor.peek();
      if (!isFlag(letter)) return flags;
      cursor.position += 1;
      flags[letter] = value;
      if (letter === 'x') flags.xx = false;
    }
  }
}

function isFlag(letter: string): letter is 'i' | 'm' | 's' | 'x' | 'n' | 'U' | 'J' {
  return letter.length === 1 && 'imsxnUJ'.includes(letter);
}
