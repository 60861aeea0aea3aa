import { create, type MatrixWrite, upload } from './matrix.ts';

/** A PNG of one pixel. */
const PNG: Uint8Array = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const publish = (path: string, as: string, body: object): MatrixWrite =>
  create(as, path, as, { status: 'publish', ...body });

/** Posts whose content WordPress renders from other resources, by the id that reads refer to. */
const RENDERED_CONTENT: Readonly<Record<string, string>> = {
  titleBlocks: '<!-- wp:site-title /--><!-- wp:site-tagline /--><!-- wp:site-logo /-->',
  pageList: '<!-- wp:page-list /-->',
  navigationBlock: '<!-- wp:navigation {"ref":{navigation}} /-->',
  galleryBlock:
    '<!-- wp:gallery {"linkTo":"none"} --><figure class="wp-block-gallery has-nested-images columns-default is-cropped"><!-- wp:image {"id":1} --><figure class="wp-block-image"><img src="{site}wp-content/uploads/2024/01/sun.png" alt="" class="wp-image-1"/></figure><!-- /wp:image --></figure><!-- /wp:gallery -->',
  galleryShortcode: '[gallery ids="1,{picture}"]',
  imageBlock:
    '<!-- wp:image {"id":1,"sizeSlug":"large"} --><figure class="wp-block-image size-large"><img src="{site}wp-content/uploads/2024/01/sun.png" alt="" class="wp-image-1"/></figure><!-- /wp:image -->',
  latestPosts: '<!-- wp:latest-posts {"displayAuthor":true,"displayFeaturedImage":true} /-->',
  latestComments: '<!-- wp:latest-comments /-->',
  termBlocks: '<!-- wp:tag-cloud /--><!-- wp:categories {"showPostCounts":true} /-->',
  dateBlocks: '<!-- wp:archives {"showPostCounts":true} /--><!-- wp:calendar /-->',
  authorBlocks: '<!-- wp:avatar {"userId":2} /--><!-- wp:post-author {"showBio":true} /-->',
  queryBlock:
    '<!-- wp:query {"query":{"perPage":3,"postType":"post","order":"desc","orderBy":"date","inherit":false}} --><div class="wp-block-query"><!-- wp:post-template --><!-- wp:post-title /--><!-- wp:post-author-biography /--><!-- wp:post-terms {"term":"category"} /--><!-- wp:post-featured-image /--><!-- /wp:post-template --></div><!-- /wp:query -->',
  neighbourLinks:
    '<!-- wp:post-navigation-link {"type":"previous","label":"","showTitle":true} /--><!-- wp:post-comments-form /-->',
  reusedBlock: '<!-- wp:block {"ref":{block}} /-->',
  embeddedPost: '{site}2024/01/post-8/',
};

/** Content of a site beyond that of `install.php`: blocks, nested pages, comments of users. Its ids are remembered. */
export function createContent(): readonly MatrixWrite[] {
  return [
    publish('/wp/v2/blocks', 'block', { title: 'Reusable', content: '<p>Reused.</p>' }),
    publish('/wp/v2/navigation', 'navigation', {
      title: 'Menu',
      content:
        '<!-- wp:navigation-link {"label":"About","type":"page","id":30,"url":"{site}about/","kind":"post-type"} /--><!-- wp:page-list /-->',
    }),
    upload('a picture', '/wp/v2/media', 'picture', { name: 'dot.png', type: 'image/png', bytes: PNG }),
    ...Object.entries(RENDERED_CONTENT).map(([as, content], at) => {
      const date = `2024-01-05T10:00:${String(at).padStart(2, '0')}`;
      return publish('/wp/v2/posts', as, { title: as, slug: as.toLowerCase(), content, date });
    }),
    publish('/wp/v2/pages', 'grandchild', { title: 'Grandchild', slug: 'grandchild', parent: 31 }),
    publish('/wp/v2/pages', 'greatGrandchild', { title: 'Great', slug: 'great', parent: '{grandchild}' }),
    publish('/wp/v2/pages', 'blocksPage', { title: 'Blocks', content: '<!-- wp:block {"ref":{block}} /-->' }),
    // MySQL lists comments of one second in any order.
    create('a comment of the user', '/wp/v2/comments', 'userComment', {
      post: 12,
      author: 2,
      content: 'By a user.',
      date: '2024-03-02T12:00:00',
    }),
    create('a comment on a protected post', '/wp/v2/comments', 'hiddenComment', {
      post: 16,
      content: 'Hidden.',
      date: '2024-03-03T12:00:00',
    }),
    publish('/wp/v2/categories', 'childTerm', { name: 'Child', slug: 'child', parent: 3 }),
    publish('/wp/v2/categories', 'grandchildTerm', { name: 'Grand', slug: 'grand', parent: '{childTerm}' }),
    publish('/wp/v2/posts', 'deepPost', { title: 'Deep', slug: 'deep', categories: ['{grandchildTerm}'] }),
  ];
}

const rendered = Object.keys(RENDERED_CONTENT);

