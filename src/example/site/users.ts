import type { SiteUser, UserRole } from '../../rest-server/declarations.ts';
import users from './users.json' with { type: 'json' };

export interface DemoUser extends SiteUser {
  /** The application password. It is public: the sites are demonstrations. */
  readonly password: string;
}

const ROLES: readonly UserRole[] = ['administrator', 'editor', 'subscriber'];

/** The users of both sites, one of each role. A request without credentials is anonymous. */
export const DEMO_USERS: readonly DemoUser[] = ROLES.flatMap((role) =>
  users.filter((user) => user.role === role).map((user) => ({ ...user, role })),
);
