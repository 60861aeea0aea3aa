import type { Identity } from './client.ts';

/** A request to `wp/v2` of WordPress and `core/v2` of the example site. `{name}` is a saved id. */
export interface ComparedRequest {
  readonly as: Identity;
  readonly method: string;
  readonly path: string;
  readonly json?: unknown;
  readonly raw?: { readonly bytes: Uint8Array; readonly headers: Readonly<Record<string, string>> };
  /** The name under which the id of the response is saved. */
  readonly save?: string;
}

const ALL_IDENTITIES: readonly Identity[] = ['anonymous', 'subscriber', 'editor', 'administrator'];

/** The requests that create the same entries on both sites: one of each status. */
export const SETUP_REQUESTS: readonly ComparedRequest[] = [
  ...[1, 2, 3, 4, 5, 6].map((n) =>
    createEntryRequest('posts', `post${n}`, {
      title: `Harbour ${n}`,
      content: `<!-- wp:paragraph -->\n<p>Text of ${n}, by the sea.</p>\n<!-- /wp:paragraph -->`,
      excerpt: n % 2 === 0 ? `Excerpt ${n}` : '',
      status: 'publish',
      date: `2024-01-0${n}T12:00:00`,
      categories: n % 2 === 0 ? ['{category1}'] : ['{category2}'],
      tags: n % 3 === 0 ? ['{tag1}', '{tag2}'] : ['{tag1}'],
    }),
  ),
  createEntryRequest('posts', 'draft', { title: 'A draft', content: 'Not yet' }),
  createEntryRequest('posts', 'pending', { title: 'Pending', status: 'pending' }),
  createEntryRequest('posts', 'private', { title: 'Private', status: 'private' }),
  createEntryRequest('posts', 'future', { title: 'Later', status: 'future', date: '2099-01-01T00:00:00' }),
  createEntryRequest('posts', 'locked', {
    title: 'Locked',
    content: 'Hidden',
    status: 'publish',
    password: 'secret',
    date: '2024-02-01T00:00:00',
  }),
  createEntryRequest('posts', 'sticky', {
    title: 'On top',
    status: 'publish',
    sticky: true,
    date: '2024-02-02T00:00:00',
  }),
  createEntryRequest('posts', 'trashed', {
    title: 'Thrown away',
    status: 'publish',
    date: '2024-02-03T00:00:00',
  }),
  { as: 'administrator', method: 'DELETE', path: '/posts/{trashed}' },
  createEntryRequest('posts', 'others', {
    title: 'By the subscriber',
    status: 'draft',
    author: '{subscriber}',
  }),
  createEntryRequest('pages', 'page', {
    title: 'About',
    content: 'About us',
    status: 'publish',
    date: '2024-01-01T00:00:00',
    menu_order: 2,
  }),
  createEntryRequest('pages', 'child', {
    title: 'Team',
    status: 'publish',
    parent: '{page}',
    date: '2024-01-02T00:00:00',
  }),
  createEntryRequest('pages', 'pageDraft', { title: 'Unfinished page' }),
  { as: 'administrator', method: 'POST', path: '/posts/{post1}', json: { content: 'Changed once' } },
  { as: 'administrator', method: 'POST', path: '/posts/{post1}', json: { title: 'Changed twice' } },
  {
    as: 'editor',
    method: 'POST',
    path: '/posts/{post1}/autosaves',
    json: { title: 'Aside', content: 'Kept', excerpt: '' },
    save: 'autosave',
  },
  { as: 'administrator', method: 'POST', path: '/pages/{page}', json: { content: 'Changed page' } },
];

function createEntryRequest(collection: string, save: string, json: unknown): ComparedRequest {
  return { as: 'administrator', method: 'POST', path: `/${collection}`, json, save };
}

function readRequests(as: readonly Identity[], paths: readonly string[]): readonly ComparedRequest[] {
  return paths.flatMap((path) => as.map((identity) => ({ as: identity, method: 'GET', path })));
}

