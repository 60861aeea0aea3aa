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

interface Request {
  readonly path: string;
  readonly method?: string;
  readonly json?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly as?: 'subscriber' | 'editor';
}

interface ErrorSummary {
  readonly status: number;
  readonly code?: string;
  readonly params?: readonly string[];
}

const INVALID = 'rest_invalid_param';
const MISSING = 'rest_missing_callback_param';

/** Requests without credentials, unless `as` names a user. None of them writes. */
const ORDER: readonly (readonly [name: string, request: Request, expected: ErrorSummary])[] = [
  [
    'a valid request without permission is refused',
    { method: 'DELETE', path: '/wp/v2/users/1?force=true&reassign=2' },
    { status: 401, code: 'rest_user_cannot_delete' },
  ],
  [
    'an invalid parameter is reported before a missing permission',
    { method: 'DELETE', path: '/wp/v2/users/1?force=maybe&reassign=2' },
    { status: 400, code: INVALID, params: ['force'] },
  ],
  [
    'an invalid parameter is reported before a missing permission of a logged-in user',
    { method: 'DELETE', path: '/wp/v2/users/1?force=maybe&reassign=2', as: 'subscriber' },
    { status: 400, code: INVALID, params: ['force'] },
  ],
  [
    'a missing parameter is reported before a missing permission',
    { method: 'POST', path: '/wp/v2/users', json: '{}' },
    { status: 400, code: MISSING, params: ['email', 'password', 'username'] },
  ],
  [
    'a parameter with the value null is missing',
    {
      method: 'POST',
      path: '/wp/v2/users',
      json: '{"username":null,"email":"a@example.com","password":"x"}',
    },
    { status: 400, code: MISSING, params: ['username'] },
  ],
  [
    'a missing parameter is reported before an invalid one',
    { method: 'POST', path: '/wp/v2/users', json: '{"email":"none"}' },
    { status: 400, code: MISSING, params: ['password', 'username'] },
  ],
  [
    'malformed JSON is reported before a missing parameter',
    { method: 'POST', path: '/wp/v2/users', json: '{' },
    { status: 400, code: 'rest_invalid_json' },
  ],
  [
    'malformed JSON is reported before an invalid parameter',
    { method: 'POST', path: '/wp/v2/posts?status=nonsense', json: '{"a":}' },
    { status: 400, code: 'rest_invalid_json' },
  ],
  [
    'malformed JSON is reported before a missing permission',
    { method: 'POST', path: '/wp/v2/settings', json: '[' },
    { status: 400, code: 'rest_invalid_json' },
  ],
  [
    'an unknown route is reported before malformed JSON',
    { method: 'POST', path: '/wp/v2/nothing', json: '{' },
    { status: 404, code: 'rest_no_route' },
  ],
  [
    'an unsupported method is reported before malformed JSON',
    { method: 'PUT', path: '/wp/v2/posts', json: '{' },
    { status: 404, code: 'rest_no_route' },
  ],
  [
    'an unsupported method is reported before an invalid parameter',
    { method: 'DELETE', path: '/wp/v2/posts?per_page=0' },
    { status: 404, code: 'rest_no_route' },
  ],
  [
    'an invalid parameter is reported before a missing post',
    { path: '/wp/v2/posts/999999?context=nonsense' },
    { status: 400, code: INVALID, params: ['context'] },
  ],
  [
    'a missing post is reported if all parameters are valid',
    { path: '/wp/v2/posts/999999' },
    { status: 404, code: 'rest_post_invalid_id' },
  ],
  [
    'an invalid parameter is reported before a forbidden context',
    { path: '/wp/v2/posts?context=edit&per_page=0' },
    { status: 400, code: INVALID, params: ['per_page'] },
  ],
  [
    'a forbidden context is reported if all parameters are valid',
    { path: '/wp/v2/posts?context=edit' },
    { status: 401, code: 'rest_forbidden_context' },
  ],
  [
    'all invalid parameters of one pass are reported together',
    { path: '/wp/v2/posts?per_page=0&page=x' },
    { status: 400, code: INVALID, params: ['page', 'per_page'] },
  ],
  [
    'parameters with a validator are checked before the others',
    { path: '/wp/v2/posts?per_page=0&order=up' },
    { status: 400, code: INVALID, params: ['per_page'] },
  ],
  [
    'parameters without a validator are checked if those with one are valid',
    { path: '/wp/v2/posts?order=up&orderby=x' },
    { status: 400, code: INVALID, params: ['order', 'orderby'] },
  ],
  [
    '_method selects the endpoint that validates the request',
    { method: 'POST', path: '/wp/v2/posts/1?_method=DELETE&force=maybe' },
    { status: 400, code: INVALID, params: ['force'] },
  ],
  [
    'X-HTTP-Method-Override selects the endpoint that validates the request',
    { method: 'POST', path: '/wp/v2/posts/1?force=maybe', headers: { 'X-HTTP-Method-Override': 'DELETE' } },
    { status: 400, code: INVALID, params: ['force'] },
  ],
  [
    'a body parameter overrides a query parameter',
    { method: 'POST', path: '/wp/v2/posts?comment_status=nonsense', json: '{"comment_status":"open"}' },
    { status: 401, code: 'rest_cannot_create' },
  ],
  [
    'an invalid body parameter overrides a valid query parameter',
    { method: 'POST', path: '/wp/v2/posts?comment_status=open', json: '{"comment_status":"nonsense"}' },
    { status: 400, code: INVALID, params: ['comment_status'] },
  ],
  ['OPTIONS is not validated', { method: 'OPTIONS', path: '/wp/v2/posts?per_page=0' }, { status: 200 }],
  ['OPTIONS of an unknown route succeeds', { method: 'OPTIONS', path: '/wp/v2/nothing' }, { status: 200 }],
  [
    'an error response to HEAD has only a status',
    { method: 'HEAD', path: '/wp/v2/posts?per_page=0' },
    { status: 400 },
  ],
  [
    'an error in an envelope has the status 200',
    { path: '/wp/v2/posts?per_page=0&_envelope' },
    { status: 200, code: INVALID, params: ['per_page'] },
  ],
];

async function sendRequest(
  origin: string,
  { path, method = 'GET', json, headers, as }: Request,
): Promise<ErrorSummary> {
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
  const body = typeof value.status === 'number' && value.headers !== undefined ? value.body : value;
  const params = body.data?.params;
  return {
    status: response.status,
    ...(typeof body.code === 'string' ? { code: body.code } : {}),
    ...(params === undefined
      ? {}
      : { params: (Array.isArray(params) ? params : Object.keys(params)).sort() }),
  };
}

test.each(ORDER.map(([name, request, expected]) => ({ name, request, expected })))(
  '$name',
  async ({ request, expected }) => {
    expect(await sendRequest(site().url, request)).toEqual(expected);
    expect(await sendRequest(`${gateway.origin}/`, request)).toEqual(expected);
  },
);
