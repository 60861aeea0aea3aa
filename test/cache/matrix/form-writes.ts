import type { MatrixWrite } from './matrix.ts';

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
/** A link of wp-admin, or a form that it sends by `GET`. */
const link = (name: string, path: string, action: string): MatrixWrite => ({
  name: `wp-admin, ${name}`,
  method: 'GET',
  path: `/wp-admin/${path}`,
  nonce: ['_wpnonce', action],
});
const parseFields = (fields: string) => Object.fromEntries(new URLSearchParams(fields));

/** A call of XML-RPC, with the user and the password in its second and third parameter. The first is mostly ignored. */
const call = (name: string, method: string, ...parameters: readonly XmlValue[]): MatrixWrite => {
  const values = [parameters[0] ?? 1, '{login}', '{password}', ...parameters.slice(1)];
  const params = values.map((value) => `<param><value>${toXml(value)}</value></param>`).join('');
  return {
    name: `XML-RPC, ${name}`,
    method: 'POST',
    path: '/xmlrpc.php',
    xml: `<?xml version="1.0"?><methodCall><methodName>${method}</methodName><params>${params}</params></methodCall>`,
  };
};

type XmlValue = string | number | { readonly [name: string]: XmlValue };

function toXml(value: XmlValue): string {
  if (typeof value === 'number') return `<int>${value}</int>`;
  if (typeof value === 'string') return `<string>${value}</string>`;
  const members = Object.entries(value).map(
    ([name, member]) => `<member><name>${name}</name><value>${toXml(member)}</value></member>`,
  );
  return `<struct>${members.join('')}</struct>`;
}

/** Writes by the forms of WordPress and by XML-RPC, in this order. `n` makes their values differ. */
export function formWrites(n: number): readonly MatrixWrite[] {
  return [
    ...postForms(n),
    ...commentForms(n),
    ...termAndUserForms(n),
    ...mediaForms(n),
    ...siteForms(n),
    ...calls(n),
  ];
}

const EDITOR = 'action=editpost&post_type=post&user_ID=1&post_author=1&save=Update';

function postForms(n: number): readonly MatrixWrite[] {
  const isOdd = n % 2 === 1;
  const quickEdit = (name: string, id: number, ...fields: readonly string[]): MatrixWrite =>
    ajax(
      `quick edit: ${name}`,
      'inline-save',
      ['_inline_edit', 'inlineeditnonce'],
      `post_ID=${id}&post_type=post&screen=edit-post&post_view=list&post_author=2&comment_status=open`,
      `post_title=Post number ${id - 2}&post_name=post-${id - 2}&_status=publish&post_category[]=2`,
      ...fields,
    );
  const edit = (name: string, id: number | string, ...fields: readonly string[]): MatrixWrite =>
    form(
      `editor: ${name}`,
      'post.php',
      ['_wpnonce', `update-post_${id}`],
      `${EDITOR}&post_ID=${id}&post_title=Post number ${typeof id === 'number' ? id - 2 : n}`,
      `content=The text of ${id}.&excerpt=In short, ${id}.&original_post_status=publish&post_status=publish`,
      'visibility=public&comment_status=open&post_category[]=3',
      ...fields,
    );
  const bulk = (name: string, query: string): MatrixWrite =>
    link(`bulk: ${name}`, `edit.php?post_type=post&post[]=23&post[]=24&${query}`, 'bulk-posts');
  const bulkEdit = (name: string, change: string): MatrixWrite => {
    const unchanged = '_status=-1&post_author=-1&post_format=-1&comment_status=&ping_status=&sticky=-1';
    const fields = parseFields(`action=edit&bulk_edit=Update&${unchanged}&${change}`);
    return bulk(name, new URLSearchParams(fields).toString());
  };
  return [
    quickEdit('a title', 19, `post_title=Quick ${n}`),
    quickEdit('a slug', 19, `post_title=Quick ${n}&post_name=quick-${n}`),
    quickEdit('categories', 19, `post_title=Quick ${n}&post_category[]=${isOdd ? 3 : 4}`),
    quickEdit('a sticky post', 20, 'sticky=sticky'),
    quickEdit('a post that is no longer sticky', 20),
    quickEdit('a draft', 20, '_status=draft'),
    quickEdit('a draft that is published', 20),
    bulkEdit('a category', `post_category[]=${isOdd ? 4 : 5}`),
    bulkEdit('an author', `post_author=${1 + (n % 2)}`),
    bulk('in the bin', 'action=trash'),
    bulk('out of the bin', 'action=untrash'),
    bulkEdit('published', '_status=publish'),
    edit('a title', 26, `post_title=Edited ${n}`),
    edit('a content', 26, `content=<p>Edited content ${n}.</p>`),
    edit('an excerpt', 26, `excerpt=Edited excerpt ${n}`),
    edit('a picture', 26, `_thumbnail_id=${isOdd ? 1 : -1}`),
    edit('a date', 26, `edit_date=1&aa=2024&mm=01&jj=${isOdd ? 11 : 24}&hh=12&mn=00&ss=00`),
    edit('a password', 26, `visibility=password&post_password=sesame${n}`),
    edit('no password', 26),
    edit('tags', 26, `tax_input[post_tag]=${isOdd ? 'red,blue' : 'green'}`),
    { ...link('editor: a new post without content', 'post-new.php', 'none'), as: 'written' },
    edit(
      'a new post',
      '{written}',
      `original_post_status=auto-draft&publish=Publish&post_title=Written ${n}`,
    ),
    ajax(
      'a picture of a post',
      'set-post-thumbnail',
      ['_ajax_nonce', 'set_post_thumbnail-{written}'],
      'post_id={written}&thumbnail_id=1',
    ),
    link('a post in the bin', 'post.php?post={written}&action=trash', 'trash-post_{written}'),
    link('a post out of the bin', 'post.php?post={written}&action=untrash', 'untrash-post_{written}'),
    edit('a restored post that is published', '{written}', 'original_post_status=draft&publish=Publish'),
    link('a deleted post', 'post.php?post={written}&action=delete', 'delete-post_{written}'),
    edit('a page', 30, `post_type=page&post_title=About ${n}&content=<p>About us ${n}.</p>`),
  ];
}

