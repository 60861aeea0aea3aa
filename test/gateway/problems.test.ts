import { expect, onTestFinished, test, vi } from 'vitest';
import type { DeclaredProblem } from '../../src/base/http/problems.ts';
import { PROBLEMS, WEBHOOK_FAULTS } from '../../src/gateway/exchange/problem.ts';
import { TARGET_REFUSALS } from '../../src/gateway/router/target.ts';
import { FAILURE_RESPONSES } from '../../src/gateway/upstream/failures.ts';
import { HEADER_REFUSAL_RESPONSES } from '../../src/gateway/upstream/request-headers.ts';
import { startOnce } from '../support/close-after-test.ts';
import {
  BEARER,
  networks,
  perMinute,
  type Responder,
  startGateway as startUnobserved,
  type TestGateway,
  type TestOptions,
} from '../support/gateway.ts';
import { createRoutesIndex } from '../support/index-routes.ts';
import { unreachableOrigin } from '../support/server.ts';
import { signMessage } from '../support/signed-message.ts';
import { expectSumsOfLog } from '../support/sums.ts';
import { waitUntil } from '../support/wait.ts';
import { sendBytes } from './node/serve-proxy.ts';

/**
 * Each row of the gateway's errors has a request that gets it, and is one line of the log and one of each sum. A row without a
 * request fails.
 */

const SECRET = 'a-secret-of-the-tests';

const respond: Responder = ({ url }, _count, response) => {
  if (url.startsWith('/broken')) return void response.destroy();
  if (url.startsWith('/silent')) return undefined;
  if (url.startsWith('/head')) return { headers: { 'x-long': 'a'.repeat(70_000) } };
  return { body: 'a' };
};

const GATEWAYS = {
  /** A whole site behind a proxy. */
  whole: {
    access: { deny: networks('198.51.100.0/24'), admin: networks('192.0.2.0/24') },
    cache: { pages: 60, webhook: SECRET, purgers: networks('192.0.2.0/24') },
    cors: { origins: ['https://app.example.com'] },
    mcp: true,
    gateway: {
      trust: networks('127.0.0.1'),
      admin: { token: BEARER.authorization.slice(7), reload: async () => ({ problems: ['a mistake'] }) },
    },
  },
  api: { passthrough: false },
  origin: { discovery: 'off' },
  hosted: { hosts: ['www.example.com'] },
  closed: { gateway: { admin: undefined } },
  full: { concurrency: { max: 1, queue: 0, wait: 0 }, limits: { client: perMinute(1000) } },
  slow: { timeouts: { connect: 300, headers: 300, body: 300 } },
} satisfies Readonly<Record<string, TestOptions>>;

const startGateway = async (...args: Parameters<typeof startUnobserved>): Promise<TestGateway> => {
  asked = await startUnobserved(...args);
  return asked;
};

/** The gateway that the last request was sent to. */
let asked: TestGateway | null = null;

const open = startOnce((name: keyof typeof GATEWAYS) => startUnobserved(GATEWAYS[name], respond));

async function askShared([name, ...request]: Extract<Example, readonly unknown[]>): Promise<string> {
  asked = await open(name);
  return ask(asked.origin, ...request);
}

/** A gateway, the begin of a request line, and lines of fields; or a function that returns the response. */
type Example =
  | readonly [gateway: keyof typeof GATEWAYS, line: string, fields?: readonly string[], body?: string]
  | (() => Promise<string>);

const AUTHORIZED = fieldLines(BEARER);
const FORM = 'Content-Type: application/x-www-form-urlencoded';
const MESSAGE = '{"tags":["post-1"]}';

type Examples<Rows> = Readonly<Record<keyof Rows, Example>>;

