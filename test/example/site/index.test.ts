import { describe, expect, test } from 'vitest';
import { createLibrary } from './library.ts';

const site = createLibrary();

async function json(path: string): Promise<Record<string, unknown>> {
  return (await site.request(path)).json();
}

describe('the root index', () => {
  test('has the members of a WordPress index, in their order', async () => {
    const index = await json('/?rest_route=/');
    expect(Object.keys(index)).toEqual([
      'name',
      'description',
      'url',
      'home',
      'gmt_offset',
      'timezone_string',
      'page_for_posts',
      'page_on_front',
      'show_on_front',
      'namespaces',
      'authentication',
      'routes',
      'site_logo',
      'site_icon',
      'site_icon_url',
      '_links',
    ]);
    expect(index).toMatchObject({
      name: 'The Library',
      url: 'http://localhost',
      home: 'http://localhost',
      gmt_offset: '0',
      page_for_posts: 0,
      show_on_front: 'posts',
      namespaces: ['oembed/1.0', 'library/v1', 'nothing/v1'],
      authentication: {
        'application-passwords': {
          endpoints: { authorization: 'http://localhost/wp-admin/authorize-application.php' },
        },
      },
    });
  });

  test('lists routes in the order of registration, each namespace after its index', async () => {
    const { routes } = await json('/?rest_route=/');
    expect(Object.keys(Object(routes))).toEqual([
      '/',
      '/batch/v1',
      '/oembed/1.0',
      '/oembed/1.0/embed',
      '/oembed/1.0/proxy',
      '/library/v1',
      '/library/v1/books',
      '/library/v1/books/(?P<id>[\\d]+)',
      '/library/v1/people/(?P<id>[\\d]+)',
      '/library/v1/echo',
      '/library/v1/fault',
    ]);
  });

  test('describes a route as WordPress does', async () => {
    const { routes } = await json('/?rest_route=/&_fields=routes');
    expect(routes).toMatchObject({
      '/': {
        namespace: '',
        methods: ['GET'],
        endpoints: [{ methods: ['GET'], args: { context: { default: 'view', required: false } } }],
        _links: { self: [{ href: 'http://localhost/index.php?rest_route=/' }] },
      },
      '/library/v1/echo': {
        namespace: 'library/v1',
        methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        endpoints: [{ methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], args: [] }],
      },
      '/library/v1/books/(?P<id>[\\d]+)': {
        methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        endpoints: [
          {
            methods: ['GET'],
            args: { id: { description: 'The number of the book.', type: 'integer', required: false } },
          },
          { methods: ['POST', 'PUT', 'PATCH'], allow_batch: { v1: true } },
          { methods: ['DELETE'] },
        ],
      },
    });
    const [book] = Object.entries(Object(routes)).filter(([pattern]) => pattern.includes('books/'));
    expect(book?.[1]).not.toHaveProperty('_links');
    expect(book?.[1]).not.toHaveProperty('schema');
  });

  test('shows schemas for `context=help`', async () => {
    const { routes } = await json('/?rest_route=/&context=help');
    expect(Object(routes)['/library/v1/books'].schema).toMatchObject({ title: 'book' });
  });
});

describe('the index of a namespace', () => {
  test('lists its own routes', async () => {
    const index = await json('/wp-json/library/v1');
    expect(index).toMatchObject({
      namespace: 'library/v1',
      _links: { up: [{ href: 'http://localhost/index.php?rest_route=/' }] },
    });
    expect(Object.keys(Object(index['routes']))).toContain('/library/v1');
    expect(Object.keys(Object(index['routes']))).not.toContain('/oembed/1.0');
  });

  test('describes another namespace by its parameter, and gives 404 for an unknown one', async () => {
    expect(await json('/wp-json/library/v1?namespace=oembed/1.0')).toMatchObject({ namespace: 'oembed/1.0' });
    expect(await json('/wp-json/library/v1?namespace=nothing/v1')).toMatchObject({ routes: [] });
    expect(await json('/wp-json/library/v1?namespace=none')).toMatchObject({
      code: 'rest_invalid_namespace',
      data: { status: 404 },
    });
  });
});

test('a site has a front page, a page of passwords and no others', async () => {
  const text = async (path: string): Promise<string> => (await site.request(path)).text();
  expect(await text('/')).toContain('The Library');
  expect(await text('/wp-admin/authorize-application.php')).toContain('demo-editor-password');
  expect((await site.request('/nowhere/')).status).toBe(404);
});

describe('state', () => {
  test('depends on the seed only', async () => {
    const pages = async (seed: number): Promise<unknown> =>
      (await createLibrary({ seed }).request('/wp-json/library/v1/books?per_page=25&_fields=pages')).json();
    expect(await pages(1)).toEqual(await pages(1));
    expect(await pages(1)).not.toEqual(await pages(2));
  });

  test('is created again by a reset, which also resets the clock', async () => {
    site.state().books.clear();
    site.clock.set(new Date('2020-01-01T00:00:00Z'));
    site.clock.advance(1500);
    expect(site.clock.now()).toEqual(new Date('2020-01-01T00:00:01.500Z'));
    site.reset();
    expect(site.state().books.size).toBe(25);
    expect(Math.abs(site.clock.now().getTime() - Date.now())).toBeLessThan(1000);
  });
});
