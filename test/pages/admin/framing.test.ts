import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../src/base/ports.ts';
import { startOnce } from '../../support/close-after-test.ts';
import { startGateway, type TestGateway } from '../../support/gateway.ts';
import { signMessage } from '../../support/signed-message.ts';
import { FORM, STORED_SITE } from '../console/support/console-client.ts';

const TOKEN = 'a-token-of-the-tests';
const MEGABYTE = 1024 * 1024;

const get = (path: string) => ['GET', `/-/${path}`] as const;
const post = (path: string) => ['POST', `/-/${path}`] as const;

/** Each operation below `/-/` and each form of the console. */
const OPERATIONS: readonly (readonly [method: string, path: string])[] = [
  ...['', 'health', 'metrics', 'sites/one', 'why?of=/one/wp/v2/posts', 'console/sign-in'].map(get),
  ...['purge', 'rediscover', 'reload', 'webhook/one', 'nosuch'].map(post),
  ...['console/sign-in', 'console/sign-out', 'console/purge'].map(post),
];

/** A discovery that fails is one of `/-/rediscover`. */
const OWN_FAILURES = new Set([502]);

const isProtected = (path: string): boolean => !/^\/-\/(?:$|health|ready|console)/.test(path);

const BEARER = { authorization: `Bearer ${TOKEN}` };

interface Shape {
  /** @default that of the operation */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Chunks of the content. @default no content and no field that says so */
  readonly content?: readonly string[];
  /** Whether a content is sent with `Content-Length`. @default in chunks */
  readonly hasLength?: boolean;
}

const JSON_TYPE = { 'content-type': 'application/json' };

const json = (...content: readonly string[]): Shape => ({ headers: JSON_TYPE, content });

const SHAPES: Readonly<Record<string, Shape>> = {
  // tlaverdure/laravel-echo-server#144: a blank body stopped the server.
  'without content and without a length': {},
  // grammyjs/grammY#613: a webhook on Hono failed with an empty body.
  'in chunks, of which there are none': { content: [] },
  // activepieces/activepieces#10082: senders state JSON and send nothing.
  'nothing, as JSON': { ...json(''), hasLength: true },
  'white space as JSON in chunks': json(' \n'),
  'JSON with a length': { ...json('{"all":true}'), hasLength: true },
  'JSON in two chunks': json('{"al', 'l":true}'),
  // Kong/kong#94: an admin API that expects JSON gets a form.
  'a form in chunks': { headers: FORM, content: ['token=', 'x'] },
  'JSON as text': { headers: { 'content-type': 'text/plain' }, content: ['{"all":true}'] },
  // Kong/kong#1826: invalid JSON was a 500.
  'JSON that is cut off': json('{"all":'),
  'JSON that nests deep': json('['.repeat(50_000)),
  'bytes that are no UTF-8': json('\u00ff\u00fe'),
  // caddyserver/caddy#4569: the admin API wrote 500 for invalid requests.
  'members of other types': json('{"url":1,"route":[],"tags":{},"site":null,"action":{},"sequence":{}}'),
  'a coding of content': { headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, content: ['{"all":true}'] },
  // Kong/kong#306: a limit of size failed where no length was stated.
  'more than a megabyte in chunks': json(...Array(17).fill('x'.repeat(65_536))),
  'more than a megabyte with a length': { ...json('x'.repeat(MEGABYTE + 1)), hasLength: true },
  'an Expect field': { headers: { ...JSON_TYPE, expect: '100-continue' }, content: ['{}'], hasLength: true },
  'with HEAD': { method: 'HEAD' },
  'with GET and content in chunks': { method: 'GET', content: ['{}'] },
  'with DELETE and content in chunks': { method: 'DELETE', ...json('{"purge_everything":true}') },
  'with OPTIONS': { method: 'OPTIONS' },
};

const MESSAGE: Shape = json('{"instance":"a","sequence":1,', '"tags":[]}');

const CREDENTIALS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'without a token': {},
  'with the token': BEARER,
};