const ANY_LIST = [
  ...[
    '',
    '?per_page=2',
    '?per_page=2&page=2',
    '?page=99',
    '?per_page=0',
    '?per_page=101',
    '?per_page=abc',
    '?page=0',
  ],
  ...[
    '?context=embed',
    '?context=edit',
    '?context=all',
    '?order=asc',
    '?order=up',
    '?offset=1',
    '?offset=99',
    '?offset=-1',
  ],
  ...[
    '?orderby=title',
    '?orderby=relevance',
    '?orderby=include',
    '?orderby=nothing',
    '?orderby=id&order=asc',
  ],
  ...['?search=harbour', '?search=nothing-like-it', '?search=harbour&orderby=relevance'],
  ...[
    '?after=2024-01-02T12:00:00',
    '?before=2024-01-02T12:00:00Z',
    '?after=yesterday',
    '?before=2024-13-45T00:00:00',
  ],
  ...['?modified_after=2020-01-01T00:00:00', '?modified_before=2020-01-01T00:00:00'],
  ...[
    '?author={editor}',
    '?author_exclude={administrator}',
    '?author=x',
    '?slug=harbour-1,about',
    '?slug[]=harbour-2',
  ],
  ...['?include={post1},{page}', '?include={post1}&orderby=include', '?exclude={post1}', '?include=abc'],
  ...[
    '?status=publish',
    '?status=draft',
    '?status=any',
    '?status=nonsense',
    '?status[]=publish&status[]=private',
    '?status=',
  ],
  ...['?_fields=id,title', '?_fields=title.rendered,_links', '?per_page[]=3', '?search[]=x', '?unknown=1'],
];

export const LISTS: readonly ComparedRequest[] = [
  ...readRequests(
    ['anonymous', 'editor'],
    ANY_LIST.flatMap((query) => [`/posts${query}`, `/pages${query}`]),
  ),
  ...readRequests(
    ['subscriber', 'administrator'],
    ['', '?context=edit', '?status=private', '?status=any', '?status=trash'].map((query) => `/posts${query}`),
  ),
  ...readRequests(
    ['anonymous', 'editor'],
    [
      ...[
        '?categories={category1}',
        '?categories={category1},{category2}&tags={tag2}&tax_relation=OR',
        '?categories[terms]={category1}',
      ],
      ...[
        '?categories[terms][]={category1}&categories[operator]=AND',
        '?categories[terms]={category1}&categories[include_children]=true',
      ],
      ...[
        '?categories[operator]=XOR',
        '?categories[extra]=1',
        '?tags_exclude={tag2}',
        '?tags_exclude[terms]={tag2}',
        '?tax_relation=NOR',
      ],
      ...[
        '?categories=abc',
        '?sticky=true',
        '?sticky=false',
        '?sticky=maybe',
        '?tags[include_children]=1',
        '?orderby=menu_order',
      ],
    ].map((query) => `/posts${query}`),
  ),
  ...readRequests(
    ['anonymous', 'editor'],
    [
      '?parent={page}',
      '?parent_exclude={page}',
      '?menu_order=2',
      '?menu_order=x',
      '?orderby=menu_order',
      '?orderby=parent',
      '?parent=0',
    ].map((query) => `/pages${query}`),
  ),
];

export const ITEMS: readonly ComparedRequest[] = [
  ...readRequests(
    ALL_IDENTITIES,
    ['post1', 'draft', 'pending', 'private', 'future', 'locked', 'trashed', 'others'].flatMap((name) => [
      `/posts/{${name}}`,
      `/posts/{${name}}?context=edit`,
    ]),
  ),
  ...readRequests(ALL_IDENTITIES, ['/pages/{child}', '/pages/{pageDraft}', '/pages/{page}?context=edit']),
  ...readRequests(
    ['anonymous', 'editor'],
    [
      ...[
        '/posts/{locked}?password=secret',
        '/posts/{locked}?password=wrong',
        '/posts/{post1}?password=x',
        '/posts/{post1}?context=embed',
      ],
      ...[
        '/posts/999999',
        '/posts/0',
        '/posts/{page}',
        '/pages/{post1}',
        '/posts/{post1}?context=x',
        '/posts/{post1}?id={post2}',
        '/posts/abc',
      ],
      ...['/pages/{page}?context=embed', '/pages/999999', '/posts/{post1}?password[]=a'],
    ],
  ),
];

