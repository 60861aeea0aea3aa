import { describe, expect, test } from 'vitest';
import { createPathExpander } from '../../src/reconcile/path-expander.ts';

describe('the paths of items that collections contain', () => {
  const paths = createPathExpander();
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
    // Values that could change the path are skipped.
    ['/odd/{id}', []],
    ['/unknown/{id}', []],
    ['/settings/{id}', []],
    ['/posts/{id}.json', []],
  ])('%s', (template, expected) => {
    expect(paths.expand(template, 3)).toEqual(expected);
  });
});