describe('operations on a gateway', () => {
  const errors: object[] = [];
  const open = startOnce(() => start(errors));
  const send = async (sent: SentRequest) => sendOverHttp((await open()).origin, sent);

  describe.each(Object.keys(CREDENTIALS))('%s', (credential) => {
    test.each(Object.entries(SHAPES))('have no 500 and no stack trace: %s', async (_shape, shape) => {
      errors.length = 0;
      for (const [method, path] of OPERATIONS) {
        // A content is for operations that take one; others are sent one by shapes with a method.
        if (shape.method === undefined && shape.content !== undefined && method === 'GET') continue;
        const headers = { ...shape.headers, ...CREDENTIALS[credential] };
        const sent = { method, path, ...shape, headers };
        const [status, body] = await send(sent);
        const what = `${sent.method} ${path}: ${status} ${body.slice(0, 200)}`;
        expect(status < 500 || OWN_FAILURES.has(status), what).toBe(true);
        expect(body, what).not.toMatch(/gateway_failed|\n\s+at .*[:(]\d/);
        if (credential !== 'with the token' && isProtected(path)) expect(status, what).not.toBe(200);
      }
      expect(errors).toEqual([]);
    });
  });

  test.each<[string, string, Shape, Readonly<Record<string, string>>]>([
    ['a purge in chunks', '/-/purge', SHAPES['JSON in two chunks'] ?? {}, BEARER],
    ['a purge as text', '/-/purge', SHAPES['JSON as text'] ?? {}, BEARER],
    ['a discovery without content', '/-/rediscover', {}, BEARER],
    [
      'a message in chunks',
      '/-/webhook/one',
      MESSAGE,
      signMessage('the-secret', MESSAGE.content?.join('') ?? ''),
    ],
  ])('do what they should: %s', async (_what, path, shape, headers) => {
    const sent = { method: 'POST', path, ...shape, headers: { ...shape.headers, ...headers } };
    expect((await send(sent))[0]).toBe(200);
  });

  test.each([
    ['POST', '/-/webhook/nosuch', {}, 404],
    ['POST', '/-/webhook/__proto__', {}, 404],
    ['POST', '/-/webhook/nosuch', { authorization: 'Bearer wrong' }, 404],
    ['GET', '/-/sites/nosuch', {}, 401],
    ['GET', '/-/nosuch', {}, 404],
  ])('do not name the sites to everyone: %s %s', async (method, path, headers, status) => {
    const response = await (await open()).request(path, { method, headers: { ...headers } });
    expect(response.status).toBe(status);
    expect(await response.text()).not.toMatch(/\bone\b/);
  });
});

interface SentRequest extends Shape {
  readonly method: string;
  readonly path: string;
}

/** Sends each character as a byte. @returns the status, and the response as it came */
async function sendOverHttp(origin: string, { content, hasLength, headers, method, path }: SentRequest) {
  const chunks = [...(content ?? []).filter(Boolean), ''].map(
    (text) => `${text.length.toString(16)}\r\n${text}\r\n`,
  );
  const [framing, body] =
    content === undefined
      ? ['', '']
      : hasLength === true
        ? [`Content-Length: ${content.join('').length}\r\n`, content.join('')]
        : ['Transfer-Encoding: chunked\r\n', chunks.join('')];
  const fields = Object.entries({ host: 'a', connection: 'close', ...headers });
  const lines = fields.map((field) => `${field.join(': ')}\r\n`).join('');
  const socket = connect(Number(new URL(origin).port), '127.0.0.1').setEncoding('utf8');
  let received = '';
  // A server may close the connection of a client that goes on with content that nobody reads (RFC 9112 §9.6).
  socket.on('data', (text) => (received += text)).on('error', () => {});
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines}${framing}\r\n${body}`, 'latin1');
  await new Promise((resolve) => socket.on('close', resolve));
  return [Number(/HTTP\/1\.1 ([2-5]\d\d)/.exec(received)?.[1]), received] as const;
}

/** Starts a gateway that notes its errors. */
function start(errors: object[]): Promise<TestGateway> {
  return startGateway({
    ...STORED_SITE,
    name: 'one',
    url: 'http://127.0.0.1:9',
    cache: { webhook: 'the-secret' },
    gateway: {
      admin: { token: TOKEN, reload: async () => ({ problems: ['refused'] }) },
      log: { ...silentLog, error: (fields) => void errors.push(fields) },
    },
  });
}

test('a client that leaves within its content is no failure of the gateway', async () => {
  const errors: object[] = [];
  const { origin, request } = await start(errors);
  const head = `POST /-/purge HTTP/1.1\r\nHost: a\r\nAuthorization: ${BEARER.authorization}\r\n`;
  for (const framing of ['Content-Length: 100\r\n\r\n{', 'Transfer-Encoding: chunked\r\n\r\n5\r\n{']) {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    socket.end(head + framing);
    socket.resume();
    await new Promise((resolve) => socket.on('close', resolve));
  }
  expect((await request('/-/health')).status).toBe(200);
  expect(errors).toEqual([]);
});
