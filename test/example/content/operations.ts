import { expect } from 'vitest';
import { encodePng, paintLandscape } from '../../../src/example/content/images.ts';
import { type ContentCall, type ContentClient, createContentClient } from './client.ts';

/** A call with the expected status and error code. */
type OperationCase = readonly [
  call: Omit<ContentCall, 'method' | 'route'> & { readonly query?: string },
  status: number,
  code?: string,
];

interface Operation {
  readonly method: string;
  /** The route as the documentation writes it. */
  readonly route: string;
  /** Returns the values of the path parameters, and creates the resource if necessary. */
  readonly path?: (
    client: ContentClient,
  ) => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>;
  readonly cases: readonly OperationCase[];
}

const EDITOR = { as: 'editor' } as const;
const ADMIN = { as: 'administrator' } as const;
const PNG = encodePng(paintLandscape({ width: 200, height: 160, hue: 200, shape: 3 }));
const RAW = {
  raw: PNG,
  headers: { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="sea.png"' },
};

const post = (client: ContentClient) => ({ id: client.entry('post').id });
const page = (client: ContentClient) => ({ id: client.entry('page').id });
const media = (client: ContentClient) => ({ id: findImage(client).id });
const PATHS = { posts: post, pages: page, media } as const;

function findImage(client: ContentClient) {
  const found = [...client.site.state().entries.values()].find((entry) => entry.media?.image !== undefined);
  if (found?.media === undefined) throw new Error('no picture');
  return { ...found, media: found.media };
}

const IMAGE_URL = `http://example.com/wp-content/uploads/${findImage(createContentClient()).media.file}`;

const revision = (collection: 'posts' | 'pages') => async (client: ContentClient) => {
  const { id: parent } = PATHS[collection](client);
  await client.call({
    ...EDITOR,
    method: 'POST',
    route: `/core/v2/${collection}/${parent}`,
    json: { title: 'Changed' },
  });
  const list = await client.call({ ...EDITOR, route: `/core/v2/${collection}/${parent}/revisions` });
  return { parent, id: list.body[0].id };
};

const autosave = (collection: 'posts' | 'pages') => async (client: ContentClient) => {
  const { id: parent } = PATHS[collection](client);
  const json = { content: 'Kept aside' };
  const kept = await client.call({
    ...EDITOR,
    method: 'POST',
    route: `/core/v2/${collection}/${parent}/autosaves`,
    json,
  });
  return { parent, id: kept.body.id };
};

const session = async (client: ContentClient) => {
  await client.call({ ...EDITOR, method: 'POST', route: '/ext-a/v1/chat/consent', json: { granted: true } });
  const begun = await client.call({ ...EDITOR, method: 'POST', route: '/ext-a/v1/chat/sessions' });
  return { id: begun.body.id };
};

function content(collection: 'posts' | 'pages'): readonly Operation[] {
  const path = PATHS[collection];
  const update = (method: string): Operation => ({
    method,
    route: `/core/v2/${collection}/{id}`,
    path,
    cases: [
      [{ ...EDITOR, json: { title: 'Another title' } }, 200],
      [{ ...EDITOR, json: { status: 'gone' } }, 400, 'rest_invalid_param'],
      [{ ...EDITOR, json: { author: 999 } }, 400, 'rest_invalid_author'],
      [{ json: { title: 'Mine' } }, 401, 'rest_cannot_edit'],
      [{ as: 'subscriber', json: { title: 'Mine' } }, 403, 'rest_cannot_edit'],
    ],
  });
  return [
    {
      method: 'GET',
      route: `/core/v2/${collection}`,
      cases: [
        [{ query: 'per_page=3&orderby=title&order=asc' }, 200],
        [{ query: 'per_page=101' }, 400, 'rest_invalid_param'],
        [{ query: 'page=999' }, 400, 'rest_post_invalid_page_number'],
        [{ query: 'context=edit' }, 401, 'rest_forbidden_context'],
        [{ as: 'subscriber', query: 'status=draft' }, 400, 'rest_invalid_param'],
        [{ query: 'orderby=relevance' }, 400, 'rest_no_search_term_defined'],
        [{ query: 'orderby=include' }, 400, 'rest_orderby_include_missing_include'],
      ],
    },
    {
      method: 'POST',
      route: `/core/v2/${collection}`,
      cases: [
        [{ ...EDITOR, json: { title: 'New', status: 'draft' } }, 201],
        [{ json: { title: 'New' } }, 401, 'rest_cannot_create'],
        [{ as: 'subscriber', json: { title: 'New' } }, 403, 'rest_cannot_create'],
        [{ ...EDITOR, json: {} }, 400, 'empty_content'],
        [{ ...EDITOR, json: { id: 5, title: 'New' } }, 400, 'rest_post_exists'],
        [{ ...EDITOR, json: { title: 'New', date: 'tomorrow' } }, 400, 'rest_invalid_param'],
        [
          { ...EDITOR, headers: { 'content-type': 'application/json' }, raw: new TextEncoder().encode('{') },
          400,
          'rest_invalid_json',
        ],
      ],
    },
    {
      method: 'GET',
      route: `/core/v2/${collection}/{id}`,
      path,
      cases: [
        [{}, 200],
        [{ ...EDITOR, query: 'context=edit' }, 200],
        [{ query: 'context=edit' }, 401, 'rest_forbidden_context'],
        [{ query: 'password=wrong' }, 403, 'rest_post_incorrect_password'],
      ],
    },
    {
      method: 'GET',
      route: `/core/v2/${collection}/{id}`,
      path: () => ({ id: 999_999 }),
      cases: [[{}, 404, 'rest_post_invalid_id']],
    },
    update('POST'),
    update('PUT'),
    update('PATCH'),
    {
      method: 'DELETE',
      route: `/core/v2/${collection}/{id}`,
      path,
      cases: [
        [EDITOR, 200],
        [EDITOR, 410, 'rest_already_trashed'],
        [{}, 401, 'rest_cannot_delete'],
        [{ ...EDITOR, query: 'force=true' }, 200],
        [EDITOR, 404, 'rest_post_invalid_id'],
      ],
    },
    {
      method: 'GET',
      route: `/core/v2/${collection}/{parent}/revisions`,
      path: revision(collection),
      cases: [
        [EDITOR, 200],
        [{ ...EDITOR, query: 'page=50&per_page=1' }, 400, 'rest_revision_invalid_page_number'],
        [{ ...EDITOR, query: 'offset=50' }, 400, 'rest_revision_invalid_offset_number'],
        [{}, 401, 'rest_cannot_read'],
      ],
    },
    {
      method: 'GET',
      route: `/core/v2/${collection}/{parent}/revisions/{id}`,
      path: revision(collection),
      cases: [
        [EDITOR, 200],
        [{ as: 'subscriber' }, 403, 'rest_cannot_read'],
        [{ ...EDITOR, query: 'context=all' }, 400, 'rest_invalid_param'],
      ],
    },
    {
      method: 'DELETE',
      route: `/core/v2/${collection}/{parent}/revisions/{id}`,
      path: revision(collection),
      cases: [
        [EDITOR, 501, 'rest_trash_not_supported'],
        [{ query: 'force=true' }, 401, 'rest_cannot_delete'],
        [{ ...EDITOR, query: 'force=true' }, 200],
        [{ ...EDITOR, query: 'force=true' }, 404, 'rest_post_invalid_id'],
      ],
    },
    {
      method: 'GET',
      route: `/core/v2/${collection}/{id}/autosaves`,
      path,
      cases: [
        [EDITOR, 200],
        [{}, 401, 'rest_cannot_read'],
      ],
    },
    {
      method: 'POST',
      route: `/core/v2/${collection}/{id}/autosaves`,
      path,
      cases: [
        [{ ...EDITOR, json: { content: 'Kept aside' } }, 200],
        [{ json: { content: 'Kept aside' } }, 401, 'rest_cannot_edit'],
        [{ ...EDITOR, json: { status: 'gone' } }, 400, 'rest_invalid_param'],
      ],
    },
    {
      method: 'GET',
      route: `/core/v2/${collection}/{parent}/autosaves/{id}`,
      path: autosave(collection),
      cases: [
        [EDITOR, 200],
        [{}, 401, 'rest_cannot_read'],
      ],
    },
  ];
}

const MEDIA_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    route: '/core/v2/media',
    cases: [
      [{ query: 'media_type=image&per_page=2' }, 200],
      [{ query: 'media_type=sculpture' }, 400, 'rest_invalid_param'],
      [{ query: 'context=edit' }, 401, 'rest_forbidden_context'],
    ],
  },
  {
    method: 'POST',
    route: '/core/v2/media',
    cases: [
      [{ ...EDITOR, ...RAW }, 201],
      [RAW, 401, 'rest_cannot_create'],
      [EDITOR, 400, 'rest_upload_no_data'],
      [
        { ...EDITOR, raw: PNG, headers: { 'content-type': 'image/png' } },
        400,
        'rest_upload_no_content_disposition',
      ],
      [
        { ...EDITOR, ...RAW, headers: { ...RAW.headers, 'content-disposition': 'inline' } },
        400,
        'rest_upload_invalid_disposition',
      ],
      [
        { ...EDITOR, ...RAW, headers: { ...RAW.headers, 'content-md5': 'no' } },
        412,
        'rest_upload_hash_mismatch',
      ],
      [
        {
          ...EDITOR,
          ...RAW,
          headers: { ...RAW.headers, 'content-disposition': 'attachment; filename=a.php' },
        },
        500,
        'rest_upload_sideload_error',
      ],
    ],
  },
  {
    method: 'GET',
    route: '/core/v2/media/{id}',
    path: media,
    cases: [
      [{}, 200],
      [{ as: 'subscriber', query: 'context=edit' }, 403, 'rest_forbidden_context'],
    ],
  },
  ...['POST', 'PUT', 'PATCH'].map(
    (method): Operation => ({
      method,
      route: '/core/v2/media/{id}',
      path: media,
      cases: [
        [{ ...EDITOR, json: { alt_text: 'The sea', caption: 'Seen from the pier' } }, 200],
        [{ json: { alt_text: 'The sea' } }, 401, 'rest_cannot_edit'],
      ],
    }),
  ),
  {
    method: 'DELETE',
    route: '/core/v2/media/{id}',
    path: media,
    cases: [
      [EDITOR, 501, 'rest_trash_not_supported'],
      [{ query: 'force=true' }, 401, 'rest_cannot_delete'],
      [{ ...EDITOR, query: 'force=true' }, 200],
    ],
  },
  {
    method: 'POST',
    route: '/core/v2/media/{id}/post-process',
    path: media,
    cases: [
      [{ ...EDITOR, json: { action: 'create-image-subsizes' } }, 200],
      [EDITOR, 400, 'rest_missing_callback_param'],
      [{ ...EDITOR, json: { action: 'melt' } }, 400, 'rest_invalid_param'],
      [{ json: { action: 'create-image-subsizes' } }, 401, 'rest_cannot_edit'],
    ],
  },
  {
    method: 'POST',
    route: '/core/v2/media/{id}/edit',
    path: media,
    cases: [
      [{ ...EDITOR, json: { src: IMAGE_URL, modifiers: [{ type: 'rotate', args: { angle: 90 } }] } }, 201],
      [EDITOR, 400, 'rest_missing_callback_param'],
      [
        {
          ...EDITOR,
          json: { src: 'http://example.com/else.png', modifiers: [{ type: 'rotate', args: { angle: 90 } }] },
        },
        404,
        'rest_unknown_attachment',
      ],
      [
        { ...EDITOR, json: { src: 'http://example.com/else.png', modifiers: [{ type: 'melt', args: {} }] } },
        400,
        'rest_invalid_param',
      ],
      [{ json: { src: 'http://example.com/else.png' } }, 401, 'rest_cannot_edit_image'],
    ],
  },
];

