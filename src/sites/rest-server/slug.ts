/** What PHP's `strip_tags()` takes for a tag. */
const TAG = /<(?!\s)[^>]*(?:>|$)/g;

export const MAX_SLUG_LENGTH = 200;

/** Letters of `remove_accents()` that Unicode doesn't decompose, and the sign that a slug has as `x`. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ...{ ª: 'a', º: 'o', ß: 's', ð: 'd', ø: 'o', þ: 'th', đ: 'd', ħ: 'h', ı: 'i', ĸ: 'k', ŀ: 'l', ł: 'l' },
  ...{ ŉ: 'n', ŋ: 'n', ŧ: 't', ſ: 's', æ: 'ae', œ: 'oe', ĳ: 'ij', '£': '', '€': 'e', '×': 'x' },
};

/** `sanitize_title()`: Latin letters lose their accents, others are percent-encoded. */
export function sanitizeTitle(title: string): string {
  const words = title
    .replace(TAG, '')
    .normalize('NFD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\0-\x7f]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .replace(/[\s./\u2013\u2014-]+/g, '-')
    // An encoded octet stays.
    .replace(/%(?![a-f\d]{2})|[^\p{L}\p{M}\p{N}%_-]/gu, '');
  return cutEncoded(words).replace(/-+/g, '-').replace(/^-|-$/g, '');
}

/** A cut within a letter would make it invalid. */
function cutEncoded(text: string): string {
  let cut = '';
  for (const letter of text) {
    const encoded = letter < '\u0080' ? letter : encodeURIComponent(letter).toLowerCase();
    if (cut.length + encoded.length > MAX_SLUG_LENGTH) break;
    cut += encoded;
  }
  return cut;
}

/** The first free name: `harbour`, `harbour-2`, … @param name what a suffix makes of it */
export function findFreeName(
  isTaken: (name: string) => boolean,
  name: (suffix: string) => string,
  first = 2,
): string {
  let free = name('');
  for (let number = first; isTaken(free); number++) free = name(`-${number}`);
  return free;
}
