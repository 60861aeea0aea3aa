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
