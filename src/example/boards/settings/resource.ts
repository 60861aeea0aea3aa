import type { JsonObject } from '../../../json.ts';
import { type SiteSettings, type UserSettings, userSettings } from '../model/index.ts';
import { type BoardRequest, type BoardResource, createResource, permit } from '../rest/index.ts';

/** Creates a resource for settings of the site, which administrators read and change. */
export function createSiteSettingsResource<Settings extends object>(
  schema: JsonObject,
  select: (settings: SiteSettings) => Settings,
  show: (settings: Settings, request: BoardRequest) => JsonObject,
): BoardResource<Settings, readonly []> {
  return createResource<Settings, readonly []>({
    schema,
    readPermission: permit.administrators,
    writePermission: permit.administrators,
    findParents: () => [],
    findItem: ({ state }) => select(state.settings),
    createPresenter: (request) => (settings) => show(settings, request),
  });
}

/** Creates a resource for settings of the client, who must have an account. */
export function createUserSettingsResource(
  schema: JsonObject,
  show: (settings: UserSettings) => JsonObject,
): BoardResource<UserSettings, readonly []> {
  return createResource<UserSettings, readonly []>({
    schema,
    readPermission: permit.signedIn,
    writePermission: permit.signedIn,
    findParents: () => [],
    findItem: ({ state, user }) => userSettings(state, user?.id ?? 0),
    createPresenter: () => show,
  });
}
