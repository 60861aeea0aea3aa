import type { SiteUser } from '../../site/users.ts';
import type { Contact } from '../model/index.ts';

/** Users without passwords, in addition to the three demo users. */
export const SEED_USERS: readonly SiteUser[] = [
  { id: 4, login: 'mira', name: 'Mira Novak', email: 'mira@example.com', role: 'editor' },
  { id: 5, login: 'jonas', name: 'Jonas Weber', email: 'jonas@example.com', role: 'subscriber' },
  { id: 6, login: 'leila', name: 'Leila Haddad', email: 'leila@example.com', role: 'subscriber' },
  { id: 7, login: 'tomas', name: 'Tomás Rivera', email: 'tomas@example.com', role: 'subscriber' },
  { id: 8, login: 'hana', name: 'Hana Sato', email: 'hana@example.com', role: 'subscriber' },
  { id: 9, login: 'kofi', name: 'Kofi Mensah', email: 'kofi@example.com', role: 'subscriber' },
  { id: 10, login: 'ingrid', name: 'Ingrid Dahl', email: 'ingrid@example.com', role: 'subscriber' },
  { id: 11, login: 'pavel', name: 'Pavel Horák', email: 'pavel@example.com', role: 'subscriber' },
  { id: 12, login: 'aisha', name: 'Aisha Khan', email: 'aisha@example.com', role: 'subscriber' },
];

export const SEED_CONTACTS: readonly Contact[] = [
  { id: 1, name: 'Clara Moreau', email: 'clara@customer.example.com', company: 'Moreau & Fils' },
  { id: 2, name: 'Daniel Ekström', email: 'daniel@customer.example.com', company: 'Norrsken Bikes' },
  { id: 3, name: 'Priya Raman', email: 'priya@customer.example.com', company: 'Banyan Books' },
  { id: 4, name: 'Luca Bianchi', email: 'luca@customer.example.com', company: 'Torrefazione Bianchi' },
  { id: 5, name: 'Grace Okoye', email: 'grace@customer.example.com', company: 'Lagos Light' },
  { id: 6, name: 'Yuki Tanaka', email: 'yuki@customer.example.com', company: 'Kiso Woodworks' },
  { id: 7, name: 'Marta Silva', email: 'marta@customer.example.com', company: 'Azulejo Studio' },
  { id: 8, name: 'Owen Hughes', email: 'owen@customer.example.com', company: 'Harbour Ferries' },
];
