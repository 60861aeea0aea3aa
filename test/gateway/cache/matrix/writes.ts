import { create, type MatrixWrite, post as update } from './matrix.ts';

const publish = (path: string, as: string, body: object): MatrixWrite =>
  create(as, path, as, { status: 'publish', ...body });

/** Posts whose content WordPress renders from other resources, by their slug. */
const RENDERED_CONTENT: Readonly<Record<string, string>> = {
  latestposts: '<!-- wp:latest-posts {"displayAuthor":true,"displayFeaturedImage":true} /-->',
  latestcomments: '<!-- wp:latest-comments /-->',
  termblocks: '<!-- wp:tag-cloud /--><!-- wp:categories {"showPostCounts":true} /-->',
  queryblock:
    '<!-- wp:query {"query":{"perPage":3,"postType":"post","order":"desc","orderBy":"date","inherit":false}} --><div class="wp-block-query"><!-- wp:post-template --><!-- wp:post-title /--><!-- wp:post-terms {"term":"category"} /--><!-- /wp:post-template --></div><!-- /wp:query -->',
};

/** Content of a site beyond that of `install.php`. */
export const CONTENT: readonly MatrixWrite[] = Object.entries(RENDERED_CONTENT).map(([slug, content], at) =>
  publish('/wp/v2/posts', slug, { title: slug, slug, content, date: `2024-01-05T10:00:0${at}` }),
);

const parseFields = (fields: string) => Object.fromEntries(new URLSearchParams(fields));
type Nonce = NonNullable<MatrixWrite['nonce']>;

/** A form of wp-admin, or one that its scripts send. Of fields with the same name the last one counts. */
const form = (name: string, path: string, nonce: Nonce, ...fields: readonly string[]): MatrixWrite => ({
  name: `wp-admin, ${name}`,
  method: 'POST',
  path: `/wp-admin/${path}`,
  nonce,
  form: parseFields(fields.join('&')),
});
const ajax = (name: string, action: string, nonce: Nonce, ...fields: readonly string[]): MatrixWrite =>
  form(name, 'admin-ajax.php', nonce, `action=${action}`, ...fields);
const dim = (status: 'approved' | 'unapproved'): MatrixWrite =>
  ajax(
    `a comment that is ${status}`,
    'dim-comment',
    ['_ajax_nonce', 'approve-comment_2'],
    `id=2&dimClass=unapproved&new=${status}`,
  );
const comment = (name: string, isAnonymous: boolean, fields: string): MatrixWrite => ({
  name: `comment form, ${name}`,
  method: 'POST',
  path: '/wp-comments-post.php',
  isAnonymous,
  form: parseFields(
    `comment_post_ID=23&author=A visitor&email=visitor@example.com&comment_parent=0&${fields}`,
  ),
});

/** A call of XML-RPC, with the user and the password in its second and third parameter. */
const call = (name: string, method: string, ...parameters: readonly string[]): MatrixWrite => {
  const values = ['<int>1</int>', '<string>{login}</string>', '<string>{password}</string>', ...parameters];
  const params = values.map((value) => `<param><value>${value}</value></param>`).join('');
  const xml = `<?xml version="1.0"?><methodCall><methodName>${method}</methodName><params>${params}</params></methodCall>`;
  return { name: `XML-RPC, ${name}`, method: 'POST', path: '/xmlrpc.php', xml };
};
const struct = (members: Readonly<Record<string, string>>): string =>
  `<struct>${Object.entries(members)
    .map(([name, value]) => `<member><name>${name}</name><value><string>${value}</string></value></member>`)
    .join('')}</struct>`;

const EDITED = '<p>Edited content.</p>';
const BULK =
  'edit.php?post_type=post&post[]=23&post[]=24&action=edit&bulk_edit=Update&_status=-1&post_author=-1&post_format=-1&comment_status=&ping_status=&sticky=-1&post_category[]=4';

