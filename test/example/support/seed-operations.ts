import { DOCUMENTED_OPERATIONS } from '../boards/documented-operations.ts';

/** An operation in the notation of the sites' documentation: `GET /core/v2/posts/{id}`. */
export type SeedOperation = `${string} ${string}`;

type Rows = readonly (readonly [methods: string, route: string])[];

/** The routes of the REST server and of oEmbed, which both sites have. */
const SERVER: Rows = [
  ['GET', '/'],
  ['POST', '/batch/v1'],
  ['GET', '/oembed/1.0'],
  ['GET', '/oembed/1.0/embed'],
  ['GET', '/oembed/1.0/proxy'],
];

const EXTENSION: Rows = [
  ['GET', '/ext-a/v1'],
  ['POST PUT', '/ext-a/v1/upload'],
  ['POST', '/ext-a/v1/admin-access'],
  ['GET', '/ext-a/v1/admin-access/{nonce}'],
  ['POST', '/ext-a/v1/abilities/{namespace}/{ability}/run'],
  ['POST', '/ext-a/v1/visual-safe-backend-tools/discover'],
  ['POST', '/ext-a/v1/visual-safe-backend-tools/call'],
  ['GET', '/ext-a/v1/chat/status'],
  ['GET POST', '/ext-a/v1/chat/sessions'],
  ['GET POST PUT PATCH DELETE', '/ext-a/v1/chat/sessions/{id}'],
  ['POST', '/ext-a/v1/chat/model-step'],
  ['GET', '/ext-a/v1/chat/tools'],
  ['GET', '/ext-a/v1/chat/models'],
  ['POST', '/ext-a/v1/chat/consent'],
  ['POST', '/ext-a/v1/chat/tools/execute'],
  ['POST', '/ext-a/v1/chat/approvals'],
  ['GET', '/v1'],
  ['POST', '/v1/fm/cancel'],
  ['GET', '/ai/v1'],
  ['GET', '/ai/v1/providers'],
];

const entries = (type: 'posts' | 'pages'): Rows => [
  ['GET POST', `/core/v2/${type}`],
  ['GET POST PUT PATCH DELETE', `/core/v2/${type}/{id}`],
  ['GET', `/core/v2/${type}/{parent}/revisions`],
  ['GET DELETE', `/core/v2/${type}/{parent}/revisions/{id}`],
  ['GET POST', `/core/v2/${type}/{id}/autosaves`],
  ['GET', `/core/v2/${type}/{parent}/autosaves/{id}`],
];

const MEDIA: Rows = [
  ['GET POST', '/core/v2/media'],
  ['GET POST PUT PATCH DELETE', '/core/v2/media/{id}'],
  ['POST', '/core/v2/media/{id}/post-process'],
  ['POST', '/core/v2/media/{id}/edit'],
];

function list(rows: Rows): readonly SeedOperation[] {
  return rows.flatMap(([methods, route]) =>
    methods.split(' ').map((method): SeedOperation => `${method} ${route.replace(/\{(\w+):\w+\}/g, '{$1}')}`),
  );
}

/** The 67 operations of the content site. */
export const CONTENT_OPERATIONS: readonly SeedOperation[] = list([
  ...SERVER,
  ...EXTENSION,
  ['GET', '/core/v2'],
  ...entries('posts'),
  ...entries('pages'),
  ...MEDIA,
]);

/** The 163 operations of the board site. */
export const BOARD_OPERATIONS: readonly SeedOperation[] = list([
  ...SERVER,
  ['GET', '/boards/v2'],
  ...DOCUMENTED_OPERATIONS.map(([methods, route]) => [methods, `/boards/v2${route}`] as const),
]);
