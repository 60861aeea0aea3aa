import { tagNames } from './tags.ts';

/**
 * What an edit of a post changes in searches. WordPress finds what has each term in its title, excerpt or content (`LIKE` in
 * `WP_Query::parse_search()`), and one term alone is in the order of titles that have it (`parse_search_order()`).
 */

/** An edit, as searches see it. The texts have no case and no accents, as the database compares them. */
export interface SearchedEdit {
  /** The values of the written fields, before and after. */
  readonly texts: readonly string[];
  /** The title, if it was not written: what it has is found whatever else the post has. */
  readonly title: string;
}

/** Terms that no rendering of a text changes, and no stop words: others are parsed as the site's language has it. */
const PLAIN_TERMS = /^[a-z]{2,40}(?: [a-z]{2,40}){0,5}$/;
const TERMS_PREFIX = ` ${tagNames.searchFor('')}`;

export function searchTags(text: unknown): readonly string[] {
  const terms = typeof text === 'string' ? text.trim().toLowerCase() : '';
  return PLAIN_TERMS.test(terms) ? [tagNames.search, tagNames.searchFor(terms)] : [tagNames.search];
}

/** Whether an edit may change the results of the search that a response with these tags is. */
export function mayChangeSearch(tags: readonly string[], { texts, title }: SearchedEdit): boolean {
  const tag = tags.find((each) => each.includes(TERMS_PREFIX));
  if (tag === undefined) return true;
  const terms = tag.slice(tag.indexOf(TERMS_PREFIX) + TERMS_PREFIX.length).split(' ');
  const isInTitle = terms.length === 1 && title.includes(terms[0] ?? '');
  return !isInTitle && terms.some((term) => texts.some((text) => text.includes(term)));
}