function commentForms(n: number): readonly MatrixWrite[] {
  const comment = (name: string, isAnonymous: boolean, fields: string): MatrixWrite => ({
    name: `comment form, ${name}`,
    method: 'POST',
    path: '/wp-comments-post.php',
    isAnonymous,
    form: parseFields(
      `comment_post_ID=23&author=A visitor&email=visitor@example.com&comment_parent=0&${fields}`,
    ),
  });
  const change = (name: string, field: string): MatrixWrite =>
    ajax(name, 'delete-comment', ['_ajax_nonce', 'delete-comment_{replied}'], `id={replied}&${field}=1`);
  const dim = (status: 'approved' | 'unapproved'): MatrixWrite =>
    ajax(
      `a comment that is ${status}`,
      'dim-comment',
      ['_ajax_nonce', 'approve-comment_2'],
      `id=2&dimClass=unapproved&new=${status}`,
    );
  const bulk = (name: string, action: string): MatrixWrite => {
    const path = `edit-comments.php?action=${action}&delete_comments[]=1&delete_comments[]=2`;
    return link(`bulk: ${name}`, path, 'bulk-comments');
  };
  const reply = `content=A reply ${n}.&comment_post_ID=3&comment_ID=1&mode=single`;
  return [
    comment('a visitor', true, `comment=From a visitor ${n}.`),
    comment(
      'a reply of a visitor',
      true,
      `comment=A visitor replies ${n}.&comment_post_ID=3&comment_parent=1`,
    ),
    comment('a user', false, `comment=From a user ${n}.`),
    {
      ...ajax('a reply', 'replyto-comment', ['_ajax_nonce-replyto-comment', 'replyto-comment'], reply),
      as: 'replied',
    },
    dim('unapproved'),
    dim('approved'),
    change('a comment that is spam', 'spam'),
    change('a comment that is no spam', 'unspam'),
    change('a comment in the bin', 'trash'),
    change('a comment out of the bin', 'untrash'),
    change('a deleted comment', 'delete'),
    bulk('unapproved comments', 'unapprove'),
    bulk('approved comments', 'approve'),
    ...['unapprove', 'approve'].map((action) =>
      link(
        `a comment that is ${action}d by a link`,
        `comment.php?action=${action}comment&c=1`,
        'approve-comment_1',
      ),
    ),
    form(
      'an edited comment',
      'comment.php',
      ['_wpnonce', 'update-comment_2'],
      `action=editedcomment&comment_ID=2&comment_post_ID=3&newcomment_author=Someone ${n}`,
      'newcomment_author_email=someone@example.com&newcomment_author_url=',
      `content=Edited comment ${n}.&comment_status=1`,
    ),
  ];
}

function termAndUserForms(n: number): readonly MatrixWrite[] {
  const named = (name: string): string => `nickname=${name} ${n}&display_name=${name} ${n}`;
  const added = `taxonomy=category&post_type=post&screen=edit-category&tag-name=Added ${n}&slug=added-${n}`;
  return [
    {
      ...ajax('a new category', 'add-tag', ['_wpnonce_add-tag', 'add-tag'], `${added}&parent=2&description=`),
      as: 'added',
    },
    ajax(
      'quick edit: a category',
      'inline-save-tax',
      ['_inline_edit', 'taxinlineeditnonce'],
      `tax_ID=5&taxonomy=category&tax_type=tag&name=Recipes ${n}&slug=recipes-more`,
    ),
    form(
      'a category',
      'edit-tags.php',
      ['_wpnonce', 'update-tag_4'],
      `action=editedtag&tag_ID=4&taxonomy=category&name=Abroad ${n}&slug=abroad`,
      `description=Far away ${n}.&parent=2`,
    ),
    ajax(
      'a deleted category',
      'delete-tag',
      ['_wpnonce', 'delete-tag_{added}'],
      'tag_ID={added}&taxonomy=category',
    ),
    form(
      "a user's name",
      'user-edit.php',
      ['_wpnonce', 'update-user_2'],
      `action=update&user_id=2&role=editor&email=editor@example.com&${named('Editor')}`,
    ),
    form(
      'the own name',
      'profile.php',
      ['_wpnonce', 'update-user_1'],
      'action=update&user_id=1&from=profile&checkuser_id=1&email=administrator@example.com',
      `${named('Keeper')}&description=Keeps ${n}.`,
    ),
    form(
      'a new user',
      'user-new.php',
      ['_wpnonce_create-user', 'create-user'],
      `action=createuser&user_login=made${n}&email=made${n}@example.com`,
      'pass1=a long password&pass2=a long password&pw_weak=on&role=author',
    ),
  ];
}

