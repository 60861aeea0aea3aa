import { answerPage, PAGING } from '../rest/paging.ts';
import { permit } from '../rest/permissions.ts';
import { type BoardRoute, route } from '../rest/route.ts';
import { answersWhole } from '../tasks/schema.ts';

/** Pages of the site on which a roadmap can be shown. */
export const pages: BoardRoute = route(
  '/admin/pages',
  [
    {
      methods: ['GET'],
      args: { ...PAGING, search: { description: 'Part of the title.', type: 'string', maxLength: 100 } },
      permission: permit.administrators,
      handle: (request) => {
        const part = request.params.string('search', '').toLowerCase();
        const found = request.state.pages.filter(({ title }) => title.toLowerCase().includes(part));
        return answerPage(request, found, ({ id, title, path }) => ({
          id,
          title,
          url: request.address(path),
        }));
      },
    },
  ],
  answersWhole('page', 'A page of the site.', {
    id: { description: 'Number of the page.', type: 'integer' },
    title: { description: 'Its title.', type: 'string' },
    url: { description: 'Its address.', type: 'string', format: 'uri' },
  }),
);
