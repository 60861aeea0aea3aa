import type { Term } from '../model/entries.ts';
import { sanitizeTitle } from '../rules/slug.ts';

/** Categories with the parent of each; a parent stands before its children. */
const CATEGORIES: readonly (readonly [name: string, parent: string | null])[] = [
  ['Uncategorized', null],
  ['Harbour', null],
  ['Boats', 'Harbour'],
  ['Fish market', 'Harbour'],
  ['Town', null],
  ['Council', 'Town'],
  ['Schools', 'Town'],
  ['Culture', null],
  ['Music', 'Culture'],
  ['Books', 'Culture'],
  ['Food', null],
  ['Walks', null],
];

const TAGS: readonly string[] = [
  ...['weather', 'history', 'interview', 'recipe', 'photography', 'lighthouse', 'ferry', 'tides', 'birds'],
  ...['workshop', 'festival', 'library', 'market day', 'gardening', 'cycling', 'volunteers', 'architecture'],
  ...['night sky', 'swimming', 'archive', 'craft', 'winter', 'summer', 'map'],
];

/** Ids as an import would have given them: categories first, tags after. */
export const SEED_TERMS: readonly Term[] = [...createCategories(), ...createTags()];

function createCategories(): Term[] {
  const ids = new Map(CATEGORIES.map(([name], index) => [name, index + 1]));
  return CATEGORIES.map(([name, parent], index) => ({
    id: index + 1,
    taxonomy: 'category',
    name,
    slug: sanitizeTitle(name),
    parent: (parent === null ? undefined : ids.get(parent)) ?? 0,
  }));
}

function createTags(): Term[] {
  return TAGS.map((name, index) => ({
    id: CATEGORIES.length + index + 1,
    taxonomy: 'post_tag',
    name,
    slug: sanitizeTitle(name),
    parent: 0,
  }));
}