export const VERSIONS: readonly ComparedRequest[] = [
  ...readRequests(ALL_IDENTITIES, [
    '/posts/{post1}/revisions',
    '/posts/{post1}/autosaves',
    '/pages/{page}/revisions',
    '/pages/{page}/autosaves',
  ]),
  ...readRequests(
    ['anonymous', 'editor'],
    [
      ...[
        '?per_page=1',
        '?per_page=1&page=2',
        '?page=99&per_page=1',
        '?offset=99',
        '?offset=1',
        '?search=nowhere',
        '?order=asc',
        '?context=edit',
      ],
      ...[
        '?context=embed',
        '?orderby=relevance',
        '?orderby=include',
        '?per_page=0',
        '?orderby=author',
        '?page=2',
      ],
    ].map((query) => `/posts/{post1}/revisions${query}`),
  ),
  ...readRequests(
    ['anonymous', 'subscriber', 'editor'],
    [
      ...[
        '/posts/999999/revisions',
        '/posts/{page}/revisions',
        '/posts/{post1}/revisions/999999',
        '/posts/{post1}/autosaves/{autosave}',
      ],
      ...[
        '/posts/{post2}/autosaves/1',
        '/posts/999999/autosaves',
        '/posts/{post1}/autosaves?context=edit',
        '/posts/{post2}/revisions',
      ],
      ...['/posts/{post1}/revisions/{post2}', '/pages/{page}/autosaves/1'],
    ],
  ),
];

const NEW = { title: 'Made in the test', content: 'Text' };

function writes(
  method: string,
  path: string,
  bodies: readonly unknown[],
  as: readonly Identity[] = ['editor'],
): readonly ComparedRequest[] {
  return bodies.flatMap((json) => as.map((identity) => ({ as: identity, method, path, json })));
}

