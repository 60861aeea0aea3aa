import type { ArgumentSchemas } from '../../site/declarations.ts';
import { ok } from '../../site/responses.ts';
import { COMPANION_PLUGINS, FEATURES, type SiteFeature } from '../model/index.ts';
import { type BoardRoute, enumParam, responseSchema, schema } from '../rest/index.ts';
import { createSiteSettingsResource } from './resource.ts';

const DESCRIPTIONS: Readonly<Record<SiteFeature, string>> = {
  time_tracking: 'Time that is spent on tasks, and timesheets of it.',
  roadmaps: 'Boards of ideas that are voted on.',
  reports: 'Sums over all boards.',
  crm: 'Customers of boards and tasks.',
  ai: 'Help with writing tasks.',
  mcp: 'Boards as tools for assistants.',
  folders: 'Folders for boards.',
};

const ARGS: ArgumentSchemas = Object.fromEntries(
  FEATURES.map((feature) => [feature, schema.boolean(DESCRIPTIONS[feature])]),
);

const PLUGINS = Object.fromEntries(
  COMPANION_PLUGINS.map((plugin) => [plugin, schema.boolean(`Whether ${plugin} is there.`)]),
);

const settings = createSiteSettingsResource(
  responseSchema('feature-modules', 'What the site can do.', {
    modules: schema.object('Modules by name: whether they are on.', ARGS),
    plugins: schema.readOnly(
      schema.object('Plugins that work together with boards: whether they are installed.', PLUGINS),
    ),
  }),
  (all) => all,
  ({ features, installedPlugins }) => ({ modules: { ...features }, plugins: { ...installedPlugins } }),
);

/** Switching features on and off, and installing companion plugins. */
export const featureRoutes: readonly BoardRoute[] = [
  settings.route('/admin/feature-modules', {
    GET: {},
    POST: {
      args: ARGS,
      change({ params }, { features }) {
        for (const feature of FEATURES) features[feature] = params.boolean(feature, features[feature]);
        return undefined;
      },
    },
  }),
  settings.post('/admin/feature-modules/install-plugin', {
    schema: responseSchema('installed-plugin', 'A plugin that was installed.', {
      plugin: schema.enumeration('Which plugin.', COMPANION_PLUGINS),
      installed: schema.boolean('Always true.'),
    }),
    args: { plugin: schema.enumeration('Which plugin.', COMPANION_PLUGINS, { required: true }) },
    handleItem({ params }, { installedPlugins }) {
      const plugin = enumParam(params, 'plugin', COMPANION_PLUGINS) ?? 'crm';
      installedPlugins[plugin] = true;
      return ok({ plugin, installed: true });
    },
  }),
];
