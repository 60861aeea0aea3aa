import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGateway } from '../../src/gateway/index.ts';
import { type RunningServer, serve } from '../../src/node/index.ts';
import { basic, useWordPress } from '../support/wordpress.ts';

const site = useWordPress();
let server: RunningServer;

beforeAll(async () => {
  const gateway = createGateway({
    sites: [{ url: site().url, unknownRoutes: 'refuse', validation: { mode: 'enforce' } }],
  });
  await gateway.rediscover();
  server = await serve(gateway, { port: 0, shutdownGrace: 500 });
}, 60_000);
afterAll(() => server.stop());

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

/** Nobody asks, unless `as` says who. Nothing of this writes. */
const ORDER: readonly (readonly [sentence: string, request: Request, said: ErrorSummary])[] = [
  [
    'who may not, may not',
    { method: 'DELETE', path: '/wp/v2/users/1?force=true&reassign=2' },
    { status: 401, code: 'rest_user_cannot_delete' },
  ],
  [
    'an invalid parameter is told before',
    { method: 'DELETE', path: '/wp/v2/users/1?force=maybe&reassign=2' },
    { status: 400, code: INVALID, params: ['force'] },
  ],
  [
    'also to one who is known',
    { method: 'DELETE', path: '/wp/v2/users/1?force=maybe&reassign=2', as: 'subscriber' },
    { status: 400, code: INVALID, params: ['force'] },
  ],
  [
    'what is missing is told before',
    { method: 'POST', path: '/wp/v2/users', json: '{}' },
    { status: 400, code: MISSING, params: ['email', 'password', 'username'] },
  ],
  [
    'a null is missing',
    {
      method: 'POST',
      path: '/wp/v2/users',
      json: '{"username":null,"email":"a@example.com","password":"x"}',
    },
    { status: 400, code: MISSING, params: ['username'] },
  ],
  [
    'what is missing comes before what is invalid',
    { method: 'POST', path: '/wp/v2/users', json: '{"email":"none"}' },
    { status: 400, code: MISSING, params: ['password', 'username'] },
  ],
  [
    'malformed JSON comes before what is missing',
    { method: 'POST', path: '/wp/v2/users', json: '{' },
    { status: 400, code: 'rest_invalid_json' },
  ],
  [
    'and before what is invalid',
    { method: 'POST', path: '/wp/v2/posts?status=nonsense', json: '{"a":}' },
    { status: 400, code: 'rest_invalid_json' },
  ],
  [
    'and before whether one may',
    { method: 'POST', path: '/wp/v2/settings', json: '[' },
    { status: 400, code: 'rest_invalid_json' },
  ],
  [
    'no route comes before malformed JSON',
    { method: 'POST', path: '/wp/v2/nothing', json: '{' },
    { status: 404, code: 'rest_no_route' },
  ],
  [
    'no method comes before malformed JSON',
    { method: 'PUT', path: '/wp/v2/posts', json: '{' },
    { status: 404, code: 'rest_no_route' },
  ],
  [
    'no method comes before an invalid parameter',
    { method: 'DELETE', path: '/wp/v2/posts?per_page=0' },
    { status: 404, code: 'rest_no_route' },
  ],
  [
    'an invalid parameter comes before the post that is not there',
    { path: '/wp/v2/posts/999999?context=nonsense' },
    { status: 400, code: INVALID, params: ['context'] },
  ],
  [
    'which is not there otherwise',
    { path: '/wp/v2/posts/999999' },
    { status: 404, code: 'rest_post_invalid_id' },
  ],
  [
    'an invalid parameter comes before a context that is not for everybody',
    { path: '/wp/v2/posts?context=edit&per_page=0' },
    { status: 400, code: INVALID, params: ['per_page'] },
  ],
  [
    'which is not otherwise',
    { path: '/wp/v2/posts?context=edit' },
    { status: 401, code: 'rest_forbidden_context' },
  ],
  [
    'all that is wrong in one pass is told at once',
    { path: '/wp/v2/posts?per_page=0&page=x' },
    { status: 400, code: INVALID, params: ['page', 'per_page'] },
  ],
  [
    'what has a validator comes before what has none',
    { path: '/wp/v2/posts?per_page=0&order=up' },
    { status: 400, code: INVALID, params: ['per_page'] },
  ],
  [
    'which is told otherwise',
    { path: '/wp/v2/posts?order=up&orderby=x' },
    { status: 400, code: INVALID, params: ['order', 'orderby'] },
  ],
  [
    'the request is validated by the method that runs',
    { method: 'POST', path: '/wp/v2/posts/1?_method=DELETE&force=maybe' },
    { status: 400, code: INVALID, params: ['force'] },
  ],
  [
    'by a header as well',
    { method: 'POST', path: '/wp/v2/posts/1?force=maybe', headers: { 'X-HTTP-Method-Override': 'DELETE' } },
    { status: 400, code: INVALID, params: ['force'] },
  ],
  [
    'the body comes before the query',
    { method: 'POST', path: '/wp/v2/posts?comment_status=nonsense', json: '{"comment_status":"open"}' },
    { status: 401, code: 'rest_cannot_create' },
  ],
  [
    'and hides it where it is wrong itself',
    { method: 'POST', path: '/wp/v2/posts?comment_status=open', json: '{"comment_status":"nonsense"}' },
    { status: 400, code: INVALID, params: ['comment_status'] },
  ],
  [
    'a description needs no parameters',
    { method: 'OPTIONS', path: '/wp/v2/posts?per_page=0' },
    { status: 200 },
  ],
  ['nor a route', { method: 'OPTIONS', path: '/wp/v2/nothing' }, { status: 200 }],
  ['only the status is told of a head', { method: 'HEAD', path: '/wp/v2/posts?per_page=0' }, { status: 400 }],
  [
    'an envelope is a success',
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
      ...(as === undefined ? {} : { Authorization: basic(site().users[as]) }),
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

test.each(ORDER.map(([sentence, request, said]) => ({ sentence, request, said })))(
  '$sentence',
  async ({ request, said }) => {
    expect(await sendRequest(site().url, request)).toEqual(said);
    expect(await sendRequest(`${server.url}/`, request)).toEqual(said);
  },
);
