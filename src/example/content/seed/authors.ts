import { DEMO_USERS } from '../../site/users.ts';
import type { Author } from '../entries.ts';
import { slugOf } from '../rules/slug.ts';

/** Contributors who write for the site and have no access to it. */
const GUESTS = ['Mira Chandra', 'Jonas Weber', 'Lucía Romero', 'Tove Nyström'];

export const AUTHORS: readonly Author[] = [
  ...DEMO_USERS.map(({ id, name }) => ({ id, name, slug: slugOf(name) })),
  ...GUESTS.map((name, index) => ({ id: DEMO_USERS.length + index + 1, name, slug: slugOf(name) })),
];
