/** Maximum length of one segment of an address. */
const MAX_SEGMENT_LENGTH = 80;

/** Converts a text to one segment of an address that needs no percent-encoding and is no dot segment. */
export function toAddressSegment(text: string): string {
  const segment = text
    .slice(0, 400)
    .replace(/[^A-Za-z0-9_.~-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, MAX_SEGMENT_LENGTH)
    // `posts.md` is the Markdown form of `posts`.
    .replace(/\.md$/, '-md');
  return segment === '' ? 'x' : segment;
}

/** Converts a title to an anchor: `List posts` → `list-posts`. */
export function toAnchor(title: string): string {
  const words = title
    .slice(0, 400)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return words.slice(0, MAX_SEGMENT_LENGTH).replace(/-+$/, '') || 'operation';
}

/**
 * Creates a function that makes texts unique: it returns the first of the candidates that it has not returned before, or
 * the last one with a number.
 */
export function createUniqueNames(): (...candidates: readonly string[]) => string {
  const taken = new Set<string>();
  return (...candidates) => {
    const free = candidates.find((candidate) => !taken.has(candidate.toLowerCase()));
    const last = candidates.at(-1) ?? '';
    let name = free ?? last;
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${last}-${number}`;
    taken.add(name.toLowerCase());
    return name;
  };
}
