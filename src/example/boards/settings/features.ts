import type { JsonObject } from '../../../json.ts';
import { ok } from '../../site/answers.ts';
import type { Args } from '../../site/declare.ts';
import { COMPANION_PLUGINS, type CompanionPlugin, FEATURES, type Feature } from '../model/settings.ts';
import type { BoardState } from '../model/types.ts';
import { choice } from '../rest/choices.ts';
import { permit } from '../rest/permissions.ts';
import { type BoardRoute, route } from '../rest/route.ts';
import { answersWhole } from '../tasks/schema.ts';

const FEATURE_TEXTS: Readonly<Record<Feature, string>> = {
  time_tracking: 'Time that is spent on tasks, and timesheets of it.',
  roadmaps: 'Boards of ideas that are voted on.',
  reports: 'Sums over all boards.',
  crm: 'Customers of boards and tasks.',
  ai: 'Help with writing tasks.',
  mcp: 'Boards as tools for assistants.',
  folders: 'Folders for boards.',
};

const SWITCHES: Args = Object.fromEntries(
  FEATURES.map((feature) => [feature, { description: FEATURE_TEXTS[feature], type: 'boolean' }]),
);

const PLUGIN_PROPERTIES: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  COMPANION_PLUGINS.map((plugin) => [
    plugin,
    { description: `Whether ${plugin} is there.`, type: 'boolean' },
  ]),
);

const SCHEMA: JsonObject = answersWhole('feature-modules', 'What the site can do.', {
  modules: { description: 'Modules by name: whether they are on.', type: 'object', properties: SWITCHES },
  plugins: {
    description: 'Plugins that work together with boards: whether they are installed.',
    type: 'object',
    properties: PLUGIN_PROPERTIES,
    readonly: true,
  },
});

/** Switching modules on and off, and installing what works together with them. */
export const featureModules: readonly BoardRoute[] = [
  route(
    '/admin/feature-modules',
    [
      { methods: ['GET'], permission: permit.administrators, handle: ({ state }) => ok(showFeatures(state)) },
      {
        methods: ['POST'],
        args: SWITCHES,
        permission: permit.administrators,
        handle: ({ state, params }) => {
          const { features } = state.settings;
          for (const feature of FEATURES) features[feature] = params.boolean(feature, features[feature]);
          return ok(showFeatures(state));
        },
      },
    ],
    SCHEMA,
  ),
  route(
    '/admin/feature-modules/install-plugin',
    [
      {
        methods: ['POST'],
        args: {
          plugin: {
            description: 'Which plugin.',
            type: 'string',
            enum: COMPANION_PLUGINS,
            required: true,
          },
        },
        permission: permit.administrators,
        handle: ({ state, params }) => {
          const plugin: CompanionPlugin = choice(params, 'plugin', COMPANION_PLUGINS) ?? 'crm';
          state.settings.plugins[plugin] = true;
          return ok({ plugin, installed: true });
        },
      },
    ],
    answersWhole('installed-plugin', 'A plugin that was installed.', {
      plugin: { description: 'Which plugin.', type: 'string', enum: COMPANION_PLUGINS },
      installed: { description: 'Always true.', type: 'boolean' },
    }),
  ),
];

function showFeatures({ settings }: BoardState): JsonObject {
  return { modules: { ...settings.features }, plugins: { ...settings.plugins } };
}
