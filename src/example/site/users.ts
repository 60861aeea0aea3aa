import type { SiteUser } from '../../rest-server/declarations.ts';

export interface DemoUser extends SiteUser {
  /** The application password. It is public: the sites are demonstrations. */
  readonly password: string;
}

/** The users of both sites. A request without credentials is anonymous. */
export const DEMO_USERS: readonly DemoUser[] = [
  {
    id: 1,
    login: 'admin',
    name: 'Ada Lindqvist',
    email: 'ada@example.com',
    role: 'administrator',
    password: 'demo-admin-password',
  },
  {
    id: 2,
    login: 'editor',
    name: 'Emeka Okafor',
    email: 'emeka@example.com',
    role: 'editor',
    password: 'demo-editor-password',
  },
  {
    id: 3,
    login: 'subscriber',
    name: 'Sofia Rossi',
    email: 'sofia@example.com',
    role: 'subscriber',
    password: 'demo-subscriber-password',
  },
];