export const WRITES: readonly ComparedRequest[] = [
  ...writes(
    'POST',
    '/posts',
    [
      NEW,
      { ...NEW, status: 'publish' },
      { ...NEW, author: '{editor}' },
      { ...NEW, sticky: true },
      { ...NEW, status: 'nonsense' },
    ],
    ALL_IDENTITIES,
  ),
  ...writes(
    'POST',
    '/pages',
    [NEW, { ...NEW, status: 'private' }, { ...NEW, parent: 999999 }],
    ALL_IDENTITIES,
  ),
  ...writes('POST', '/posts', [
    ...[
      {},
      { title: '' },
      { title: { raw: 'Raw' } },
      { title: 5 },
      { title: { rendered: 'x' } },
      { content: { raw: 'Only content' } },
    ],
    ...[
      { ...NEW, slug: 'harbour-1', status: 'publish' },
      { ...NEW, slug: 'Ünï codé', status: 'publish' },
      { ...NEW, id: 5 },
    ],
    ...[
      { ...NEW, author: 999999 },
      { ...NEW, author: 'x' },
      { ...NEW, date: 'tomorrow' },
      { ...NEW, date: '2024-05-05T05:05:05', status: 'publish' },
    ],
    ...[
      { ...NEW, date: '2099-05-05T05:05:05', status: 'publish' },
      { ...NEW, date_gmt: '2024-05-05T05:05:05' },
      { ...NEW, date: null },
    ],
    ...[
      { ...NEW, status: 'future' },
      { ...NEW, password: 'x', sticky: true },
      { ...NEW, password: 'x', status: 'publish' },
    ],
    ...[
      { ...NEW, format: 'aside' },
      { ...NEW, format: 'ballad' },
      { ...NEW, template: 'nowhere.html' },
      { ...NEW, template: '' },
    ],
    ...[
      { ...NEW, comment_status: 'closed', ping_status: 'open' },
      { ...NEW, comment_status: 'ajar' },
      { ...NEW, featured_media: 999999 },
    ],
    ...[
      { ...NEW, categories: ['{category1}', 999999] },
      { ...NEW, categories: 'x' },
      { ...NEW, tags: '{tag1},{tag2}' },
      { ...NEW, tags: [] },
    ],
    ...[
      { ...NEW, meta: {} },
      { ...NEW, meta: 'x' },
      { ...NEW, sticky: 'perhaps' },
      { ...NEW, slug: null },
      { ...NEW, status: null },
      { title: 'T', content: null },
    ],
  ]),
  ...writes(
    'POST',
    '/posts/{post2}',
    [
      { title: 'Changed' },
      { author: '{administrator}' },
      { sticky: true },
      { status: 'draft' },
      { status: 'publish' },
    ],
    ALL_IDENTITIES,
  ),
  ...['PUT', 'PATCH'].flatMap((method) =>
    writes(method, '/posts/{post3}', [
      { title: `By ${method}` },
      {},
      { slug: 'new-slug' },
      { status: 'private' },
      { status: 'publish' },
    ]),
  ),
  ...writes('POST', '/posts/{post4}', [
    ...[
      { title: '', content: '', excerpt: '' },
      { status: 'x' },
      { author: 999999 },
      { date: '2020-01-01T00:00:00' },
      { date: null },
      { date_gmt: 'x' },
    ],
    ...[
      { password: 'later' },
      { sticky: true },
      { password: '' },
      { sticky: true },
      { password: 'again' },
      { sticky: false },
      { template: 'x' },
      { categories: [] },
    ],
    ...[
      { status: 'future', date: '2099-01-01T00:00:00' },
      { status: 'publish', date: '2024-01-01T00:00:00' },
      { featured_media: 0 },
      { id: '{post5}', title: 'Whose?' },
    ],
  ]),
  ...writes('POST', '/posts/999999', [{ title: 'None' }], ALL_IDENTITIES),
  ...writes('POST', '/pages/{child}', [
    { parent: 0 },
    { parent: '{page}' },
    { parent: 999999 },
    { menu_order: 7 },
    { menu_order: 'x' },
    { status: 'draft' },
    { status: 'publish' },
  ]),
  ...writes('POST', '/posts/{trashed}', [
    { title: 'From the trash' },
    { status: 'trash' },
    { status: 'publish' },
  ]),
  ...writes('POST', '/posts/{draft}/autosaves', [{ title: 'Saved draft' }], ALL_IDENTITIES),
  ...writes(
    'POST',
    '/posts/{post1}/autosaves',
    [
      { title: 'Set aside', content: 'x', excerpt: '' },
      { title: 'Set aside', content: 'y', excerpt: '' },
      { status: 'x' },
    ],
    ALL_IDENTITIES,
  ),
  ...writes('POST', '/posts/999999/autosaves', [NEW]),
  ...writes('POST', '/pages/{page}/autosaves', [{ content: 'Another text', title: 'About', excerpt: '' }]),
  { as: 'editor', method: 'GET', path: '/posts/{post1}/revisions?per_page=1&order=asc', save: 'revision' },
  ...ALL_IDENTITIES.map(
    (as): ComparedRequest => ({ as, method: 'GET', path: '/posts/{post1}/revisions/{revision}' }),
  ),
  { as: 'editor', method: 'GET', path: '/posts/{post1}/revisions/{revision}?context=edit' },
  ...ALL_IDENTITIES.map(
    (as): ComparedRequest => ({ as, method: 'DELETE', path: '/posts/{post1}/revisions/{revision}' }),
  ),
  { as: 'editor', method: 'DELETE', path: '/posts/{post1}/revisions/{revision}?force=true' },
  { as: 'editor', method: 'DELETE', path: '/posts/{post1}/revisions/{revision}?force=true' },
  ...ALL_IDENTITIES.map((as): ComparedRequest => ({ as, method: 'DELETE', path: '/posts/{post5}' })),
  { as: 'editor', method: 'DELETE', path: '/posts/{post5}?force=perhaps' },
  ...ALL_IDENTITIES.map(
    (as): ComparedRequest => ({ as, method: 'DELETE', path: '/posts/{post5}?force=true' }),
  ),
  ...ALL_IDENTITIES.map(
    (as): ComparedRequest => ({ as, method: 'DELETE', path: '/pages/{child}?force=true' }),
  ),
  { as: 'editor', method: 'DELETE', path: '/posts/999999' },
  { as: 'editor', method: 'GET', path: '/posts' },
];

