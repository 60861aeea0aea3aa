import { memoizeByString } from '../../memoize.ts';

/**
 * Searches in the JSON text of a REST response, which is not parsed because that would cost more than everything else that
 * the gateway does with a response. The text of a JSON string cannot be mistaken for a link, because its quotes are escaped.
 */

/** Letters from the rarest in English text to the most common: a search is faster the rarer its first letter is. */
const LETTERS_BY_RARITY = 'zqxjkvbpygwfmucldrhsnioate';
/** Minimum length of the part of a search text that is looked for first. */
const MIN_TAIL_LENGTH = 6;

/** Receives the start and end offsets of a URL in the text. */
type LinkVisitor = (start: number, end: number) => void;

const LINKS = '_links":{';
const SELF = '"self":[{';
const HREF = 'href":"';
const EMBEDDABLE = 'embeddable":true';
const findEmbeddable = createTextFinder(EMBEDDABLE);

/** Returns the offset of the first `_links` object; -1 if there is none. */
export function findLinksObject(text: string): number {
  return text.indexOf(LINKS);
}

/** Visits the `self` link of each item, beginning with the `_links` object at `first`. */
export function forEachSelfLink(text: string, first: number, visit: LinkVisitor): void {
  for (let at = first; at >= 0; ) {
    const start = at + LINKS.length;
    const next = text.indexOf(LINKS, start);
    const self = text.startsWith(SELF, start) ? start : text.indexOf(SELF, start);
    if (self >= 0 && (next < 0 || self < next)) visitHref(text, self + SELF.length, visit);
    at = next;
  }
}

/** Visits each link that WordPress can embed (`_embed`). */
export function forEachEmbeddableLink(text: string, from: number, visit: LinkVisitor): void {
  for (let at = findEmbeddable(text, from); at >= 0; at = findEmbeddable(text, at + 1)) {
    visitHref(text, at + EMBEDDABLE.length, visit);
  }
}

function visitHref(text: string, from: number, visit: LinkVisitor): void {
  const href = text.indexOf(HREF, from);
  if (href < 0) return;
  const start = href + HREF.length;
  const end = text.indexOf('"', start);
  if (end >= 0) visit(start, end);
}

/**
 * Creates a function that finds the term ids of posts in a text, and calls `visit` with the path of each term.
 *
 * @param collections paths of the term collections by the post field that holds their ids
 */
export function createTermFinder(
  collections: ReadonlyMap<string, string>,
): (text: string, visit: (path: string) => void) => void {
  const finders = [...collections.keys()].map((field) => createTextFinder(`${field}":[`));
  return (text, visit) => {
    const list = /"([^"\\]+)":\[([\d,]*)\],?/y;
    for (const find of finders) {
      let isFound = false;
      for (let at = find(text, 0); at >= 0; at = find(text, Math.max(at + 1, list.lastIndex))) {
        // The finder searches for the name without its first quote.
        list.lastIndex = at - 1;
        for (let match = list.exec(text); match !== null; match = list.exec(text)) {
          isFound = true;
          const path = collections.get(match[1] ?? '');
          if (path === undefined) continue;
          for (const id of (match[2] ?? '').split(',')) if (id !== '') visit(`${path}/${id}`);
        }
      }
      // The fields of all taxonomies are adjacent, so the first that is found leads to the others.
      if (isFound) return;
    }
  };
}

/** Visits the digits that follow each occurrence of `prefix`. */
export function forEachNumberAfter(text: string, prefix: string, visit: (digits: string) => void): void {
  for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at + prefix.length)) {
    const digits = /^\d+/.exec(text.slice(at + prefix.length, at + prefix.length + 20))?.[0];
    if (digits !== undefined) visit(digits);
  }
}

/** Classes in the content of posts that WordPress does not render from other resources: those of static blocks and styles. */
const STATIC_CLASS = new RegExp(
  `^(?:${[
    'wp-block-(?:audio|buttons?|button__link|code|columns?|details|group|group__inner-container|heading|image|list|preformatted|pullquote|quote|separator|spacer|table|verse|video)',
    '(?:align|are|attachment|has|is|size|wp-element|wp-elements|wp-container|wp-image)-?[\\w-]*',
    'wp-caption(?:-text)?',
    'more-link',
  ].join('|')})$`,
);
/** Elements that neither editors nor static blocks put into content. */
const RENDERED_ELEMENTS: readonly string[] = [
  '<form',
  '<iframe',
  '<script',
  '<style',
  '<svg',
  '<input',
  '<select',
];
const CLASS_ATTRIBUTE = 'class=';
/** The value of the attribute in a JSON text, which escapes `"`. */
const CLASS_LIST = /^(?:\\"([^"'\\]*)\\"|'([^"'\\]*)')/;
const MAX_CLASS_LIST = 300;
const UNKNOWN_CLASS = '?';

/**
 * Whether HTML in a response may have been rendered from other resources: by a dynamic block, a shortcode or a plugin. All
 * markup that is not known to be static counts.
 */
export function hasRenderedContent(text: string): boolean {
  for (let at = text.indexOf(CLASS_ATTRIBUTE); at >= 0; at = text.indexOf(CLASS_ATTRIBUTE, at + 1)) {
    const start = at + CLASS_ATTRIBUTE.length;
    const [, escaped, quoted] = CLASS_LIST.exec(text.slice(start, start + MAX_CLASS_LIST)) ?? [];
    if (classifyClassList(escaped ?? quoted ?? UNKNOWN_CLASS) === 'rendered') return true;
  }
  return RENDERED_ELEMENTS.some((element) => text.includes(element));
}

const classifyClassList = memoizeByString((value): 'static' | 'rendered' =>
  value.split(/\s+/).every((name) => name === '' || STATIC_CLASS.test(name)) ? 'static' : 'rendered',
);

/** Creates a function like `indexOf` for long texts. It looks for the part of `needle` that begins with its rarest letter. */
function createTextFinder(needle: string): (text: string, from: number) => number {
  let offset = 0;
  for (const [at, letter] of [...needle].entries()) {
    if (needle.length - at < MIN_TAIL_LENGTH) break;
    if (rarityRank(letter) < rarityRank(needle[offset] ?? '')) offset = at;
  }
  const tail = needle.slice(offset);
  return (text, from) => {
    for (let at = text.indexOf(tail, from + offset); at >= 0; at = text.indexOf(tail, at + 1)) {
      if (text.startsWith(needle, at - offset)) return at - offset;
    }
    return -1;
  };
}

function rarityRank(letter: string): number {
  const rank = LETTERS_BY_RARITY.indexOf(letter);
  return rank < 0 ? LETTERS_BY_RARITY.length : rank;
}
