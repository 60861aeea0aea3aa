import { describe, expect, test } from 'vitest';
import { PathExpander } from '../../src/reconcile/path-expander.ts';

describe('the paths of items that collections contain', () => {
  const paths = new PathExpander();
  paths.addResponse('/posts', [
    { id: 7, parent: 3, slug: 'hello' },
    { id: 8, parent: 3 },
    { id: 9, parent: 3 },
    { id: 10 },
    { id: 11 },
  ]);
  paths.addResponse('/posts/9/revisions', [{ id: 90 }, { id: 91 }]);
  paths.addResponse('/types', {
    post: { slug: 'post', name: 'Posts' },
    page: { name: 'Pages of all kinds' },
  });
  paths.addResponse('/themes', [{ stylesheet: 'plain', name: 'Plain' }]);
  paths.addResponse('/odd', [
    { id: '../users' },
    { id: 'a b' },
    { id: '..' },
    { id: '' },
    { id: 'a%2fb' },
    { id: null },
  ]);
  paths.addResponse('/settings', { title: 'x' });
  paths.addResponse('/boards', { boards: { page: 1, data: [{ id: 4 }] }, folders: [], by: { name: 'x' } });

  test.each<readonly [string, readonly string[]]>([
    ['/posts', ['/posts']],
    ['/', ['']],
    // The first, the last, and one between.
    ['/posts/{id}', ['/posts/7', '/posts/9', '/posts/11']],
    // A revision is below a post, not below the post's parent.
    ['/posts/{parent}/revisions', ['/posts/7/revisions', '/posts/9/revisions', '/posts/11/revisions']],
    ['/posts/{parent}/revisions/{id}', ['/posts/9/revisions/90', '/posts/9/revisions/91']],
    ['/posts/{slug}', ['/posts/hello', '/posts/9', '/posts/11']],
    ['/types/{type}', ['/types/post', '/types/page']],
    ['/themes/{stylesheet}', ['/themes/plain']],
    // The only list of items beside other members.
    ['/boards/{id}', ['/boards/4']],
    // Values that could change the path are skipped.
    ['/odd/{id}', []],
    ['/unknown/{id}', []],
    ['/settings/{id}', []],
    ['/posts/{id}.json', []],
  ])('%s', (template, expected) => {
    expect(paths.expand(template, 3)).toEqual(expected);
  });
});

describe('the body of a write whose fields are unknown', () => {
  const paths = new PathExpander();
  const board = { id: 4, title: 'Garden' };
  paths.addResponse('/x/v1/boards', { boards: { page: 1, data: [board] }, folders: [] });
  paths.addResponse(
    '/x/v1/boards/4/tasks',
    [{ id: 9, label: 'Dig', board_id: 4 }],
    '/x/v1/boards/{board_id}/tasks',
  );
  paths.addResponse('/x/v1/settings', { color: 'red' });

  test.each<readonly [string, string, boolean, readonly unknown[]]>([
    [
      '/x/v1/boards',
      '/x/v1/boards',
      true,
      [{ title: 'Garden', board: { title: 'Garden' } }, { title: 'Garden' }],
    ],
    ['/x/v1/boards/{id}/archive', '/x/v1/boards/4/archive', false, [{ ...board, board }, board]],
    [
      '/x/v1/boards/{board_id}/tasks',
      '/x/v1/boards/5/tasks',
      true,
      [
        { label: 'Dig', board_id: '5', task: { label: 'Dig', board_id: '5' } },
        { label: 'Dig', board_id: '5' },
      ],
    ],
    ['/x/v1/settings', '/x/v1/settings', false, [{ color: 'red' }]],
    ['/x/v1/imports', '/x/v1/imports', true, []],
  ])('%s at %s (creation: %s)', (template, path, isCreation, expected) => {
    expect(paths.createBodies(template, path, isCreation)).toEqual(expected);
  });
});

describe('values of other routes', () => {
  const paths = new PathExpander();
  paths.addResponse('/x/v1/lists', [{ thing_id: 5 }]);
  paths.addResponse('/wp/v2/users', [{ id: 3 }]);
  paths.addResponse('/x/v1/orders/12', { id: 12 }, '/x/v1/orders/{id}');

  test.each<readonly [string, readonly string[]]>([
    ['/x/v2/things/{thing_id}', ['/x/v2/things/5']],
    // What another plugin calls a thing is something else, but users are those of WordPress.
    ['/other/v1/things/{thing_id}', []],
    ['/other/v1/members/{user_id}', ['/other/v1/members/3']],
    ['/x/v1/lent-things/{id}', ['/x/v1/lent-things/5']],
    // The item of a request that the user gave.
    ['/x/v1/orders/{id}/notes', ['/x/v1/orders/12/notes']],
  ])('%s', (template, expected) => {
    expect(paths.expand(template, 3)).toEqual(expected);
  });
});

describe('values with slashes', () => {
  const paths = new PathExpander();
  paths.addResponse('/templates', [
    { id: 'plain//index', slug: 'index' },
    { id: 'plain//home', slug: 'home' },
  ]);
  paths.addResponse('/block-types', [{ name: 'core/list' }, { name: 'plain' }, { name: 'core/../users' }]);
  paths.addResponse('/posts', [{ id: 7 }]);

  test.each<readonly [string, RegExp, readonly string[]]>([
    ['/templates/{id}', /^\/templates\/[\w/]+$/, ['/templates/plain//index', '/templates/plain//home']],
    [
      '/templates/{parent}/revisions',
      /^\/templates\/.+\/revisions$/,
      ['/templates/plain//index/revisions', '/templates/plain//home/revisions'],
    ],
    // Two parameters share the value of one member.
    ['/block-types/{namespace}/{name}', /^\/block-types\/[\w-]+\/[\w-]+$/, ['/block-types/core/list']],
    // The route does not match them, so other members are used.
    ['/templates/{id}', /^\/templates\/\w+$/, ['/templates/index', '/templates/home']],
    ['/posts/{id}', /^\/posts\/\d+$/, ['/posts/7']],
  ])('%s of the route %s', (template, route, expected) => {
    expect(paths.expand(template, 3, (path) => route.test(path))).toEqual(expected);
  });
});
