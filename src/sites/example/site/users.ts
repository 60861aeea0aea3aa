import type { SiteUser, UserRole } from '../../rest-server/declarations.ts';
import users from './users.json' with { type: 'json' };

export interface DemoUser extends SiteUser {
  /** Application password, public because the sites are demonstrations. */
  readonly password: string;
}

const ROLES: readonly UserRole[] = ['administrator', 'editor', 'subscriber'];

/** One user of each role. A request without credentials is anonymous. */
export const DEMO_USERS: readonly DemoUser[] = ROLES.flatMap((role, index) =>
  users
    .filter((user) => user.role === role)
    .map(({ login, name }) => {
      const email = `${name.split(' ')[0]?.toLowerCase()}@example.com`;
      return { id: index + 1, login, name, email, role, password: `demo-${login}-password` };
    }),
);
