import type { JsonObject } from '../../json.ts';
import { ok } from '../../rest-server/responses.ts';
import { boardResource } from './boards.ts';
import {
  type BoardOperations,
  type BoardRequest,
  BoardResource,
  createSubstringFilter,
  enumParam,
  enumParams,
  pageResponse,
} from './resource.ts';
import {
  AI_TONES,
  COMPANION_PLUGINS,
  DASHBOARD_WIDGETS,
  FEATURES,
  NOTIFICATION_EVENTS,
  type NotificationSettings,
  type SiteSettings,
  TASK_TABS,
  type UserSettings,
  userSettings,
} from './state.ts';

/** Creates a resource for settings of the site, which administrators read and change. */
export function createSiteSettingsResource<Settings extends object>(
  select: (settings: SiteSettings) => Settings,
  show: (settings: Settings, request: BoardRequest) => JsonObject,
): BoardResource<Settings, []> {
  return new BoardResource({
    findParents: () => [],
    findItem: ({ state }) => select(state.settings),
    createPresenter: (request) => (settings) => show(settings, request),
  });
}

/** Creates a resource for settings of the client, who must have an account. */
function createUserSettingsResource(
  show: (settings: UserSettings) => JsonObject,
): BoardResource<UserSettings, []> {
  return new BoardResource({
    findParents: () => [],
    findItem: ({ state, user }) => userSettings(state, user?.id ?? 0),
    createPresenter: () => show,
  });
}

const LAYOUTS = ['grid', 'list'] as const;
const SORTS = ['recent', 'title', 'created'] as const;

const dashboard = createUserSettingsResource(({ dashboard: { layout, sort, widgets, showArchived } }) => ({
  layout,
  sort,
  widgets,
  show_archived: showArchived,
}));

const tabs = createUserSettingsResource(({ taskTabs: shown }) => ({ tabs: shown }));

/** The events whose argument the client sent. */
function readEvents({ params }: BoardRequest): Partial<NotificationSettings> {
  const sent = NOTIFICATION_EVENTS.filter((event) => params.has(event));
  return Object.fromEntries(sent.map((event) => [event, params.boolean(event)]));
}

/** The notification settings of the client for single boards. */
const boardNotificationResource = boardResource.with({
  createPresenter: ({ state, user }) => {
    const { notifications, boardNotifications: all } = userSettings(state, user?.id ?? 0);
    return ({ id }) => {
      const ofBoard = all.get(id) ?? {};
      const overrides = NOTIFICATION_EVENTS.filter(
        (event) => (ofBoard[event] ?? notifications[event]) !== notifications[event],
      );
      return { board_id: id, ...notifications, ...ofBoard, overrides };
    };
  },
});

const globalSettings = createUserSettingsResource(({ notifications }) => ({ ...notifications }));

const CREATORS = ['administrators', 'editors', 'everyone'] as const;

const generalSettings = createSiteSettingsResource(
  ({ general }) => general,
  (general) => ({ ...general }),
);

const features = createSiteSettingsResource(
  (all) => all,
  ({ features: modules, installedPlugins }) => ({
    modules: { ...modules },
    plugins: { ...installedPlugins },
  }),
);

const aiSettings = createSiteSettingsResource(
  (all) => all,
  ({ ai, features }) => ({ enabled: features.ai, ...ai }),
);

const CLIENTS = ['claude-desktop', 'cursor', 'vscode'] as const;
type McpClient = (typeof CLIENTS)[number];

const TOOLS = ['list-boards', 'find-tasks', 'create-task', 'move-task', 'comment-on-task'];

const mcp = createSiteSettingsResource(
  (all) => all,
  ({ features: { mcp: enabled }, installedPlugins }, { address }) => {
    const isReady = enabled && installedPlugins['mcp-adapter'];
    return {
      enabled,
      adapter_installed: installedPlugins['mcp-adapter'],
      endpoint: isReady ? address('/mcp/boards') : null,
      tools: isReady ? TOOLS : [],
    };
  },
);

/** The settings file of each client, and the member of it that lists servers. */
const FILES: Readonly<Record<McpClient, readonly [file: string, member: string]>> = {
  'claude-desktop': ['claude_desktop_config.json', 'mcpServers'],
  cursor: ['.cursor/mcp.json', 'mcpServers'],
  vscode: ['.vscode/mcp.json', 'servers'],
};

