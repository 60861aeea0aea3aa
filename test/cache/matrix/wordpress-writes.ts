import { create, type MatrixWrite, remove, post as update, upload } from './matrix.ts';

/** Writes of WordPress, in this order: each depends on the state after those before it. `n` makes their values differ. */
export function wordpressWrites(n: number): readonly MatrixWrite[] {
  return [
    ...postWrites(n),
    ...hiddenFieldWrites(n),
    ...pageWrites(n),
    ...termWrites(n),
    ...userWrites(n),
    ...commentWrites(n),
    ...mediaWrites(n),
    ...siteWrites(n),
  ];
}

function postWrites(n: number): readonly MatrixWrite[] {
  const odd = n % 2 === 1;
  return [
    update("a post's title", '/wp/v2/posts/10', { title: `Another title ${n}` }),
    update("a post's content", '/wp/v2/posts/11', { content: `Not the same number ${n}.` }),
    { name: "a post's excerpt, in the query", method: 'PUT', path: `/wp/v2/posts/12?excerpt=Short${n}` },
    update("a post's slug", '/wp/v2/posts/10', { slug: `renamed-${n}` }),
    update("a post's categories", '/wp/v2/posts/10', { categories: odd ? [2] : [3, 4] }),
    update("a post's tags", '/wp/v2/posts/14', { tags: odd ? [7, 8] : [9] }),
    update("a post's author", '/wp/v2/posts/16', { author: odd ? 1 : 2 }),
    update("a post's picture", '/wp/v2/posts/17', { featured_media: odd ? 1 : 0 }),
    update('that a post is sticky', '/wp/v2/posts/15', { sticky: odd }),
    update("a post's date", '/wp/v2/posts/18', { date: `2024-01-${odd ? 20 : 18}T10:00:0${n % 10}` }),
    update("a post's format and comment status", '/wp/v2/posts/18', {
      format: odd ? 'aside' : 'standard',
      comment_status: odd ? 'closed' : 'open',
    }),
    update("a post's password", '/wp/v2/posts/16', { password: 'sesame' }),
    update("a post's removed password", '/wp/v2/posts/16', { password: '' }),
    update('a post that becomes a draft', '/wp/v2/posts/3', { status: 'draft' }),
    update('a draft that is published', '/wp/v2/posts/3', { status: 'publish' }),
    update('a post that becomes private', '/wp/v2/posts/12', { status: 'private' }),
    update('a private post that is published', '/wp/v2/posts/12', { status: 'publish' }),
    create('a new post', '/wp/v2/posts', 'post', {
      title: `A new number ${n}`,
      status: 'publish',
      categories: [3],
      tags: [9],
    }),
    create('a new draft', '/wp/v2/posts', 'draft', { title: `A draft ${n}`, categories: [3] }),
    update('an autosave of a post', '/wp/v2/posts/{post}/autosaves', { content: `Half ${n}` }),
    update('a scheduled post', '/wp/v2/posts/{draft}', { status: 'future', date: '2098-01-01T00:00:00' }),
    update('a scheduled post that is published', '/wp/v2/posts/{draft}', {
      status: 'publish',
      date: '2024-01-02T00:00:00',
    }),
    remove('a post in the bin', '/wp/v2/posts/{post}'),
    remove('a deleted post', '/wp/v2/posts/{draft}?force=true'),
    update('a deletion by POST', '/?rest_route=/wp/v2/posts/{post}&_method=DELETE&force=true'),
    update('three posts in a batch, of which one is refused', '/batch/v1', {
      requests: [
        { method: 'POST', path: '/wp/v2/posts/21', body: { title: `In a batch ${n}` } },
        { method: 'POST', path: '/wp/v2/posts/999999', body: { title: 'Nowhere' } },
        { method: 'POST', path: '/wp/v2/posts/14', body: { categories: odd ? [1] : [2] } },
      ],
    }),
  ];
}