/** A write of each kind of resource by each way, in this order. */
export const WRITES: readonly MatrixWrite[] = [
  update("a post's title", '/wp/v2/posts/12', { title: 'Another title' }),
  { name: "a post's excerpt, in the query", method: 'PUT', path: '/wp/v2/posts/12?excerpt=Short' },
  update('a post that becomes a draft', '/wp/v2/posts/3', { status: 'draft' }),
  update('a draft that is published', '/wp/v2/posts/3', { status: 'publish' }),
  create('a new post whose response has no terms', '/wp/v2/posts?_fields=id', 'post', {
    title: 'A new number',
    status: 'publish',
    categories: [2],
  }),
  update('a deletion by POST', '/?rest_route=/wp/v2/posts/{post}&_method=DELETE&force=true'),
  update('posts in a batch, of which one is refused', '/batch/v1', {
    requests: [
      { method: 'POST', path: '/wp/v2/posts/19', body: { title: 'In a batch' } },
      { method: 'POST', path: '/wp/v2/posts/999999', body: { title: 'Nowhere' } },
    ],
  }),
  update("a page's title", '/wp/v2/pages/30', { title: 'About us' }),
  update("a term's name", '/wp/v2/categories/2', { name: 'Novelties' }),
  update("a user's name", '/wp/v2/users/2', { name: 'The editor' }),
  update("a comment's content", '/wp/v2/comments/1', { content: 'Changed.' }),
  update("a picture's caption", '/wp/v2/media/1', { caption: 'A caption' }),
  update("the site's title", '/wp/v2/settings', { title: 'Site' }),
  ajax(
    'quick edit: a title',
    'inline-save',
    ['_inline_edit', 'inlineeditnonce'],
    'post_ID=19&post_type=post&screen=edit-post&post_view=list&post_author=2&comment_status=open',
    'post_title=Quick&post_name=post-17&_status=publish&post_category[]=2',
  ),
  {
    name: 'wp-admin, bulk: a category',
    method: 'GET',
    path: `/wp-admin/${BULK}`,
    nonce: ['_wpnonce', 'bulk-posts'],
  },
  form(
    'editor: a content',
    'post.php',
    ['_wpnonce', 'update-post_26'],
    'action=editpost&post_type=post&user_ID=1&post_author=1&save=Update&post_ID=26&post_title=Post number 24',
    `content=${EDITED}&excerpt=In short&original_post_status=publish&post_status=publish`,
    'visibility=public&comment_status=open&post_category[]=3',
  ),
  comment('a visitor', true, 'comment=From a visitor.'),
  comment('a user', false, 'comment=From a user.'),
  dim('unapproved'),
  dim('approved'),
  form(
    'a category',
    'edit-tags.php',
    ['_wpnonce', 'update-tag_2'],
    'action=editedtag&tag_ID=2&taxonomy=category&name=News again&slug=news&description=New.&parent=-1',
  ),
  form(
    "a user's name",
    'user-edit.php',
    ['_wpnonce', 'update-user_2'],
    'action=update&user_id=2&role=editor&email=editor@example.com&nickname=Editor&display_name=Editor',
  ),
  form(
    'options: general',
    'options.php',
    ['_wpnonce', 'general-options'],
    'option_page=general&action=update&blogname=Matrix&blogdescription=Described&siteurl={siteurl}&home={siteurl}',
    'new_admin_email=administrator@example.com&timezone_string=UTC&time_format=g:i a&date_format=j F Y',
  ),
  ajax(
    'customizer: the title',
    'customize_save',
    ['nonce', 'save-customize_{theme}'],
    'wp_customize=on&customize_theme={theme}&customize_changeset_status=publish',
    'customize_changeset_data={"blogname":{"value":"Customized"}}',
  ),
  {
    ...call('a new post', 'wp.newPost', struct({ post_title: 'Called', post_status: 'publish' })),
    as: 'called',
  },
  call('a title', 'wp.editPost', '<string>{called}</string>', struct({ post_title: 'Called again' })),
  call('a deleted post', 'wp.deletePost', '<string>{called}</string>'),
];
