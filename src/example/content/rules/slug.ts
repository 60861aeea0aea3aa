import type { EntryKind } from '../model/entries.ts';
import type { ContentState } from '../model/state.ts';

const MAX_SLUG_LENGTH = 200;

/**
 * A title as part of an address (sanitize_title): lower case, accents taken off, everything else that is no letter or
 * digit a hyphen; letters beyond Latin percent-encoded.
 */
export function sanitizeTitle(title: string): string {
  const plain = title
    .replace(/<[^<>]*>/g, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/&[a-z]{2,8};|&#\d{1,6};/g, '')
    .replace(/['’"“”]/g, '')
    .replace(/[^\p{L}\p{N}_]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  let slug = '';
  for (const letter of plain) {
    const part = letter < '\u0080' ? letter : encodeLetter(letter);
    // A cut in the middle of an encoded letter would leave an address that cannot be read.
    if (slug.length + part.length > MAX_SLUG_LENGTH) break;
    slug += part;
  }
  return slug.replace(/-+$/, '');
}

function encodeLetter(letter: string): string {
  return encodeURIComponent(letter).toLowerCase();
}

/** The slug itself where it is free within its type, else with -2, -3 … */
export function createUniqueSlug(state: ContentState, slug: string, kind: EntryKind, id: number): string {
  if (slug === '') return '';
  const taken = new Set<string>();
  for (const entry of state.entries.values()) {
    if (entry.kind === kind && entry.id !== id) taken.add(entry.slug);
  }
  let free = slug;
  for (let number = 2; taken.has(free); number++) {
    const suffix = `-${number}`;
    free = slug.slice(0, MAX_SLUG_LENGTH - suffix.length) + suffix;
  }
  return free;
}