/** Writes whose responses do not show what they changed. */
function hiddenFieldWrites(n: number): readonly MatrixWrite[] {
  const odd = n % 2 === 1;
  return [
    create('a new post whose response has no terms', '/wp/v2/posts?_fields=id', 'hidden', {
      title: `Hidden ${n}`,
      status: 'publish',
      categories: [3],
      tags: [7],
    }),
    update("a post's categories, with `_fields`", '/wp/v2/posts/{hidden}?_fields=id', { categories: [4] }),
    update('a draft, with `_fields`', '/wp/v2/posts/{hidden}?_fields=title', { status: 'draft' }),
    update('a published draft, with `_fields`', '/wp/v2/posts/{hidden}?_fields=title', { status: 'publish' }),
    update("a post's author, with `_fields`", '/wp/v2/posts/{hidden}?_fields=id', { author: odd ? 2 : 1 }),
    remove('a post in the bin, with `_fields`', '/wp/v2/posts/{hidden}?_fields=id'),
    remove('a deleted post, with `_fields`', '/wp/v2/posts/{hidden}?_fields=deleted&force=true'),
    create('a new comment, with `_fields`', '/wp/v2/comments?_fields=id', 'hiddenReply', {
      post: 4,
      content: `Me too ${n}.`,
    }),
    update("a comment's parent, with `_fields`", '/wp/v2/comments/{hiddenReply}?_fields=id', { parent: 3 }),
    remove('a deleted comment, with `_fields`', '/wp/v2/comments/{hiddenReply}?_fields=deleted&force=true'),
    create('a new term, with `_fields`', '/wp/v2/categories?_fields=id', 'hiddenTerm', {
      name: `Hidden ${n}`,
      parent: 2,
    }),
    update("a term's parent, with `_fields`", '/wp/v2/categories/{hiddenTerm}?_fields=id', { parent: 3 }),
    remove('a deleted term, with `_fields`', '/wp/v2/categories/{hiddenTerm}?_fields=deleted&force=true'),
    update('an enveloped write', '/wp/v2/posts/13?_envelope', { categories: odd ? [1, 2] : [3] }),
  ];
}

function pageWrites(n: number): readonly MatrixWrite[] {
  const odd = n % 2 === 1;
  return [
    update("a page's title", '/wp/v2/pages/30', { title: `About us ${n}` }),
    update("a page's slug, which its descendants' links contain", '/wp/v2/pages/30', {
      slug: odd ? 'about-us' : 'about',
    }),
    update("a page's parent", '/wp/v2/pages/31', { parent: odd ? 0 : 30 }),
    update("a page's place in the menu", '/wp/v2/pages/31', { menu_order: n + 2 }),
    update('a page that becomes a draft', '/wp/v2/pages/30', { status: 'draft' }),
    update('a page that is published', '/wp/v2/pages/30', { status: 'publish' }),
    create('a new page', '/wp/v2/pages', 'page', { title: `New page ${n}`, status: 'publish', parent: 30 }),
    create('a new child page', '/wp/v2/pages', 'childPage', {
      title: `Child ${n}`,
      status: 'publish',
      parent: '{page}',
    }),
    remove('a deleted page', '/wp/v2/pages/{page}?force=true'),
    remove('a deleted child page', '/wp/v2/pages/{childPage}?force=true'),
    update('a reusable block', '/wp/v2/blocks/{block}', { content: `<p>Reused ${n} times.</p>` }),
    update('a navigation', '/wp/v2/navigation/{navigation}', {
      content: `<!-- wp:navigation-link {"label":"Link ${n}","url":"https://example.com/"} /--><!-- wp:page-list /-->`,
    }),
  ];
}

function termWrites(n: number): readonly MatrixWrite[] {
  return [
    update("a term's name", '/wp/v2/categories/4', { name: `Far away ${n}` }),
    update("a term's description", '/wp/v2/categories/4', { description: `Distant ${n}` }),
    update("a term's slug", '/wp/v2/tags/9', { slug: `greatest-${n}` }),
    update("the slug of a term's grandparent", '/wp/v2/categories/3', { slug: `local-${n}` }),
    update("a term's parent", '/wp/v2/categories/{childTerm}', { parent: n % 2 === 1 ? 2 : 3 }),
    create('a new term', '/wp/v2/categories', 'term', { name: `Xenon ${n}` }),
    create('a new tag', '/wp/v2/tags', 'tag', { name: `Tag ${n}` }),
    update('a post with the new tag', '/wp/v2/posts/22', { tags: ['{tag}'] }),
    remove('a deleted term', '/wp/v2/categories/{term}?force=true'),
    remove('a deleted tag with posts', '/wp/v2/tags/{tag}?force=true'),
    create('a new category with a post', '/wp/v2/categories', 'usedTerm', { name: `Used ${n}` }),
    update('its post', '/wp/v2/posts/22', { categories: ['{usedTerm}'] }),
    remove('a deleted category with posts', '/wp/v2/categories/{usedTerm}?force=true'),
  ];
}

