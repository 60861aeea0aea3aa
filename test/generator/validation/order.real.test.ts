import { expect, test } from 'vitest';
import { startOnce } from '../../support/close-after-test.ts';
import { startGateway } from '../../support/gateway.ts';
import { basicAuth, useWordPress } from '../../support/wordpress.ts';

const site = useWordPress();
const startBefore = startOnce((url: string) =>
  startGateway({ gateway: { sites: [{ url, validation: { mode: 'strict' } }], cache: 'off' } }),
);

interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly as?: 'subscriber' | 'editor';
}

const DELETING = { 'X-HTTP-Method-Override': 'DELETE' };
const CODES: Readonly<Record<string, string>> = {
  invalid: 'rest_invalid_param',
  missing: 'rest_missing_callback_param',
};

/**
 * Requests without credentials, unless `as` names a user: method, path below `/wp/v2` and JSON body. None of them writes. The
 * response is written as its status, its code ({@link CODES}, or without `rest_`) and the parameters that it names.
 */
const ORDER: [name: string, request: string, expected: string, options?: RequestOptions][] = [
  ['nothing before a missing permission', 'DELETE /users/1?force=true&reassign=2', '401 user_cannot_delete'],
  ['a wrong parameter before a permission', 'DELETE /users/1?force=maybe&reassign=2', '400 invalid force'],
  ['also of a user', 'DELETE /users/1?force=maybe&reassign=2', '400 invalid force', { as: 'subscriber' }],
  ['a missing parameter before a permission', 'POST /users {}', '400 missing email password username'],
  [
    'null as missing',
    'POST /users {"username":null,"email":"a@b.example","password":"x"}',
    '400 missing username',
  ],
  ['a missing parameter before a wrong one', 'POST /users {"email":"none"}', '400 missing password username'],
  ['malformed JSON before a missing parameter', 'POST /users {', '400 invalid_json'],
  ['malformed JSON before an invalid parameter', 'POST /posts?status=nonsense {"a":}', '400 invalid_json'],
  ['malformed JSON before a missing permission', 'POST /settings [', '400 invalid_json'],
  ['an unknown route before malformed JSON', 'POST /nothing {', '404 no_route'],
  ['an unsupported method before malformed JSON', 'PUT /posts {', '404 no_route'],
  ['an unsupported method before an invalid parameter', 'DELETE /posts?per_page=0', '404 no_route'],
  ['an invalid parameter before a missing post', 'GET /posts/999999?context=nonsense', '400 invalid context'],
  ['a missing post', 'GET /posts/999999', '404 post_invalid_id'],
  [
    'a wrong parameter before a forbidden context',
    'GET /posts?context=edit&per_page=0',
    '400 invalid per_page',
  ],
  ['a forbidden context', 'GET /posts?context=edit', '401 forbidden_context'],
  ['all wrong parameters of one pass together', 'GET /posts?per_page=0&page=x', '400 invalid page per_page'],
  ['those with a validator before the others', 'GET /posts?per_page=0&order=up', '400 invalid per_page'],
  ['the others if those with one are valid', 'GET /posts?order=up&orderby=x', '400 invalid order orderby'],
  ['what the endpoint of _method finds', 'POST /posts/1?_method=DELETE&force=maybe', '400 invalid force'],
  [
    'what the endpoint of the override finds',
    'POST /posts/1?force=maybe',
    '400 invalid force',
    { headers: DELETING },
  ],
  [
    'nothing of a query that the body overrides',
    'POST /posts?comment_status=nonsense {"comment_status":"open"}',
    '401 cannot_create',
  ],
  [
    'the body that overrides the query',
    'POST /posts?comment_status=open {"comment_status":"nonsense"}',
    '400 invalid comment_status',
  ],
  ['nothing of OPTIONS', 'OPTIONS /posts?per_page=0', '200'],
  ['nothing of OPTIONS for an unknown route', 'OPTIONS /nothing', '200'],
  ['only a status to HEAD', 'HEAD /posts?per_page=0', '400'],
  [
    'an error in an envelope with the status 200, and what the client can run',
    'GET /posts?per_page=0&_envelope',
    '200 invalid per_page {"Allow":"GET"}',
  ],
  [
    'an error in an envelope to an editor',
    'GET /posts?per_page=0&_envelope',
    '200 invalid per_page {"Allow":"GET, POST"}',
    { as: 'editor' },
  ],
];

async function sendRequest(origin: string, request: string, options: RequestOptions = {}): Promise<string> {
  const { as, headers } = options;
  const [, method = '', path = '', json] = /^(\S+) (\S+)(?: (.*))?$/.exec(request) ?? [];
  const response = await fetch(`${origin}wp-json/wp/v2${path}`, {
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
  const isEnvelope = typeof value.status === 'number' && value.headers !== undefined;
  const { code, data } = isEnvelope ? value.body : value;
  const params = data?.params ?? [];
  const names = Array.isArray(params) ? params : Object.keys(params);
  const shown = [...names.sort(), ...(isEnvelope ? [JSON.stringify(value.headers)] : [])];
  return [response.status, ...(typeof code === 'string' ? [code] : []), ...shown].join(' ');
}

test.each(ORDER)('reports %s', async (_, request, stated, options) => {
  const expected = stated.replace(/ (\w+)/, (_match, word) => ` ${CODES[word] ?? `rest_${word}`}`);
  expect(await sendRequest(site().url, request, options)).toBe(expected);
  const { origin } = await startBefore(site().url);
  expect(await sendRequest(`${origin}/`, request, options)).toBe(expected);
});
