import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningGateway, startNodeGateway } from '../support/gateway.ts';
import { basicAuth, useWordPress } from '../support/wordpress.ts';

const site = useWordPress();
let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await startNodeGateway({
    sites: [{ url: site().url, unknownRoutes: 'refuse', validation: { mode: 'strict' } }],
  });
}, 60_000);
afterAll(() => gateway.stop());

interface RequestOptions {
  readonly json?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly as?: 'subscriber' | 'editor';
}

const INVALID = 'rest_invalid_param';
const MISSING = 'rest_missing_callback_param';

/**
 * Requests without credentials, unless `as` names a user. None of them writes. The response is written as its status, its code
 * and the parameters that it names.
 */
const ORDER: [name: string, request: string, expected: string, options?: RequestOptions][] = [
  [
    'nothing before a missing permission',
    'DELETE /wp/v2/users/1?force=true&reassign=2',
    '401 rest_user_cannot_delete',
  ],
  [
    'an invalid parameter before a missing permission',
    'DELETE /wp/v2/users/1?force=maybe&reassign=2',
    `400 ${INVALID} force`,
  ],
  [
    'also of a logged-in user',
    'DELETE /wp/v2/users/1?force=maybe&reassign=2',
    `400 ${INVALID} force`,
    { as: 'subscriber' },
  ],
  [
    'a missing parameter before a missing permission',
    'POST /wp/v2/users',
    `400 ${MISSING} email password username`,
    { json: '{}' },
  ],
  [
    'null as missing',
    'POST /wp/v2/users',
    `400 ${MISSING} username`,
    { json: '{"username":null,"email":"a@example.com","password":"x"}' },
  ],
  [
    'a missing parameter before an invalid one',
    'POST /wp/v2/users',
    `400 ${MISSING} password username`,
    { json: '{"email":"none"}' },
  ],
  ['malformed JSON before a missing parameter', 'POST /wp/v2/users', '400 rest_invalid_json', { json: '{' }],
  [
    'malformed JSON before an invalid parameter',
    'POST /wp/v2/posts?status=nonsense',
    '400 rest_invalid_json',
    { json: '{"a":}' },
  ],
  [
    'malformed JSON before a missing permission',
    'POST /wp/v2/settings',
    '400 rest_invalid_json',
    { json: '[' },
  ],
  ['an unknown route before malformed JSON', 'POST /wp/v2/nothing', '404 rest_no_route', { json: '{' }],
  ['an unsupported method before malformed JSON', 'PUT /wp/v2/posts', '404 rest_no_route', { json: '{' }],
  [
    'an unsupported method before an invalid parameter',
    'DELETE /wp/v2/posts?per_page=0',
    '404 rest_no_route',
  ],
  [
    'an invalid parameter before a missing post',
    'GET /wp/v2/posts/999999?context=nonsense',
    `400 ${INVALID} context`,
  ],
  ['a missing post', 'GET /wp/v2/posts/999999', '404 rest_post_invalid_id'],
  [
    'an invalid parameter before a forbidden context',
    'GET /wp/v2/posts?context=edit&per_page=0',
    `400 ${INVALID} per_page`,
  ],
  ['a forbidden context', 'GET /wp/v2/posts?context=edit', '401 rest_forbidden_context'],
  [
    'all invalid parameters of one pass together',
    'GET /wp/v2/posts?per_page=0&page=x',
    `400 ${INVALID} page per_page`,
  ],
  [
    'those with a validator before the others',
    'GET /wp/v2/posts?per_page=0&order=up',
    `400 ${INVALID} per_page`,
  ],
  [
    'the others if those with one are valid',
    'GET /wp/v2/posts?order=up&orderby=x',
    `400 ${INVALID} order orderby`,
  ],
  [
    'what the endpoint of _method finds',
    'POST /wp/v2/posts/1?_method=DELETE&force=maybe',
    `400 ${INVALID} force`,
  ],
  [
    'what the endpoint of the override finds',
    'POST /wp/v2/posts/1?force=maybe',
    `400 ${INVALID} force`,
    { headers: { 'X-HTTP-Method-Override': 'DELETE' } },
  ],
  [
    'nothing of a query that the body overrides',
    'POST /wp/v2/posts?comment_status=nonsense',
    '401 rest_cannot_create',
    { json: '{"comment_status":"open"}' },
  ],
  [
    'the body that overrides the query',
    'POST /wp/v2/posts?comment_status=open',
    `400 ${INVALID} comment_status`,
    { json: '{"comment_status":"nonsense"}' },
  ],
  ['nothing of OPTIONS', 'OPTIONS /wp/v2/posts?per_page=0', '200'],
  ['nothing of OPTIONS for an unknown route', 'OPTIONS /wp/v2/nothing', '200'],
  ['only a status to HEAD', 'HEAD /wp/v2/posts?per_page=0', '400'],
  [
    'an error in an envelope with the status 200',
    'GET /wp/v2/posts?per_page=0&_envelope',
    `200 ${INVALID} per_page`,
  ],
];

async function sendRequest(origin: string, request: string, options: RequestOptions = {}): Promise<string> {
  const { as, headers, json } = options;
  const [method = '', path = ''] = request.split(' ');
  const response = await fetch(`${origin}wp-json${path}`, {
    method,
    headers: {
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(as === undefined ? {} : { Authorization: basicAuth(site().users[as]) }),
      ...headers,
    },
    ...(json === undefined ? {} : { body: json }),
  });
  const text = await response.text();
  const value = text === '' ? {} : JSON.parse(text);
  const { code, data } = typeof value.status === 'number' && value.headers !== undefined ? value.body : value;
  const params = data?.params ?? [];
  const names = Array.isArray(params) ? params : Object.keys(params);
  return [response.status, ...(typeof code === 'string' ? [code] : []), ...names.sort()].join(' ');
}

test.each(ORDER)('reports %s', async (_, request, expected, options) => {
  expect(await sendRequest(site().url, request, options)).toBe(expected);
  expect(await sendRequest(`${gateway.origin}/`, request, options)).toBe(expected);
});