const PROBLEM_EXAMPLES: Examples<typeof PROBLEMS> = {
  adminClosed: ['closed', 'GET /-/sites'],
  tokenMissing: ['whole', 'GET /-/sites'],
  tokenWrong: ['whole', 'GET /-/sites', ['Authorization: Bearer wrong']],
  reloadRefused: ['whole', 'POST /-/reload', AUTHORIZED],
  async draining() {
    const { gateway, origin } = await startGateway();
    gateway.beginStop();
    return ask(origin, 'GET /-/ready');
  },
  webhookClosed: ['api', 'POST /-/webhook/default', [], MESSAGE],
  purgeRefused: ['whole', 'PURGE /a/'],
  invalidMessage: ['whole', 'POST /-/webhook/default', fieldLines(signMessage(SECRET, '[]')), '[]'],
  noSuchPath: ['api', 'GET /index.php'],
  readOnly: ['api', 'DELETE /openapi.json'],
  noSuchVersion: ['api', 'GET /openapi.json?openapi=3.0'],
  async tooManyDocuments() {
    const names = ['a/v1', 'b/v1', 'c/v1', 'd/v1'];
    const index = createRoutesIndex(Object.fromEntries(names.map((name) => [`/${name}/things`, 'GET'])));
    const { request } = await startGateway({ index, inMemory: true, passthrough: false });
    const sets = names.flatMap((one) => names.map((other) => `${one},${other}`));
    const all = await Promise.all(sets.map((set) => request(`/openapi.json?namespace=${set}`)));
    return toText(all.find(({ status }) => status !== 200) ?? new Response());
  },
  noSuchNamespace: ['api', 'GET /openapi.json?namespace=acme/v1'],
  noSuchOperation: ['whole', 'GET /-/nothing', AUTHORIZED],
  noDocument: ['origin', 'GET /-/openapi.json'],
  noSuchPage: ['api', 'GET /docs/nothing'],
  agentHost: ['whole', 'POST /-/mcp', ['Host: rebound.example.com'], '{}'],
  agentOrigin: ['whole', 'POST /-/mcp', ['Origin: https://other.example.com'], '{}'],
  agentMessageTooLarge: ['whole', 'POST /-/mcp', ['Content-Length: 9000000']],
  async issuerAway() {
    const oauth = { issuer: await unreachableOrigin(), audience: 'https://example.com/-/mcp', users: {} };
    const { origin } = await startGateway({ mcp: { oauth } });
    return ask(origin, 'POST /-/mcp', ['Authorization: Bearer a'], '{}');
  },
  noTrace: ['whole', 'TRACE /'],
  misdirected: ['hosted', 'GET /', ['Host: other.example.com']],
  accessDenied: ['whole', 'GET /', ['X-Forwarded-For: 198.51.100.1']],
  jsonpIsOff: ['whole', 'GET /wp-json/wp/v2/posts?_jsonp=a'],
  internalError: () => askFailing('internal'),
  routeInForm: ['whole', 'POST /a/', [FORM], 'rest_route=/wp/v2/posts'],
  unclearForm: ['whole', 'POST /a/', [FORM, FORM], 'a=b'],
  batchTooLarge: ['full', 'POST /wp-json/batch/v1', [FORM], 'a=&'.repeat(1_000)],
  async noMemory() {
    const { origin } = await startGateway();
    const held = ['Content-Length: 1048576'];
    return Promise.race(Array.from({ length: 33 }, () => ask(origin, 'POST /-/webhook/default', held)));
  },
  badRequest: ['whole', 'GET /', ['Host: a\0']],
  rawTarget: ['whole', 'GET /café'],
  headersTooLarge: ['whole', 'GET /', [`X: ${'a'.repeat(40_000)}`]],
  async contentTooLarge() {
    const { request } = await startGateway({
      addTo: (app) =>
        app.use(async (call, next) => {
          await call.req.text();
          await next();
        }),
    });
    const body = new Uint8Array(64 * 1024 * 1024 + 1);
    return toText(await request('/a/', { method: 'POST', body }));
  },
  chunksTooLarge: ['whole', 'POST /a/', ['Transfer-Encoding: chunked', '', `1;${'a'.repeat(20_000)}`]],
  async requestTimeout() {
    const { port } = await startGateway({ server: { idleTimeout: 300 } });
    return sendBytes(port, 'GET / HTTP/1.1\r\n');
  },
  async bodyTooSlow() {
    const { origin } = await startGateway();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const response = ask(origin, 'POST /a/', ['Content-Length: 10']);
    await waitUntil(() => vi.getTimerCount() === 1);
    vi.advanceTimersByTime(60_000);
    return response;
  },
  unknownMethod: ['whole', 'BAN /'],
  unknownExpectation: ['whole', 'GET /', ['Expect: 200-ok']],
  noTunnel: ['whole', 'CONNECT example.com:443'],
  noWebSocket: ['whole', 'GET /', ['Upgrade: websocket', 'Connection: upgrade']],
};

