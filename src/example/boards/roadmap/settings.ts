import type { ArgumentSchemas } from '../../site/declarations.ts';
import type { RoadmapPageSettings } from '../model/index.ts';
import { type BoardRoute, enumParam, invalidArgument, responseSchema, schema } from '../rest/index.ts';
import { createSiteSettingsResource } from '../settings/resource.ts';

const SETTINGS_ARGS: ArgumentSchemas = {
  accept_ideas: schema.boolean('Whether users may send in ideas.'),
  moderate_ideas: schema.boolean('Whether an idea waits for a manager before it shows.'),
  allow_comments: schema.boolean('Whether users may comment on ideas.'),
  allow_votes: schema.boolean('Whether users may vote for ideas.'),
  votes_per_user: schema.integer('Votes of one user on one roadmap, 0 for any number.', {
    minimum: 0,
    maximum: 1000,
  }),
};

const SWITCHES = ['accept_ideas', 'moderate_ideas', 'allow_comments', 'allow_votes'] as const;

const settings = createSiteSettingsResource(
  responseSchema('roadmap-settings', 'What users may do on roadmaps.', SETTINGS_ARGS),
  ({ roadmap }) => roadmap,
  (roadmap) => ({ ...roadmap }),
);

const LAYOUTS: readonly RoadmapPageSettings['layout'][] = ['columns', 'list'];

const PAGE_ARGS: ArgumentSchemas = {
  page_id: schema.nullable(
    schema.integer('Page of the site that shows the roadmap, one of `admin/pages`. Null for none.'),
  ),
  title: schema.string('What stands above the roadmap.', { maxLength: 200 }),
  intro: schema.string('A few words below the title.', { maxLength: 2000 }),
  accent_color: schema.color('Colour of buttons and votes: `#4263eb`.'),
  layout: schema.enumeration('Stages side by side, or below one another.', LAYOUTS),
};

const pageSettings = createSiteSettingsResource(
  responseSchema('roadmap-page-settings', 'How the page looks that shows the roadmap.', {
    ...PAGE_ARGS,
    page_url: schema.readOnly(schema.nullable(schema.uri('Address of that page; null for none.'))),
  }),
  ({ roadmapPage }) => roadmapPage,
  (roadmapPage, { state, address }) => {
    const page = state.pages.find(({ id }) => id === roadmapPage.page_id);
    return { ...roadmapPage, page_url: page === undefined ? null : address(page.path) };
  },
);

/** Settings of all roadmaps. An absent argument changes nothing. */
export const roadmapSettingsRoutes: readonly BoardRoute[] = [
  settings.route('/admin/roadmap/settings', {
    GET: {},
    POST: {
      args: SETTINGS_ARGS,
      change({ params }, roadmap) {
        for (const name of SWITCHES) roadmap[name] = params.boolean(name, roadmap[name]);
        roadmap.votes_per_user = params.integer('votes_per_user', roadmap.votes_per_user);
        return undefined;
      },
    },
  }),
  pageSettings.route('/admin/roadmap/page-settings', {
    GET: {},
    POST: {
      args: PAGE_ARGS,
      change({ state, params, suppliedNames }, roadmapPage) {
        const pageId = params.has('page_id') ? params.integer('page_id', 0) : null;
        if (pageId !== null && !state.pages.some(({ id }) => id === pageId)) {
          return invalidArgument('page_id', 'There is no such page on this site.');
        }
        if (suppliedNames.has('page_id')) roadmapPage.page_id = pageId;
        for (const name of ['title', 'intro', 'accent_color'] as const) {
          roadmapPage[name] = params.string(name, roadmapPage[name]);
        }
        roadmapPage.layout = enumParam(params, 'layout', LAYOUTS) ?? roadmapPage.layout;
        return undefined;
      },
    },
  }),
];