function mediaForms(n: number): readonly MatrixWrite[] {
  return [
    ajax(
      "a picture's caption",
      'save-attachment',
      ['nonce', 'update-post_1'],
      `id=1&changes[caption]=A caption ${n}&changes[alt]=A disc ${n}`,
    ),
    form(
      "a picture's title",
      'post.php',
      ['_wpnonce', 'update-post_1'],
      `${EDITOR}&post_type=attachment&post_ID=1&post_title=A sun ${n}&content=Described ${n}.`,
    ),
  ];
}

function siteForms(n: number): readonly MatrixWrite[] {
  const isOdd = n % 2 === 1;
  const options = (page: string, ...fields: readonly string[]): MatrixWrite =>
    form(
      `options: ${page}`,
      'options.php',
      ['_wpnonce', `${page}-options`],
      `option_page=${page}&action=update`,
      ...fields,
    );
  const permalinks = (name: string, categoryBase: string): MatrixWrite =>
    form(
      name,
      'options-permalink.php',
      ['_wpnonce', 'update-permalink'],
      'selection=custom&permalink_structure=/%25year%25/%25monthnum%25/%25postname%25/&tag_base=',
      `category_base=${categoryBase}`,
    );
  const customizer = (name: string, settings: string): MatrixWrite =>
    ajax(
      `customizer: ${name}`,
      'customize_save',
      ['nonce', 'save-customize_{theme}'],
      'wp_customize=on&customize_theme={theme}&customize_changeset_status=publish',
      `customize_changeset_data=${settings}`,
    );
  return [
    options(
      'general',
      `blogname=Matrix ${n}&blogdescription=Described ${n}&siteurl={siteurl}&home={siteurl}`,
      `new_admin_email=administrator@example.com&timezone_string=UTC&time_format=g:i a`,
      `date_format=${isOdd ? 'j F Y' : 'F j, Y'}&start_of_week=${n % 7}&default_role=subscriber`,
    ),
    options(
      'reading',
      `show_on_front=posts&posts_per_page=${6 + (n % 4)}&posts_per_rss=${8 + (n % 2)}`,
      `rss_use_excerpt=${n % 2}&blog_public=1`,
    ),
    options(
      'discussion',
      'default_comment_status=open&thread_comments=1&thread_comments_depth=5&comments_per_page=50',
      `show_avatars=${n % 2}&avatar_default=mystery&comment_order=${isOdd ? 'desc' : 'asc'}`,
    ),
    permalinks('permalinks', isOdd ? 'topics' : ''),
    permalinks('permalinks as before', ''),
    customizer('the title', `{"blogname":{"value":"Customized ${n}"}}`),
    customizer('a static front page', '{"show_on_front":{"value":"page"},"page_on_front":{"value":"30"}}'),
    customizer('posts on the front page', '{"show_on_front":{"value":"posts"}}'),
  ];
}

function calls(n: number): readonly MatrixWrite[] {
  const post = { post_type: 'post', post_status: 'publish', comment_status: 'open' };
  const blogged = { title: `Blogged ${n}`, description: `Blogged text ${n}.` };
  const profile = { nickname: 'administrator', display_name: `Administrator ${n}` };
  const term = (name: string) => ({ taxonomy: 'category', name });
  return [
    {
      ...call('a new post', 'wp.newPost', 1, {
        ...post,
        post_title: `Called ${n}`,
        post_content: 'By a call.',
      }),
      as: 'called',
    },
    call('a title', 'wp.editPost', 1, '{called}', { post_title: `Called again ${n}` }),
    call('a title by the MetaWeblog API', 'metaWeblog.editPost', '{called}', blogged),
    {
      ...call('a comment', 'wp.newComment', 1, '{called}', { content: `Called comment ${n}.` }),
      as: 'calledComment',
    },
    call('an edited comment', 'wp.editComment', 1, '{calledComment}', { content: `Called it again ${n}.` }),
    call('a deleted comment', 'wp.deleteComment', 1, '{calledComment}'),
    call('a deleted post', 'wp.deletePost', 1, '{called}'),
    { ...call('a new term', 'wp.newTerm', 1, term(`Called ${n}`)), as: 'calledTerm' },
    call('a term', 'wp.editTerm', 1, '{calledTerm}', term(`Called again ${n}`)),
    call('a deleted term', 'wp.deleteTerm', 1, 'category', '{calledTerm}'),
    call("the site's title", 'wp.setOptions', 1, { blog_title: `Called ${n}` }),
    call("a user's name", 'wp.editProfile', 1, profile),
  ];
}
