import { DEMO_USERS } from '../../site/users.ts';
import type { Author, Term } from '../model/entries.ts';
import { sanitizeTitle } from '../rules/slug.ts';

/** The time of the newest generated data. It does not depend on the system time. */
export const CONTENT_EPOCH: number = Date.UTC(2025, 0, 15, 9, 0, 0);

export const MS_PER_HOUR = 3_600_000;
export const MS_PER_DAY: number = 24 * MS_PER_HOUR;

/** Authors without a user account. */
const GUEST_AUTHORS = ['Mira Chandra', 'Jonas Weber', 'Lucía Romero', 'Tove Nyström'];

export const SEED_AUTHORS: readonly Author[] = [
  ...DEMO_USERS.map(({ id, name }) => ({ id, name, slug: sanitizeTitle(name) })),
  ...GUEST_AUTHORS.map((name, index) => ({
    id: DEMO_USERS.length + index + 1,
    name,
    slug: sanitizeTitle(name),
  })),
];

/** Categories with their parents. A parent precedes its children. */
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

/** Categories have the first ids, tags the following ones. */
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