const WEBHOOK_EXAMPLES: Examples<typeof WEBHOOK_FAULTS> = {
  unsigned: ['whole', 'POST /-/webhook/default', [], MESSAGE],
  expired: ['whole', 'POST /-/webhook/default', fieldLines(signMessage(SECRET, MESSAGE, 0)), MESSAGE],
  wrong: ['whole', 'POST /-/webhook/default', fieldLines(signMessage('another secret', MESSAGE)), MESSAGE],
};

const TARGET_EXAMPLES: Examples<typeof TARGET_REFUSALS> = {
  'target-form': ['api', 'GET *'],
  'target-length': ['api', `GET /${'a'.repeat(17_000)}`],
  'dot-segments': ['api', 'GET /a/../b'],
  'encoded-prefix': ['api', 'GET /index.php/wp%2Djson/wp/v2/posts'],
  'malformed-path': ['api', 'GET /%zz'],
  'route-array': ['api', 'GET /?rest_route[]=/wp/v2/posts'],
  'route-path': ['api', 'GET /wp-login.php?rest_route=/wp/v2/posts'],
  'method-array': ['api', 'GET /wp-json/wp/v2/posts?_method[]=POST'],
  'method-repeated': [
    'api',
    'GET /wp-json/wp/v2/posts',
    ['X-HTTP-Method-Override: POST', 'X-HTTP-Method-Override: PUT'],
  ],
  'variable-position': ['api', `GET /wp-json/wp/v2/posts?${'a=&'.repeat(1_000)}_method=POST`],
  'variable-semicolon': ['api', 'GET /wp-json/wp/v2/posts?a=1;_method=POST'],
};

const FAILURE_EXAMPLES: Examples<typeof FAILURE_RESPONSES> = {
  timeout: ['slow', 'GET /silent/'],
  refused: async () => askNew({ url: await unreachableOrigin() }),
  dns: () => askNew({ url: 'http://nothing.invalid' }),
  async tls() {
    const { received: _, ...site } = await startGateway({ discovery: 'off' }, respond);
    return askNew({ url: site.origin.replace('http:', 'https:'), discovery: 'off' });
  },
  'connection-broken': ['whole', 'GET /broken/'],
  'head-too-large': ['whole', 'GET /head/'],
  'invalid-request': () => askFailing('invalid-request'),
  'body-length-mismatch': () => askFailing('body-length-mismatch'),
  shutdown: () => askFailing('shutdown'),
  'circuit-open': async () => askNew({ url: await unreachableOrigin() }, 'GET /a/', 22),
  async overloaded() {
    asked = await open('full');
    const { origin, received } = asked;
    void ask(origin, 'GET /silent/');
    await waitUntil(() => received.length === 1);
    return ask(origin, 'GET /a/');
  },
  'not-stored': ['whole', 'GET /a/', ['Cache-Control: only-if-cached']],
  'client-gone': () => askFailing('client-gone'),
  internal: () => askFailing('internal'),
};

const HEADER_EXAMPLES: Examples<typeof HEADER_REFUSAL_RESPONSES> = {
  // Node's parser refuses it before.
  async length() {
    const { request } = await startGateway({ inMemory: true });
    return toText(await request('/a/', { method: 'POST', headers: { 'content-length': '-1' }, body: 'a' }));
  },
  encoding: ['whole', 'POST /a/', ['Transfer-Encoding: gzip, chunked'], ''],
  host: ['whole', 'GET /', ['Host: a b']],
  connection: ['whole', 'GET /-/health', ['Connection: cookie']],
  loop: ['whole', 'GET /', [`Via: ${Array(5).fill('1.1 waygate').join(', ')}`]],
};

