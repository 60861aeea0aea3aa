import type { JsonObject } from '../../../json.ts';
import { type SiteSettings, type UserSettings, userSettings } from '../model/index.ts';
import { type BoardRequest, type BoardResource, createResource, permit } from '../rest/index.ts';

/** Settings of the site, which administrators read and change. */
export function siteSettings<Settings extends object>(
  schema: JsonObject,
  select: (settings: SiteSettings) => Settings,
  show: (settings: Settings, request: BoardRequest) => JsonObject,
): BoardResource<Settings, readonly []> {
  return createResource<Settings, readonly []>({
    schema,
    read: permit.administrators,
    write: permit.administrators,
    parents: () => [],
    find: ({ state }) => select(state.settings),
    present: (request) => (settings) => show(settings, request),
  });
}

/** Settings of the client, who must have an account. */
export function ownSettings(
  schema: JsonObject,
  show: (settings: UserSettings) => JsonObject,
): BoardResource<UserSettings, readonly []> {
  return createResource<UserSettings, readonly []>({
    schema,
    read: permit.signedIn,
    write: permit.signedIn,
    parents: () => [],
    find: ({ state, user }) => userSettings(state, user?.id ?? 0),
    present: () => show,
  });
}
