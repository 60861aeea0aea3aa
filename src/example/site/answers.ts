import type { Json, JsonObject } from '../../json.ts';
import type { Link, Links, PageOfItems, SiteAnswer, SiteError } from './declare.ts';
import type { Role, User } from './users.ts';

export function ok(body: Json, headers?: SiteAnswer['headers']): SiteAnswer {
  return headers === undefined ? { kind: 'answer', body } : { kind: 'answer', body, headers };
}

/** 201 with the address of what was made. */
export function created(body: Json, location: string): SiteAnswer {
  return { kind: 'answer', status: 201, body, headers: { Location: location } };
}

/** One page of a list: the framework writes `X-WP-Total`, `X-WP-TotalPages` and `Link`. */
export function collection(items: readonly Json[], page: PageOfItems): SiteAnswer {
  return { kind: 'answer', body: items, page };
}

/** The part of a list that a page shows. */
export function slicePage<T>(
  items: readonly T[],
  { page, perPage }: Omit<PageOfItems, 'total'>,
): readonly T[] {
  return items.slice((page - 1) * perPage, page * perPage);
}

export function refuse(status: number, code: string, message: string, data?: JsonObject): SiteError {
  return data === undefined
    ? { kind: 'error', status, code, message }
    : { kind: 'error', status, code, message, data };
}

/** 401 for anybody, 403 for a user who lacks the right (rest_authorization_required_code). */
export function forbid(
  user: User | null,
  code = 'rest_forbidden',
  message = 'Sorry, you are not allowed to do that.',
): SiteError {
  return refuse(user === null ? 401 : 403, code, message);
}

const RANKS: Readonly<Record<Role, number>> = { subscriber: 0, editor: 1, administrator: 2 };

/** Whether someone has a role's rights: an administrator has an editor's, an editor a subscriber's. */
export function hasRole(user: User | null, role: Role): boolean {
  return user !== null && RANKS[user.role] >= RANKS[role];
}

/** A `permission`: only those with a role's rights. */
export function requires(
  role: Role,
  code?: string,
  message?: string,
): (request: { readonly user: User | null }) => SiteError | undefined {
  return ({ user }) => (hasRole(user, role) ? undefined : forbid(user, code, message));
}

/** Links as a value of `_links`. */
export function asLinks(
  links: Readonly<Record<string, string | Link | readonly Link[]>>,
): Links & JsonObject {
  const entries = Object.entries(links).map(([relation, target]): [string, readonly Link[]] => {
    if (typeof target === 'string') return [relation, [{ href: target }]];
    return [relation, isList(target) ? target : [target]];
  });
  // Attributes that are undefined are no members.
  return JSON.parse(JSON.stringify(Object.fromEntries(entries)));
}

function isList(target: Link | readonly Link[]): target is readonly Link[] {
  return Array.isArray(target);
}
