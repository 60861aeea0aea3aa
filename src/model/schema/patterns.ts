/** What ECMA-262 (with the `u` flag, unanchored, as JSON Schema runs it) makes of a PCRE. */
export type Translation =
  | { readonly kind: 'ecma'; readonly pattern: string }
  | { readonly kind: 'none'; readonly reason: string };

/** The longest pattern that is looked at, in UTF-16 code units. */
const MAX_PATTERN = 10_000;

// Until pcre stands: what both languages write alike.
const DIFFERS = /\(\?[^:=!]|\\[AzZhHvRXGKQECgkN]|[*+?}]\+|\[\[:|\$$/;

export function translatePattern(pcre: string): Translation {
  if (pcre.length > MAX_PATTERN) return { kind: 'none', reason: 'it is too long' };
  try {
    new RegExp(pcre, 'u');
    return DIFFERS.test(pcre.replace(/\$$/, ''))
      ? { kind: 'none', reason: 'unsupported' }
      : { kind: 'ecma', pattern: pcre };
  } catch {
    return { kind: 'none', reason: 'it does not parse' };
  }
}

/** Whether the pattern matches, in linear time; undefined where that cannot be said. */
export function matches(_pcre: string, _text: string): boolean | undefined {
  return undefined;
}
