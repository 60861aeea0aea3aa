import type { MatrixWrite } from './matrix.ts';

/** Public posts, of which each round writes others: the gateway learns of kinds that were seen at several items. */
const POSTS = [3, 4, 6, 8, 10, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27];

/** Posts that the editor writes: it sends all fields, so what it changes differs from its last write. */
const EDITED = [20, 23, 27];

/** Edits of what is shown, which change few pages. `n` selects the items and makes the values differ. */
export function editWrites(n: number): readonly MatrixWrite[] {
  let drawn = 0;
  const draw = <T>(values: readonly T[]): T => {
    drawn += 1;
    return values[(n * 5 + drawn * 3) % values.length] as T;
  };
  const update = (name: string, path: string, body: object): MatrixWrite => ({
    name: `edit: ${name}`,
    method: 'POST',
    path: `/wp/v2/${path}`,
    body,
  });
  const byForm = (
    name: string,
    path: string,
    action: string,
    form: NonNullable<MatrixWrite['form']>,
  ): MatrixWrite => ({
    name: `edit: ${name}`,
    method: 'POST',
    path: `/wp-admin/${path}`,
    nonce: ['_wpnonce', action],
    form,
  });
  const editor = (name: string, id: number, fields: NonNullable<MatrixWrite['form']>): MatrixWrite =>
    byForm(name, 'post.php', `update-post_${id}`, {
      action: 'editpost',
      post_type: 'post',
      user_ID: 1,
      post_author: 2,
      post_ID: id,
      post_title: `Post number ${id - 2}`,
      content: `The text of ${id}.`,
      excerpt: `In short, ${id}.`,
      original_post_status: 'publish',
      post_status: 'publish',
      visibility: 'public',
      comment_status: 'open',
      'post_category[]': 3,
      save: 'Update',
      ...fields,
    });
  const category = draw([2, 3, 4, 5]);
  const visited = draw(POSTS);
  return [
    update("a post's excerpt", `posts/${draw(POSTS)}`, { excerpt: `An excerpt of round ${n}.` }),
    update("a post's content", `posts/${draw(POSTS)}`, {
      content: `<p>A content of round ${n}, long enough.</p>`,
    }),
    update("a post's title", `posts/${draw(POSTS)}`, { title: `A title of round ${n}` }),
    update("a post's picture", `posts/${draw(POSTS)}`, { featured_media: n % 2 === 0 ? 1 : '{picture}' }),
    {
      ...update('a comment', 'comments', { post: draw(POSTS), content: `A comment of round ${n}.` }),
      as: 'editedComment',
    },
    update("a comment's content", 'comments/{editedComment}', { content: `Another comment of round ${n}.` }),
    update('an unapproved comment', 'comments/{editedComment}', { status: 'hold' }),
    {
      name: 'edit: a comment by the form',
      method: 'POST',
      path: '/wp-comments-post.php',
      isAnonymous: true,
      form: {
        comment_post_ID: visited,
        author: `Visitor ${n}`,
        email: `visitor${n}@example.com`,
        comment_parent: 0,
        comment: `A visitor of round ${n}.`,
      },
    },
    {
      name: 'edit: a title by quick edit',
      method: 'POST',
      path: '/wp-admin/admin-ajax.php',
      nonce: ['_inline_edit', 'inlineeditnonce'],
      form: {
        action: 'inline-save',
        post_ID: visited,
        post_type: 'post',
        screen: 'edit-post',
        post_view: 'list',
        post_title: `Quick title of round ${n}`,
        post_author: 2,
        comment_status: 'open',
        _status: 'publish',
        'post_category[]': category,
      },
    },
    editor('a title by the editor', draw(EDITED), { post_title: `An edited title of round ${n}` }),
    editor('a content by the editor', draw(EDITED), { content: `The editor wrote this in round ${n}.` }),
    editor('an excerpt by the editor', draw(EDITED), { excerpt: `The editor says in round ${n}.` }),
    byForm('a category by its form', 'edit-tags.php', `update-tag_${category}`, {
      action: 'editedtag',
      tag_ID: category,
      taxonomy: 'category',
      name: `Formed in round ${n}`,
      description: `Formed with care in round ${n}`,
    }),
    byForm('a comment by its form', 'comment.php', 'update-comment_2', {
      action: 'editedcomment',
      comment_ID: 2,
      comment_post_ID: 3,
      newcomment_author: `Someone of round ${n}`,
      newcomment_author_email: 'someone@example.com',
      newcomment_author_url: '',
      content: `A comment edited in round ${n}.`,
      comment_status: 1,
    }),
    byForm('a user by the form', 'user-edit.php', 'update-user_2', {
      action: 'update',
      user_id: 2,
      role: 'editor',
      nickname: `Editor of round ${n}`,
      display_name: `Editor of round ${n}`,
      email: 'editor@example.com',
    }),
    byForm('the own profile', 'profile.php', 'update-user_1', {
      action: 'update',
      user_id: 1,
      from: 'profile',
      checkuser_id: 1,
      nickname: `Administrator of round ${n}`,
      display_name: `Administrator of round ${n}`,
      email: 'administrator@example.com',
    }),
    update("a page's content", `pages/${draw([30, 31, '{grandchild}', '{greatGrandchild}'])}`, {
      content: `<p>A page of round ${n}.</p>`,
    }),
    update("a category's name", `categories/${category}`, { name: `Category of round ${n}` }),
    update("a category's description", `categories/${category}`, { description: `Described in round ${n}` }),
    update("a tag's name", `tags/${draw([6, 7, 8, 9])}`, { name: `Tag of round ${n}` }),
    update("a user's name", `users/${draw([1, 2])}`, { name: `User of round ${n}` }),
    update("a user's description", `users/${draw([1, 2])}`, { description: `A user of round ${n}.` }),
    update("a picture's caption", `media/${draw([1, 2, '{picture}'])}`, {
      caption: `A caption of round ${n}`,
    }),
    update("a picture's alternative text", `media/${draw([1, '{picture}'])}`, {
      alt_text: `A text of round ${n}`,
    }),
    update('a draft', 'posts', { title: `A draft of round ${n}`, status: 'draft' }),
  ];
}
