import type { JsonObject } from '../../../json.ts';
import { ok } from '../../site/answers.ts';
import type { Args } from '../../site/declare.ts';
import type { RoadmapPageSettings, RoadmapSettings } from '../model/settings.ts';
import { choice } from '../rest/choices.ts';
import { permit } from '../rest/permissions.ts';
import { invalid } from '../rest/refusals.ts';
import { type BoardRequest, type BoardRoute, route } from '../rest/route.ts';
import { answersWhole } from '../tasks/schema.ts';

const SWITCHES: Readonly<Record<Exclude<keyof RoadmapSettings, 'votes_per_user'>, JsonObject>> = {
  accept_ideas: { description: 'Whether users may send in ideas.', type: 'boolean' },
  moderate_ideas: { description: 'Whether an idea waits for a manager before it shows.', type: 'boolean' },
  allow_comments: { description: 'Whether users may comment on ideas.', type: 'boolean' },
  allow_votes: { description: 'Whether users may vote for ideas.', type: 'boolean' },
};

const SETTINGS: Args = {
  ...SWITCHES,
  votes_per_user: {
    description: 'Votes of one user on one roadmap, 0 for any number.',
    type: 'integer',
    minimum: 0,
    maximum: 1000,
  },
};

const LAYOUTS: readonly RoadmapPageSettings['layout'][] = ['columns', 'list'];

const PAGE_SETTINGS: Args = {
  page_id: {
    description: 'Page of the site that shows the roadmap, one of `admin/pages`. Null for none.',
    type: ['integer', 'null'],
  },
  title: { description: 'What stands above the roadmap.', type: 'string', maxLength: 200 },
  intro: { description: 'A few words below the title.', type: 'string', maxLength: 2000 },
  accent_color: {
    description: 'Colour of buttons and votes: `#4263eb`.',
    type: 'string',
    format: 'hex-color',
  },
  layout: { description: 'Stages side by side, or below one another.', type: 'string', enum: LAYOUTS },
};

/** What an administrator chooses for all roadmaps. What is not given stays. */
export const roadmapSettingsRoutes: readonly BoardRoute[] = [
  route(
    '/admin/roadmap/settings',
    [
      {
        methods: ['GET'],
        permission: permit.administrators,
        handle: ({ state }) => ok({ ...state.settings.roadmap }),
      },
      {
        methods: ['POST'],
        args: SETTINGS,
        permission: permit.administrators,
        handle({ state, params }) {
          const settings = state.settings.roadmap;
          settings.accept_ideas = params.boolean('accept_ideas', settings.accept_ideas);
          settings.moderate_ideas = params.boolean('moderate_ideas', settings.moderate_ideas);
          settings.allow_comments = params.boolean('allow_comments', settings.allow_comments);
          settings.allow_votes = params.boolean('allow_votes', settings.allow_votes);
          settings.votes_per_user = params.integer('votes_per_user', settings.votes_per_user);
          return ok({ ...settings });
        },
      },
    ],
    answersWhole('roadmap-settings', 'What users may do on roadmaps.', SETTINGS),
  ),
  route(
    '/admin/roadmap/page-settings',
    [
      {
        methods: ['GET'],
        permission: permit.administrators,
        handle: (request) => ok(showPageSettings(request)),
      },
      {
        methods: ['POST'],
        args: PAGE_SETTINGS,
        permission: permit.administrators,
        handle(request) {
          const { state, params, given } = request;
          const settings = state.settings.roadmapPage;
          const pageId = params.has('page_id') ? params.integer('page_id', 0) : null;
          if (pageId !== null && !state.pages.some(({ id }) => id === pageId))
            return invalid('page_id', 'There is no such page on this site.');
          if (given.has('page_id')) settings.page_id = pageId;
          settings.title = params.string('title', settings.title);
          settings.intro = params.string('intro', settings.intro);
          settings.accent_color = params.string('accent_color', settings.accent_color);
          settings.layout = choice(params, 'layout', LAYOUTS) ?? settings.layout;
          return ok(showPageSettings(request));
        },
      },
    ],
    answersWhole('roadmap-page-settings', 'How the page looks that shows the roadmap.', {
      ...PAGE_SETTINGS,
      page_url: {
        description: 'Address of that page; null for none.',
        type: ['string', 'null'],
        format: 'uri',
        readonly: true,
      },
    }),
  ),
];

function showPageSettings({ state, address }: BoardRequest): JsonObject {
  const settings = state.settings.roadmapPage;
  const page = state.pages.find(({ id }) => id === settings.page_id);
  return { ...settings, page_url: page === undefined ? null : address(page.path) };
}
