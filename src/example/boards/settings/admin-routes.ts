import { folderRoutes } from '../folders/routes.ts';
import {
  type BoardRoute,
  createSubstringFilter,
  declareGet,
  PAGING_ARGS,
  pageResponse,
  permit,
  responseSchema,
  schema,
} from '../rest/index.ts';
import { aiSettingsRoute } from './ai.ts';
import { featureRoutes } from './features.ts';
import { generalSettingsRoute } from './general.ts';
import { mcpRoutes } from './mcp.ts';

/** Pages of the site on which a roadmap can be shown. */
const pages: BoardRoute = declareGet(
  '/admin/pages',
  responseSchema('page', 'A page of the site.', {
    id: schema.integer('Number of the page.'),
    title: schema.string('Its title.'),
    url: schema.uri('Its address.'),
  }),
  {
    args: { ...PAGING_ARGS, search: schema.string('Part of the title.', { maxLength: 100 }) },
    permission: permit.administrators,
    handle(request) {
      const matches = createSubstringFilter(request);
      const found = request.state.pages.filter(({ title }) => matches(title));
      return pageResponse(request, found, ({ id, title, path }) => ({
        id,
        title,
        url: request.address(path),
      }));
    },
  },
);

/** Routes for administrators, in the order in which the site registers them. */
export const adminRoutes: readonly BoardRoute[] = [
  ...featureRoutes,
  generalSettingsRoute,
  ...mcpRoutes,
  pages,
  ...folderRoutes,
  aiSettingsRoute,
];
