import { createSite, type InspectableSite } from '../../../src/example/site/create-site.ts';
import type { ExampleSiteOptions } from '../../../src/example/site/definition.ts';
import { DEMO_USERS } from '../../../src/example/site/users.ts';
import type { ArgumentSchemas, SiteRequest, SiteResponse } from '../../../src/rest-server/declarations.ts';
import { created, ok, requireRole } from '../../../src/rest-server/responses.ts';

const ID: ArgumentSchemas = { id: { description: 'The number of the book.', type: 'integer' } };

const BOOK: ArgumentSchemas = {
  title: { description: 'The title.', type: 'string', minLength: 1 },
  pages: { type: 'integer', minimum: 1, default: 100 },
  tags: { type: 'array', items: { type: 'string' }, default: [] },
  note: { type: ['string', 'null'] },
  meta: { type: 'object', properties: { shelf: { type: 'integer' } }, additionalProperties: false },
};

function book({ params }: SiteRequest<null>): SiteResponse {
  const id = params.integer('id', 0);
  return ok({ id, title: `Book ${id}` });
}

/** The routes of `mu-plugins/library.php`, declared for the framework. The responses of both must be equal. */
export function createMirror(options: ExampleSiteOptions): InspectableSite<null> {
  return createSite<null>(
    {
      name: 'Mirror',
      description: '',
      users: DEMO_USERS,
      namespaces: ['oembed/1.0', 'library/v1'],
      createState: () => null,
      findOembedPage: () => null,
      declarations: [
        {
          namespace: 'library/v1',
          routes: [
            {
              route: '/books',
              schema: {
                $schema: 'http://json-schema.org/draft-04/schema#',
                title: 'book',
                type: 'object',
                properties: {},
              },
              endpoints: [
                {
                  methods: ['GET'],
                  allowBatch: true,
                  args: {
                    page: { type: 'integer', minimum: 1, default: 1 },
                    per_page: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
                    tag: { type: 'array', items: { type: 'string' } },
                  },
                  handle: () => ok([{ id: 1, title: 'Book 1' }]),
                },
                {
                  methods: ['POST'],
                  allowBatch: true,
                  args: { ...BOOK, title: { ...BOOK['title'], required: true } },
                  permission: requireRole('editor', 'rest_cannot_create', 'Sorry, you may not add books.'),
                  handle: ({ params }) =>
                    created({
                      title: params.get('title') ?? null,
                      pages: params.get('pages') ?? null,
                      tags: params.get('tags') ?? null,
                    }),
                },
              ],
            },
            {
              route: '/books/(?P<id>[\\d]+)',
              endpoints: [
                { methods: ['GET'], args: ID, handle: book },
                {
                  methods: ['POST', 'PUT', 'PATCH'],
                  allowBatch: true,
                  args: { ...ID, ...BOOK },
                  permission: requireRole('editor'),
                  handle: book,
                },
                { methods: ['DELETE'], args: ID, permission: requireRole('administrator'), handle: book },
              ],
            },
            {
              route: '/echo',
              endpoints: [
                {
                  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
                  handle({ method, params }) {
                    const names = [...params.names()].filter((name) => name !== 'rest_route');
                    const given = names.map((name) => [name, params.get(name) ?? null] as const);
                    // PHP writes an array with the keys 0, 1, … as a list.
                    const counts = names.every((name, index) => name === String(index));
                    const shown = counts ? given.map(([, value]) => value) : Object.fromEntries(given);
                    return ok({ method, params: shown });
                  },
                },
              ],
            },
          ],
        },
      ],
    },
    options,
  );
}
