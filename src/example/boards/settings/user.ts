import type { ArgumentSchemas } from '../../site/declarations.ts';
import { DASHBOARD_WIDGETS, TASK_TABS } from '../model/index.ts';
import { type BoardRoute, enumParam, enumParams, responseSchema, schema } from '../rest/index.ts';
import { createUserSettingsResource } from './resource.ts';

const LAYOUTS = ['grid', 'list'] as const;
const SORTS = ['recent', 'title', 'created'] as const;

const DASHBOARD_ARGS: ArgumentSchemas = {
  layout: schema.enumeration('How boards are laid out.', LAYOUTS),
  sort: schema.enumeration('What they are sorted by.', SORTS),
  widgets: schema.array(
    'What else shows, in its order.',
    { type: 'string', enum: DASHBOARD_WIDGETS },
    { uniqueItems: true },
  ),
  show_archived: schema.boolean('Whether archived boards show.'),
};

const dashboard = createUserSettingsResource(
  responseSchema('dashboard-view', 'How a user sees their boards.', DASHBOARD_ARGS),
  ({ dashboard: { layout, sort, widgets, showArchived } }) => ({
    layout,
    sort,
    widgets,
    show_archived: showArchived,
  }),
);

/** Layout and order of the list of boards, for one user. */
export const dashboardRoutes: readonly BoardRoute[] = [
  dashboard.put('/update-dashboard-view-settings', {
    args: DASHBOARD_ARGS,
    change({ params }, { dashboard: view }) {
      view.layout = enumParam(params, 'layout', LAYOUTS) ?? view.layout;
      view.sort = enumParam(params, 'sort', SORTS) ?? view.sort;
      if (params.has('widgets')) view.widgets = enumParams(params, 'widgets', DASHBOARD_WIDGETS);
      view.showArchived = params.boolean('show_archived', view.showArchived);
      return undefined;
    },
  }),
  dashboard.get('/get-dashboard-view-settings'),
];

const TABS = schema.array(
  'The tabs of an open task that show, in their order.',
  { type: 'string', enum: TASK_TABS },
  { minItems: 1, uniqueItems: true },
);

const tabs = createUserSettingsResource(
  responseSchema('task-tabs', 'What a user sees on a task.', { tabs: TABS }),
  ({ taskTabs: shown }) => ({ tabs: shown }),
);

/** The tabs that a user sees on a task. */
export const taskTabsRoute: BoardRoute = tabs.route('/tasks/task-tabs/config', {
  GET: {},
  POST: {
    args: { tabs: { ...TABS, required: true } },
    change({ params }, settings) {
      settings.taskTabs = enumParams(params, 'tabs', TASK_TABS);
      return undefined;
    },
  },
});