const TABLES: readonly (readonly [
  file: string,
  rows: Readonly<Record<string, DeclaredProblem>>,
  Readonly<Record<string, Example>>,
])[] = [
  ['problems.json', PROBLEMS, PROBLEM_EXAMPLES],
  ['problems.json (webhookFaults)', WEBHOOK_FAULTS, WEBHOOK_EXAMPLES],
  ['target-refusals.json', TARGET_REFUSALS, TARGET_EXAMPLES],
  ['failure-responses.json', FAILURE_RESPONSES, FAILURE_EXAMPLES],
  ['failure-responses.json (headerRefusals)', HEADER_REFUSAL_RESPONSES, HEADER_EXAMPLES],
];

test.each(
  TABLES.flatMap(([file, rows, examples]) =>
    Object.entries(rows).map(([name, row]) => ({ file, name, row, example: examples[name] })),
  ),
)('$name of $file: a request gets it', async ({ example, row }) => {
  if (example === undefined) throw new Error('The row has no request that gets it. Add an example.');
  const response = typeof example === 'function' ? await example() : await askShared(example);
  const [head = '', body = ''] = response.split(/\r\n\r\n(.*)/s);
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${row.status} `));
  expect(body).not.toContain('127.0.0.1');
  expect(JSON.parse(body)).toMatchObject({
    code: row.code,
    message: row.message,
    data: { status: row.status },
  });
  // It describes one moment, so no cache stores it.
  const always = {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-request-id': '',
  };
  for (const [name, value] of Object.entries({ ...always, ...row.headers }))
    expect(head.toLowerCase()).toContain(`\r\n${name}: ${value}`.toLowerCase());
  if (asked === null || asked.origin === 'http://localhost') return;
  await expectSumsOfLog(asked);
  const [, requestId] = /^x-request-id: (.*)$/im.exec(head) ?? [];
  expect(
    asked.lines.filter((line) => line.msg === 'request' && line['requestId'] === requestId),
  ).toMatchObject([{ client: expect.stringMatching(/\d/), status: row.status, sent: row.status }]);
});

async function ask(origin: string, line: string, fields: readonly string[] = [], body = ''): Promise<string> {
  const host = fields.some((field) => field.startsWith('Host:')) ? [] : ['Host: 127.0.0.1'];
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const head = [`${line} HTTP/1.1`, ...host, 'Connection: close', ...length, ...fields].join('\r\n');
  const bytes = await sendBytes(Number(new URL(origin).port), `${head}\r\n\r\n${body}`);
  const [received = '', sent = ''] = Buffer.from(bytes, 'latin1')
    .toString()
    .split(/\r\n\r\n(.*)/s);
  const isChunked = /^transfer-encoding: chunked$/im.test(received);
  return `${received}\r\n\r\n${isChunked ? sent.split('\r\n')[1] : sent}`;
}

/** Asks a gateway of its own. */
async function askNew(options: TestOptions, line = 'GET /a/', times = 1): Promise<string> {
  const { origin } = await startGateway(options, respond);
  for (let time = 1; time < times; time += 1) await ask(origin, line);
  return ask(origin, line);
}

/** Asks a gateway whose requests to the site fail. */
function askFailing(kind: keyof typeof FAILURE_RESPONSES): Promise<string> {
  return askNew({
    gateway: {
      transport: () => ({
        send(_request, sink) {
          sink.fail({ kind });
          return { abort() {}, pause() {}, resume() {} };
        },
        close: async () => {},
        destroy: async () => {},
      }),
    },
  });
}

async function toText(response: Response): Promise<string> {
  const fields = fieldLines(Object.fromEntries(response.headers));
  return [`HTTP/1.1 ${response.status} `, ...fields, '', await response.text()].join('\r\n');
}

function fieldLines(fields: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
}