/** Reads of every kind of response of WordPress that depends on other resources. */
export const WORDPRESS_READS: readonly string[] = [
  ...[3, 10, 11, 12, 13, 14, 16, 18, 21, 24].map((id) => `/wp/v2/posts/${id}`),
  ...[8, 10, 14, 25].map((id) => `/wp/v2/posts/${id}?_embed`),
  '/wp/v2/posts/10?_fields=title,link',
  '/wp/v2/posts/12?_fields=id,content.rendered',
  '/wp/v2/posts/12?_embed=author&_fields=id,_links,_embedded',
  '/wp/v2/posts/12?_embed=replies',
  ...rendered.map((name) => `/wp/v2/posts/{${name}}`),
  `/wp/v2/posts?include=${rendered.map((name) => `{${name}}`).join(',')}&per_page=30`,
  `/wp/v2/posts?include={titleBlocks},{pageList}&_fields=content`,
  '/wp/v2/posts?slug=deep&_embed=wp:term',
  ...[1, 2, 3, 4, '{grandchildTerm}'].map((id) => `/wp/v2/categories/${id}`),
  '/wp/v2/categories/3?_fields=count',
  ...[7, 9].map((id) => `/wp/v2/tags/${id}`),
  ...[1, 2].map((id) => `/wp/v2/users/${id}`),
  '/wp/v2/users/2?_fields=avatar_urls',
  ...[1, 3, 4, '{userComment}', '{hiddenComment}'].map((id) => `/wp/v2/comments/${id}`),
  '/wp/v2/comments/{userComment}?_fields=author_avatar_urls,author_name',
  '/wp/v2/comments/{userComment}?_embed',
  ...[1, 2, '{picture}'].map((id) => `/wp/v2/media/${id}`),
  '/wp/v2/media/1?_embed',
  ...[30, 31, '{grandchild}', '{greatGrandchild}', '{blocksPage}'].map((id) => `/wp/v2/pages/${id}`),
  '/wp/v2/pages/{grandchild}?_embed=up',
  '/wp/v2/pages?slug=great',
  '/wp/v2/navigation',
  '/wp/v2/navigation/{navigation}',
  '/wp-json/',
  '/wp/v2',
  ...`
    /wp/v2/posts /wp/v2/posts?page=2 /wp/v2/posts?per_page=5&offset=3&order=asc
    /wp/v2/posts?per_page=5&orderby=title&order=asc /wp/v2/posts?orderby=slug&per_page=4
    /wp/v2/posts?orderby=author&per_page=4 /wp/v2/posts?categories=3 /wp/v2/posts?categories=3,4&tags=7
    /wp/v2/posts?categories_exclude=3&per_page=4 /wp/v2/posts?tags=7 /wp/v2/posts?author=1&per_page=3
    /wp/v2/posts?author_exclude=1&per_page=3 /wp/v2/posts?search=number
    /wp/v2/posts?search=changed&_fields=id /wp/v2/posts?slug=post-8 /wp/v2/posts?sticky=true
    /wp/v2/posts?sticky=false&per_page=3 /wp/v2/posts?include=10,11,12 /wp/v2/posts?exclude=10,11&per_page=5
    /wp/v2/posts?after=2024-01-15T00:00:00&before=2024-01-20T00:00:00 /wp/v2/posts?per_page=2&_embed
    /wp/v2/posts?per_page=20&_embed=wp:featuredmedia /wp/v2/posts?_fields=id,title&per_page=4
    /wp/v2/posts?_fields=link,author&per_page=30 /wp/v2/posts?orderby=modified&per_page=3
    /wp/v2/pages /wp/v2/pages?parent=30 /wp/v2/pages?parent=0 /wp/v2/pages?orderby=menu_order&order=asc
    /wp/v2/pages?_fields=link
    /wp/v2/media /wp/v2/media?parent=10 /wp/v2/media?media_type=image /wp/v2/media?_fields=id,post,caption
    /wp/v2/categories /wp/v2/categories?_fields=id,count,name /wp/v2/categories?hide_empty=true
    /wp/v2/categories?orderby=count&order=desc /wp/v2/categories?parent=2 /wp/v2/categories?post=10
    /wp/v2/categories?search=far
    /wp/v2/tags /wp/v2/tags?post=11 /wp/v2/tags?hide_empty=true&_fields=slug
    /wp/v2/users /wp/v2/users?_fields=name,avatar_urls /wp/v2/users?search=editor
    /wp/v2/users?orderby=registered_date
    /wp/v2/comments /wp/v2/comments?post=3 /wp/v2/comments?post=4 /wp/v2/comments?post=16
    /wp/v2/comments?parent=0 /wp/v2/comments?_embed /wp/v2/comments?_fields=author_avatar_urls,link
    /wp/v2/comments?order=asc&per_page=3
    /wp/v2/search?search=post&per_page=5 /wp/v2/search?search=post&per_page=3&_embed
    /wp/v2/search?search=news&type=term /wp/v2/search?search=about&subtype=page&_fields=url,title
    /wp/v2/types /wp/v2/types/post /wp/v2/taxonomies /wp/v2/taxonomies/category /wp/v2/statuses
    /oembed/1.0/embed?url={site}2024/01/post-8/ /oembed/1.0/embed?url={site}2024/01/post-12/
    /oembed/1.0/embed?url={site}about/team/ page:/ page:/2024/01/post-8/ page:/about/
  `
    .trim()
    .split(/\s+/),
];
