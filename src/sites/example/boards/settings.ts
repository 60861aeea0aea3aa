import { splitNames } from '../../../base/glob.ts';
import type { JsonObject } from '../../../base/json.ts';
import { ok, pageResponse } from '../../rest-server/responses.ts';
import { boardResource } from './boards.ts';
import type { BoardOperations } from './declarations.ts';
import { assignFields, BoardResource, createWordFilter, enumParam, refuseArgument } from './resource.ts';
import type { BoardRequest } from './state.ts';
import tables from './tables.json' with { type: 'json' };

function createSettings<Settings extends JsonObject>(
  select: (request: BoardRequest) => Settings,
): BoardResource<Settings, []> {
  return new BoardResource({
    findParents: () => [],
    findItem: select,
    show: (settings) => ({ ...settings }),
  });
}

const dashboard = createSettings(({ state, user }) => state.settingsOf(user).dashboard);
const notifications = createSettings(({ state, user }) => state.settingsOf(user).notifications);

const general = createSettings(({ state }) => state.settings.general);
const roadmap = createSettings(({ state }) => state.settings.roadmap);
const roadmapPage = createSettings(({ state }) => state.settings.roadmapPage).with({
  show(settings, { state, address }) {
    const page = state.pages.find(({ id }) => id === settings.page_id);
    return { ...settings, page_url: page === undefined ? null : address(page.path) };
  },
});
const features = createSettings(({ state }) => state.settings.features).with({
  show: (modules, { state }) => ({
    modules: { ...modules },
    plugins: { ...state.settings.installedPlugins },
  }),
});
const ai = createSettings(({ state }) => state.settings.ai).with({
  show: (settings, { state }) => ({ enabled: state.settings.features.ai, ...settings }),
});

/** Where a plugin would serve MCP. */
const MCP_PATH = '/mcp/boards';

const mcp = createSettings(({ state }) => state.settings.features).with({
  show({ mcp: enabled }, { state, address }) {
    const isReady = enabled && state.settings.installedPlugins['mcp-adapter'];
    return {
      enabled,
      adapter_installed: state.settings.installedPlugins['mcp-adapter'],
      endpoint: isReady ? address(MCP_PATH) : null,
      tools: isReady ? splitNames(tables.mcpTools) : [],
    };
  },
});

/** The client's global notification settings with the overrides of the board. */
const boardNotifications = boardResource.with({
  show({ id }, { state, user }) {
    const { notifications: all, boardNotifications } = state.settingsOf(user);
    const own = boardNotifications.get(id) ?? {};
    return { board_id: id, ...all, ...own, overrides: Object.keys(own) };
  },
});

function configSnippet({ params, address, user }: BoardRequest): JsonObject {
  const client = enumParam(params, 'client', ['cursor', 'vscode']) ?? 'claude-desktop';
  const { file, member } = tables.mcpClients[client];
  const server = {
    url: address(MCP_PATH),
    headers: { Authorization: `Basic <base64 of ${user?.login ?? 'user'}:application-password>` },
  };
  return { client, file, snippet: JSON.stringify({ [member]: { boards: server } }, null, 2) };
}

export const settingOperations: BoardOperations = {
  readDashboard: dashboard.read(),
  updateDashboard: dashboard.update(),
  readTaskTabs: ({ state, user }) => ok({ tabs: state.settingsOf(user).taskTabs }),
  updateTaskTabs({ state, user, params }) {
    const tabs = [...params.strings('tabs')];
    state.settingsOf(user).taskTabs = tabs;
    return ok({ tabs });
  },

  readBoardNotifications: boardNotifications.read(),
  updateBoardNotifications: boardNotifications.withFacts((request, { fields }, board) => {
    const { boardNotifications: all } = request.state.settingsOf(request.user);
    const { params } = request;
    const sent = [...fields.keys()].filter((name) => name !== 'reset' && params.has(name));
    const own = Object.fromEntries(sent.map((event) => [event, params.boolean(event)]));
    all.set(board.id, { ...(params.boolean('reset') ? {} : all.get(board.id)), ...own });
    return ok(boardNotifications.show(board, request));
  }),
  readNotifications: notifications.read(),
  updateNotifications: notifications.update(),

  readGeneralSettings: general.read(),
  updateGeneralSettings: general.update(),

  readFeatures: features.read(),
  updateFeatures: features.update(),
  installPlugin({ state, params }) {
    const plugin = enumParam(params, 'plugin', ['crm', 'mcp-adapter']) ?? 'crm';
    state.settings.installedPlugins[plugin] = true;
    return ok({ plugin, installed: true });
  },

  readAiSettings: ai.read(),
  updateAiSettings: ai.change(({ state, params }, settings) => {
    state.settings.features.ai = params.boolean('enabled', state.settings.features.ai);
    settings.max_words = params.integer('max_words', settings.max_words);
    return undefined;
  }),

  readMcp: mcp.read(),
  toggleMcp: mcp.change(({ params }, modules) => {
    modules.mcp = params.boolean('enabled', !modules.mcp);
    return undefined;
  }),
  installMcpAdapter: mcp.change(({ state }) => {
    state.settings.installedPlugins['mcp-adapter'] = true;
    return undefined;
  }),
  readMcpSnippet: (request) => ok(configSnippet(request)),

  readRoadmapSettings: roadmap.read(),
  updateRoadmapSettings: roadmap.update(),
  readPageSettings: roadmapPage.read(),
  updatePageSettings: roadmapPage.withFacts((request, { fields }, settings) => {
    const { state, params } = request;
    if (params.has('page_id') && !state.pages.some(({ id }) => id === params.integer('page_id'))) {
      refuseArgument('page_id', 'There is no such page on this site.');
    }
    assignFields(request, settings, fields);
    return ok(roadmapPage.show(settings, request));
  }),
  listPages(request) {
    const matches = createWordFilter(request);
    const found = request.state.pages.filter(({ title }) => matches(title));
    return pageResponse(request, found, ({ id, title, path }) => ({ id, title, url: request.address(path) }));
  },
};