const editorChatOperation = (method: string, route: string, json?: unknown): Operation => ({
  method,
  route,
  cases: [
    [
      { ...EDITOR, ...(json === undefined ? {} : { json }) },
      method === 'POST' && route.endsWith('sessions') ? 201 : 200,
    ],
    [{ as: 'subscriber' }, 403, 'rest_forbidden'],
    [{}, 401, 'rest_forbidden'],
  ],
});

const sessionChangeOperation = (method: string): Operation => ({
  method,
  route: '/ext-a/v1/chat/sessions/{id}',
  path: session,
  cases: [
    [{ ...EDITOR, json: { title: 'About boats', archived: true } }, 200],
    [{ ...EDITOR, json: { title: '' } }, 400, 'ext_a_invalid_parameter'],
    [{ ...ADMIN, json: { title: 'Not mine' } }, 404, 'ext_a_session_not_found'],
  ],
});

const EXTENSION_OPERATIONS: readonly Operation[] = [
  ...['POST', 'PUT'].map(
    (method): Operation => ({
      method,
      route: '/ext-a/v1/upload',
      cases: [
        [{ ...EDITOR, ...RAW }, 201],
        [EDITOR, 400, 'rest_upload_no_data'],
        [RAW, 401, 'rest_forbidden'],
      ],
    }),
  ),
  {
    method: 'POST',
    route: '/ext-a/v1/admin-access',
    cases: [
      [ADMIN, 201],
      [EDITOR, 403, 'rest_forbidden'],
    ],
  },
  {
    method: 'GET',
    route: '/ext-a/v1/admin-access/{nonce}',
    path: async (client) => {
      const created = await client.call({ ...ADMIN, method: 'POST', route: '/ext-a/v1/admin-access' });
      return { nonce: created.body.nonce };
    },
    cases: [
      [{}, 200],
      [{}, 410, 'ext_a_access_used'],
    ],
  },
  {
    method: 'GET',
    route: '/ext-a/v1/admin-access/{nonce}',
    path: () => ({ nonce: 'made-up' }),
    cases: [[{}, 404, 'ext_a_access_unknown']],
  },
  {
    method: 'POST',
    route: '/ext-a/v1/abilities/{namespace}/{ability}/run',
    path: () => ({ namespace: 'content', ability: 'search-posts' }),
    cases: [
      [{ as: 'subscriber', json: { input: { query: 'pier' } } }, 200],
      [{ as: 'subscriber', json: { input: {} } }, 400, 'rest_invalid_param'],
      [{ json: { input: { query: 'pier' } } }, 401, 'ext_a_ability_forbidden'],
    ],
  },
  {
    method: 'POST',
    route: '/ext-a/v1/visual-safe-backend-tools/discover',
    cases: [
      [{ ...EDITOR, json: { query: 'count' } }, 200],
      [{}, 401, 'rest_forbidden'],
    ],
  },
  {
    method: 'POST',
    route: '/ext-a/v1/visual-safe-backend-tools/call',
    cases: [
      [{ ...EDITOR, json: { name: 'site/describe' } }, 200],
      [EDITOR, 400, 'ext_a_missing_parameter'],
      [{ ...EDITOR, json: { name: 'site/erase' } }, 404, 'ext_a_tool_not_found'],
      [
        { ...EDITOR, json: { name: 'content/create-draft', arguments: { title: 'x' } } },
        403,
        'ext_a_tool_not_safe',
      ],
    ],
  },
  editorChatOperation('GET', '/ext-a/v1/chat/status'),
  editorChatOperation('GET', '/ext-a/v1/chat/sessions'),
  editorChatOperation('POST', '/ext-a/v1/chat/sessions', { title: 'Plans' }),
  {
    method: 'GET',
    route: '/ext-a/v1/chat/sessions/{id}',
    path: session,
    cases: [
      [EDITOR, 200],
      [ADMIN, 404, 'ext_a_session_not_found'],
    ],
  },
  ...['POST', 'PUT', 'PATCH'].map(sessionChangeOperation),
  {
    method: 'DELETE',
    route: '/ext-a/v1/chat/sessions/{id}',
    path: session,
    cases: [
      [EDITOR, 200],
      [EDITOR, 404, 'ext_a_session_not_found'],
    ],
  },
  {
    method: 'POST',
    route: '/ext-a/v1/chat/model-step',
    cases: [
      [EDITOR, 400, 'ext_a_missing_parameter'],
      [{ ...EDITOR, json: { session: 'made-up', message: 'Hello' } }, 404, 'ext_a_session_not_found'],
      [{ json: { session: 'made-up' } }, 401, 'rest_forbidden'],
    ],
  },
  editorChatOperation('GET', '/ext-a/v1/chat/tools'),
  editorChatOperation('GET', '/ext-a/v1/chat/models'),
  editorChatOperation('POST', '/ext-a/v1/chat/consent', { granted: true }),
  {
    method: 'POST',
    route: '/ext-a/v1/chat/tools/execute',
    cases: [
      [EDITOR, 400, 'ext_a_missing_parameter'],
      [{ ...EDITOR, json: { session: 'made-up', call: 'made-up' } }, 404, 'ext_a_session_not_found'],
    ],
  },
  {
    method: 'POST',
    route: '/ext-a/v1/chat/approvals',
    cases: [
      [EDITOR, 400, 'ext_a_missing_parameter'],
      [
        { ...EDITOR, json: { session: 'made-up', call: 'made-up', decision: 'approve' } },
        404,
        'ext_a_session_not_found',
      ],
    ],
  },
  {
    method: 'POST',
    route: '/v1/fm/cancel',
    cases: [
      [EDITOR, 200],
      [{}, 401, 'rest_forbidden'],
    ],
  },
  {
    method: 'GET',
    route: '/ai/v1/providers',
    cases: [
      [{ ...EDITOR, query: 'capability=vision' }, 200],
      [EDITOR, 400, 'rest_missing_callback_param'],
      [{ ...EDITOR, query: 'capability=taste' }, 400, 'rest_invalid_param'],
      [{ query: 'capability=vision' }, 401, 'rest_forbidden'],
    ],
  },
];

export const OPERATIONS: readonly Operation[] = [
  ...EXTENSION_OPERATIONS,
  ...content('posts'),
  ...content('pages'),
  ...MEDIA_OPERATIONS,
];

/** Makes each call of an operation and checks its response. */
export async function checkOperation(
  client: ContentClient,
  { method, route, path, cases }: Operation,
): Promise<void> {
  const values = (await path?.(client)) ?? {};
  const filled = route.replace(/\{(\w+)\}/g, (_group, name: string) => String(values[name]));
  for (const [{ query, ...call }, status, code] of cases) {
    const response = await client.call({
      ...call,
      method,
      route: query === undefined ? filled : `${filled}?${query}`,
    });
    expect(
      { status: response.status, code: response.body?.code },
      JSON.stringify(call.json ?? query ?? call.as),
    ).toEqual({
      status,
      code,
    });
  }
}