export function mediaRequests(png: Uint8Array): readonly ComparedRequest[] {
  const image = (name: string, headers: Readonly<Record<string, string>> = {}) => ({
    bytes: png,
    headers: {
      'content-type': 'image/png',
      'content-disposition': `attachment; filename="${name}"`,
      ...headers,
    },
  });
  const text = (name: string) => ({
    bytes: new TextEncoder().encode('plain\n'),
    headers: { 'content-type': 'text/plain', 'content-disposition': `attachment; filename=${name}` },
  });
  const upload = (as: Identity, raw: ComparedRequest['raw'], save?: string): ComparedRequest => ({
    as,
    method: 'POST',
    path: '/media',
    ...(raw === undefined ? {} : { raw }),
    ...(save === undefined ? {} : { save }),
  });
  return [
    upload('administrator', image('sea.png'), 'image'),
    upload('editor', text('notes.txt'), 'text'),
    ...ALL_IDENTITIES.map((as) => upload(as, image('again.png'))),
    ...ALL_IDENTITIES.map((as) => upload(as, undefined)),
    upload('editor', image('evil.php')),
    upload('editor', image('none')),
    upload('editor', { bytes: png, headers: { 'content-type': 'image/png' } }),
    upload('editor', {
      bytes: png,
      headers: { 'content-type': 'image/png', 'content-disposition': 'inline' },
    }),
    upload('editor', image('hash.png', { 'content-md5': 'wrong' })),
    ...readRequests(
      ['anonymous', 'editor'],
      [
        ...[
          '',
          '?context=edit',
          '?context=embed',
          '?media_type=image',
          '?mime_type=image/png',
          '?media_type=nothing',
          '?status=private',
        ],
        ...[
          '?status=publish',
          '?parent=0',
          '?search=sea',
          '?per_page=1',
          '?page=99',
          '?orderby=include',
          '?status=trash',
          '?author={editor}',
        ],
      ].map((query) => `/media${query}`),
    ),
    ...readRequests(ALL_IDENTITIES, [
      '/media/{image}',
      '/media/{text}',
      '/media/{image}?context=edit',
      '/media/{image}?context=embed',
      '/media/{post1}',
      '/media/999999',
    ]),
    ...writes(
      'POST',
      '/media/{image}',
      [
        { alt_text: 'The sea' },
        { caption: 'Calm', description: { raw: 'Water' } },
        { title: 'Sea' },
        { post: '{post1}' },
      ],
      ALL_IDENTITIES,
    ),
    ...writes('PATCH', '/media/{image}', [
      { post: '{image}' },
      { author: 999999 },
      { status: 'private' },
      { status: 'publish' },
      { slug: 'the-sea' },
      { date: '2024-01-01T00:00:00' },
    ]),
    ...writes(
      'POST',
      '/media/{image}/post-process',
      [{ action: 'create-image-subsizes' }, {}, { action: 'melt' }],
      ['anonymous', 'editor'],
    ),
    ...writes(
      'POST',
      '/media/{image}/edit',
      [
        {},
        { src: 'http://example.com/x.png', modifiers: [{ type: 'rotate', args: { angle: 90 } }] },
        { src: 'http://example.com/x.png', modifiers: [] },
        { src: 'http://example.com/x.png', modifiers: [{ type: 'melt', args: {} }] },
        { src: '{source:image}', modifiers: [{ type: 'rotate', args: { angle: 90 } }] },
        {
          src: '{source:image}',
          modifiers: [{ type: 'crop', args: { left: 0, top: 0, width: 50, height: 50 } }],
        },
        { src: '{source:text}', modifiers: [{ type: 'rotate', args: { angle: 90 } }] },
      ],
      ['subscriber', 'editor'],
    ),
    ...ALL_IDENTITIES.map((as): ComparedRequest => ({ as, method: 'DELETE', path: '/media/{text}' })),
    ...ALL_IDENTITIES.map(
      (as): ComparedRequest => ({ as, method: 'DELETE', path: '/media/{text}?force=true' }),
    ),
  ];
}