function userWrites(n: number): readonly MatrixWrite[] {
  return [
    update("a user's name", '/wp/v2/users/2', { name: `The editor ${n}` }),
    update("a user's e-mail address", '/wp/v2/users/2', { email: `editor-${n}@example.com` }),
    update("a user's description and website", '/wp/v2/users/2', {
      description: `Edits ${n}.`,
      url: `https://example.com/${n}`,
    }),
    update("a user's slug", '/wp/v2/users/2', { slug: `editor-${n}` }),
    create('a new user', '/wp/v2/users', 'user', {
      username: `user${n}`,
      email: `user${n}@example.com`,
      password: 'x1x2x3x4',
      roles: ['author'],
    }),
    create("the user's first post", '/wp/v2/posts', 'userPost', {
      title: `First ${n}`,
      status: 'publish',
      author: '{user}',
    }),
    create("the user's comment", '/wp/v2/comments', 'userReply', {
      post: 12,
      author: '{user}',
      content: `Said ${n}.`,
    }),
    remove('a deleted user whose posts are reassigned', '/wp/v2/users/{user}?force=true&reassign=1'),
    remove('the reassigned post', '/wp/v2/posts/{userPost}?force=true'),
  ];
}

function commentWrites(n: number): readonly MatrixWrite[] {
  const odd = n % 2 === 1;
  return [
    create('a new comment', '/wp/v2/comments', 'comment', { post: 4, content: `Me too ${n}!` }),
    create('a reply to a comment', '/wp/v2/comments', 'reply', { post: 4, parent: 3, content: `Why ${n}?` }),
    update("a comment's content", '/wp/v2/comments/1', { content: `Changed ${n}.` }),
    update("a comment's author", '/wp/v2/comments/1', {
      author_name: `Reader ${n}`,
      author_email: `reader-${n}@example.com`,
    }),
    update('an approved comment', '/wp/v2/comments/4', { status: odd ? 'approved' : 'hold' }),
    update('a comment that is spam', '/wp/v2/comments/{comment}', { status: 'spam' }),
    update('a comment of another post', '/wp/v2/comments/{reply}', { post: 5, parent: 0 }),
    remove('a comment in the bin', '/wp/v2/comments/{reply}'),
    remove('a deleted comment', '/wp/v2/comments/{comment}?force=true'),
    {
      name: 'the comment form of a page',
      method: 'POST',
      path: '/wp-comments-post.php?comment_post_ID=4&author=A&email=a@example.com&comment=Form',
      body: {},
      statuses: [302, 400, 409, 403, 500, 404, 405],
    },
  ];
}

function mediaWrites(n: number): readonly MatrixWrite[] {
  const odd = n % 2 === 1;
  const text = (name: string) => ({
    name: `${name}-${n}.txt`,
    type: 'text/plain',
    bytes: Buffer.from(`Text ${n}.`),
  });
  return [
    update("a picture's alternative text", '/wp/v2/media/1', { alt_text: `A sun ${n}` }),
    update("a picture's caption and title", '/wp/v2/media/1', { caption: `Caption ${n}`, title: `Sun ${n}` }),
    update("a picture's slug", '/wp/v2/media/1', { slug: `sun-${n}` }),
    update('the post that a picture belongs to', '/wp/v2/media/1', { post: odd ? 10 : 0 }),
    upload('an uploaded file', '/wp/v2/media', 'upload', text('notes')),
    update("an uploaded file's post", '/wp/v2/media/{upload}', { post: 10, description: `Notes ${n}` }),
    remove('a deleted file', '/wp/v2/media/{upload}?force=true'),
    upload('an uploaded file, with `_fields`', '/wp/v2/media?_fields=id&post=10', 'upload2', text('more')),
    remove('a deleted file, with `_fields`', '/wp/v2/media/{upload2}?force=true&_fields=deleted'),
  ];
}

function siteWrites(n: number): readonly MatrixWrite[] {
  return [
    update("the site's title", '/wp/v2/settings', { title: `Site ${n}` }),
    update("the site's description", '/wp/v2/settings', { description: `Another ${n}` }),
    update("the site's default category and page size", '/wp/v2/settings', {
      default_category: 1,
      posts_per_page: 5 + (n % 5),
    }),
    update("the site's date format", '/wp/v2/settings', { date_format: n % 2 === 1 ? 'Y-m-d' : 'F j, Y' }),
    update('an application password', '/wp/v2/users/2/application-passwords', { name: `app ${n}` }),
    { ...update('a refused write', '/wp/v2/posts/999999', { title: 'None' }), statuses: [404] },
  ];
}
