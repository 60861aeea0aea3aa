import type { EntryKind } from '../model/entries.ts';
import type { ContentState } from '../model/state.ts';

const MAX_SLUG_LENGTH = 200;

/**
 * Converts a title to a slug as `sanitize_title()` does: lower case, without accents, with hyphens for other characters
 * than letters and digits. Letters outside ASCII are percent-encoded.
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
    // A cut within a percent-encoded letter would make the URL invalid.
    if (slug.length + part.length > MAX_SLUG_LENGTH) break;
    slug += part;
  }
  return slug.replace(/-+$/, '');
}

function encodeLetter(letter: string): string {
  return encodeURIComponent(letter).toLowerCase();
}

/** Returns the slug, with the suffix -2, -3 … if another entry of the kind has it. */
export function createUniqueEntrySlug(
  state: ContentState,
  slug: string,
  kind: EntryKind,
  id: number,
): string {
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
