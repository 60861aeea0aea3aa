import type { Json, JsonObject } from '../../json.ts';
import type { ItemLink, ItemLinks, Pagination, SiteError, SiteResponse } from './declarations.ts';
import type { SiteUser, UserRole } from './users.ts';

export function ok(body: Json, headers?: SiteResponse['headers']): SiteResponse {
  return headers === undefined ? { kind: 'response', body } : { kind: 'response', body, headers };
}

/** Creates a 201 response. @param location URL of the new resource, if a route shows it alone or in a list */
export function created(body: Json, location?: string): SiteResponse {
  const response: SiteResponse = { kind: 'response', status: 201, body };
  return location === undefined ? response : { ...response, headers: { Location: location } };
}

/** Creates the response of one page of a list. `dispatch` adds `X-WP-Total`, `X-WP-TotalPages` and `Link`. */
export function listResponse(items: readonly Json[], page: Pagination): SiteResponse {
  return { kind: 'response', body: items, page };
}

/** The items of one page. */
export function slicePage<T>(
  items: readonly T[],
  { page, perPage }: Omit<Pagination, 'total'>,
): readonly T[] {
  return items.slice((page - 1) * perPage, page * perPage);
}

export function restError(status: number, code: string, message: string, data?: JsonObject): SiteError {
  return data === undefined
    ? { kind: 'error', status, code, message }
    : { kind: 'error', status, code, message, data };
}

/** Creates a 401 error for an anonymous request, or a 403 error for a user (rest_authorization_required_code). */
export function forbiddenError(
  user: SiteUser | null,
  code = 'rest_forbidden',
  message = 'Sorry, you are not allowed to do that.',
): SiteError {
  return restError(user === null ? 401 : 403, code, message);
}

/** Whether the result of a lookup, a check or a handler is an error. */
export function isSiteError(value: unknown): value is SiteError {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'error';
}

const ROLE_RANKS: Readonly<Record<UserRole, number>> = { subscriber: 0, editor: 1, administrator: 2 };

/** Whether a user has a role or a higher one. */
export function hasRole(user: SiteUser | null, role: UserRole): boolean {
  return user !== null && ROLE_RANKS[user.role] >= ROLE_RANKS[role];
}

/** Creates a `permission` callback that requires a role. */
export function requireRole(
  role: UserRole,
  code?: string,
  message?: string,
): (request: { readonly user: SiteUser | null }) => SiteError | undefined {
  return ({ user }) => (hasRole(user, role) ? undefined : forbiddenError(user, code, message));
}

/** Converts links to the value of `_links`. */
export function toItemLinks(
  links: Readonly<Record<string, string | ItemLink | readonly ItemLink[]>>,
): ItemLinks & JsonObject {
  const entries = Object.entries(links).map(([relation, target]): [string, readonly ItemLink[]] => {
    if (typeof target === 'string') return [relation, [{ href: target }]];
    return [relation, isList(target) ? target : [target]];
  });
  // JSON.stringify() drops attributes that are undefined.
  return JSON.parse(JSON.stringify(Object.fromEntries(entries)));
}

function isList(target: ItemLink | readonly ItemLink[]): target is readonly ItemLink[] {
  return Array.isArray(target);
}
