import type { Cursor } from './cursor.ts';

/** Flags that a pattern can set inside itself. pcre2pattern(3), "Internal option setting". */
export interface Flags {
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

export const NO_FLAGS: Flags = {
  i: false,
  m: false,
  s: false,
  x: false,
  xx: false,
  n: false,
  U: false,
  J: false,
};

/** Parses `i`, `i-m`, `^s` and so on, up to the `)` or `:` behind them. */
export function parseFlags(cursor: Cursor, current: Flags): Flags {
  const flags = { ...current };
  if (cursor.take('^')) Object.assign(flags, { i: false, m: false, s: false, x: false, xx: false, n: false });
  let value = true;
  for (;;) {
    if (cursor.take('-')) value = false;
    else if (cursor.take('xx')) Object.assign(flags, { x: value, xx: value });
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
