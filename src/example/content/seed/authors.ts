import { DEMO_USERS } from '../../site/users.ts';
import type { Author } from '../model/entries.ts';
import { sanitizeTitle } from '../rules/slug.ts';

/** Contributors who write for the site and have no access to it. */
const GUEST_AUTHORS = ['Mira Chandra', 'Jonas Weber', 'Lucía Romero', 'Tove Nyström'];

export const SEED_AUTHORS: readonly Author[] = [
  ...DEMO_USERS.map(({ id, name }) => ({ id, name, slug: sanitizeTitle(name) })),
  ...GUEST_AUTHORS.map((name, index) => ({
    id: DEMO_USERS.length + index + 1,
    name,
    slug: sanitizeTitle(name),
  })),
];