function configSnippet({ address, user }: BoardRequest, client: McpClient): JsonObject {
  const [file, member] = FILES[client];
  const server = {
    url: address('/mcp/boards'),
    headers: { Authorization: `Basic <base64 of ${user?.login ?? 'user'}:application-password>` },
  };
  return { client, file, snippet: JSON.stringify({ [member]: { boards: server } }, null, 2) };
}

export const settingOperations: BoardOperations = {
  // Layout and order of the list of boards, for one user.
  'PUT /update-dashboard-view-settings': dashboard.change(({ params }, { dashboard: view }) => {
    view.layout = enumParam(params, 'layout', LAYOUTS) ?? view.layout;
    view.sort = enumParam(params, 'sort', SORTS) ?? view.sort;
    if (params.has('widgets')) view.widgets = enumParams(params, 'widgets', DASHBOARD_WIDGETS);
    view.showArchived = params.boolean('show_archived', view.showArchived);
    return undefined;
  }),
  'GET /get-dashboard-view-settings': dashboard.read(),

  // The tabs that a user sees on a task.
  'GET /tasks/task-tabs/config': tabs.read(),
  'POST /tasks/task-tabs/config': tabs.change(({ params }, settings) => {
    settings.taskTabs = enumParams(params, 'tabs', TASK_TABS);
    return undefined;
  }),

  // Notifications of one board: the global settings of the user, with the overrides of the board.
  'GET /projects/{board_id:int}/notification-settings': boardNotificationResource.read(),
  'PUT /projects/{board_id:int}/update-notification-settings': boardNotificationResource.change(
    (request, { id }) => {
      const { boardNotifications: all } = userSettings(request.state, request.user?.id ?? 0);
      const current = request.params.boolean('reset') ? {} : all.get(id);
      all.set(id, { ...current, ...readEvents(request) });
      return undefined;
    },
  ),

  // Notifications of the boards without overrides.
  'POST /update-global-notification-settings': globalSettings.change((request, { notifications }) => {
    Object.assign(notifications, readEvents(request));
    return undefined;
  }),
  'GET /get-global-notification-settings': globalSettings.read(),

  // Settings that concern every board.
  'GET /admin/general-settings': generalSettings.read(),
  'POST /admin/general-settings': generalSettings.change(({ params }, general) => {
    general.default_currency = params.string('default_currency', general.default_currency);
    general.board_creators = enumParam(params, 'board_creators', CREATORS) ?? general.board_creators;
    return undefined;
  }),

  // Switching features on and off, and installing companion plugins.
  'GET /admin/feature-modules': features.read(),
  'POST /admin/feature-modules': features.change(({ params }, { features: modules }) => {
    for (const feature of FEATURES) modules[feature] = params.boolean(feature, modules[feature]);
    return undefined;
  }),
  'POST /admin/feature-modules/install-plugin': features.withItem(({ params }, { installedPlugins }) => {
    const plugin = enumParam(params, 'plugin', COMPANION_PLUGINS) ?? 'crm';
    installedPlugins[plugin] = true;
    return ok({ plugin, installed: true });
  }),

  // Settings of the writing assistant, whose switch is the feature module `ai`.
  'GET /ai/settings': aiSettings.read(),
  'POST /ai/settings': aiSettings.change(({ params }, { ai, features }) => {
    features.ai = params.boolean('enabled', features.ai);
    ai.tone = enumParam(params, 'tone', AI_TONES) ?? ai.tone;
    ai.max_words = params.integer('max_words', ai.max_words);
    return undefined;
  }),

  // * The Model Context Protocol server, which is available once the feature module `mcp` is on and the plugin `mcp-adapter`
  // is installed.
  'GET /admin/mcp/status': mcp.read(),
  'POST /admin/mcp/toggle': mcp.change(({ params }, { features }) => {
    features.mcp = params.boolean('enabled', !features.mcp);
    return undefined;
  }),
  'POST /admin/mcp/install-adapter': mcp.change((_request, { installedPlugins }) => {
    installedPlugins['mcp-adapter'] = true;
    return undefined;
  }),
  'GET /admin/mcp/config-snippet': mcp.withParents((request) =>
    ok(configSnippet(request, enumParam(request.params, 'client', CLIENTS) ?? 'claude-desktop')),
  ),

  // Pages of the site on which a roadmap can be shown.
  'GET /admin/pages': (request) => {
    const matches = createSubstringFilter(request);
    const found = request.state.pages.filter(({ title }) => matches(title));
    return pageResponse(request, found, ({ id, title, path }) => ({
      id,
      title,
      url: request.address(path),
    }));
  },
};
