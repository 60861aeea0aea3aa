import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/base/ports.ts';
import type { SharedStoreState } from '../../../src/gateway/cache/store.ts';
import { MemoryStore } from '../../../src/gateway/cache/stores/memory-store.ts';
import METRICS from '../../../src/gateway/report/metrics.json' with { type: 'json' };
import { MAIN } from '../../cli/serve-process.ts';
import {
  perMinute,
  type Responder,
  startGateway,
  type TestGateway,
  type TestOptions,
} from '../../support/gateway.ts';
import { createRoutesIndex } from '../../support/index-routes.ts';
import { findFreePort, unreachableOrigin } from '../../support/server.ts';
import { waitUntil } from '../../support/wait.ts';

type Act = (gateway: TestGateway) => unknown;

interface Row {
  /** Series that move. @default the metric without labels */
  readonly series?: readonly string[];
  readonly options?: TestOptions;
  readonly respond?: Responder;
  /** What makes the metric move; the value, if it is constant. */
  readonly moves: Act | number | RegExp;
}

const TOKEN = 'a-token-of-the-tests';
const SITE = 'site="default"';
const POSTS = '/wp-json/wp/v2/posts';
const ofPages = (labels: string): string =>
  `{${SITE},http_request_method="GET",http_route="pages",${labels}}`;
const page: Responder = () => ({ body: '<p>a</p>' });
const readPage: Act = ({ read }) => read('/a/');
/** Sends requests that get no response before the test ends. */
const hang =
  (count: number): Act =>
  ({ origin }) => {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    for (let at = 0; at < count; at += 1)
      void fetch(`${origin}/hangs-${at}/`, { signal: stop.signal }).catch(() => null);
  };
const hanging: Responder = () => undefined;
const openSocket: Act = ({ origin }) => {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
};
/** Sends bodies that do not end. Each may have 1 MiB, and a client has 32. */
const sendBodies =
  (count: number): Act =>
  ({ gateway }) => {
    for (let at = 0; at < count; at += 1) {
      const headers = { authorization: `Bearer ${TOKEN}` };
      const init = { method: 'POST', headers, body: new TransformStream<Uint8Array>().readable };
      void gateway.app.request('/-/purge', Object.assign(init, { duplex: 'half' }));
    }
  };
const purge: Act = ({ administer }) => administer('/-/purge', { all: true });

const ROUTES = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`/wp/v2/things-${at}`, 'GET']));

/** A site that has 20 routes when it is read again. @param first its index before */
function createReread(first: object, more: TestOptions = {}): Pick<Row, 'options' | 'moves'> {
  let index = first;
  return {
    options: { index: () => index, ...more },
    moves({ gateway }) {
      index = createRoutesIndex(ROUTES);
      return gateway.rediscover();
    },
  };
}

/** A store that gateways share, whose server can be lost. */
class SharedStore extends MemoryStore {
  state: SharedStoreState = 'connected';
  losses = 0;
  override report(): ReturnType<MemoryStore['report']> {
    const { losses, state } = this;
    return { ...super.report(), shared: { state, losses, emptied: [], remedy: null } };
  }
}
const createShared = (): { readonly options: TestOptions; readonly moves: Act } => {
  const cache = new SharedStore({ clock: systemClock });
  return { options: { gateway: { cache } }, moves: () => Object.assign(cache, { state: 'full', losses: 1 }) };
};

/** What makes each metric move. */
const ROWS: Readonly<Record<string, Row>> = {
  http_server_request_duration_seconds: {
    series: ['_bucket', '_sum', '_count'].map((each) => `${each}{${SITE}`),
    respond: page,
    moves: readPage,
  },
  waygate_operation_duration_seconds: {
    series: [
      ...['hit', 'miss'].map((each) => `_count${ofPages(`status="2xx",cache="${each}"`)}`),
      `_count{${SITE},http_request_method="GET",http_route="/wp/v2/posts",status="4xx",cache="none"}`,
      `_count{${SITE},http_request_method="GET",http_route="/wp/v2/posts",status="2xx",cache="bypass"}`,
      '_sum{site="",http_request_method="GET",http_route="gateway",status="2xx",cache="none"}',
    ],
    options: { validation: { mode: 'enforce' } },
    respond: ({ route }) => (route === undefined ? { body: '<p>a</p>' } : { body: [] }),
    async moves({ read }) {
      await read('/a/');
      await read('/a/');
      await read(`${POSTS}?per_page=x`);
      await read(POSTS, { authorization: 'Basic YTpi' });
    },
  },
  waygate_request_left_seconds: {
    series: ['_bucket', '_sum', '_count'].map((each) => `${each}{${SITE}`),
    respond: hanging,
    moves: ({ origin }) => fetch(`${origin}/a/`, { signal: AbortSignal.timeout(200) }).catch(() => null),
  },
  http_server_active_requests: { respond: hanging, moves: hang(1) },
  http_client_request_duration_seconds: { series: [`_count{${SITE}}`], respond: page, moves: readPage },
  waygate_operation_upstream_duration_seconds: {
    series: [`_count${ofPages('status="2xx"')}`, `_count${ofPages('status="0xx"')}`],
    respond: ({ url }, _, response) => (url === '/a/' ? { body: 'a' } : void response.destroy()),
    async moves({ read }) {
      await read('/a/');
      await read('/b/');
    },
  },
  waygate_site_failures_total: {
    series: [`{${SITE},kind="connection-broken"}`],
    respond: (_, __, response) => void response.destroy(),
    moves: readPage,
  },
  waygate_responses_broken_total: {
    series: [`{${SITE},side="site"}`],
    respond(_, __, response) {
      response.writeHead(200, { 'content-length': 9 });
      response.write('a', () => response.destroy());
      return undefined;
    },
    moves: ({ read }) => read('/a/').catch(() => null),
  },
  waygate_response_body_bytes_total: { series: [`{${SITE}}`], respond: page, moves: readPage },
  waygate_connections_open: { moves: openSocket },
  waygate_connections_accepted_total: { moves: openSocket },
  waygate_network_bytes_total: {
    series: ['{direction="received"}', '{direction="sent"}'],
    respond: page,
    moves: readPage,
  },
  waygate_body_memory_bytes: { moves: sendBodies(1) },
  waygate_body_memory_max_bytes: { moves: 64 * 1024 * 1024 },
  waygate_body_memory_exceeded_total: { moves: sendBodies(33) },
  waygate_cache_exclusions_total: {
    series: [`{${SITE},reason="`],
    respond: page,
    moves: ({ read }) => read('/a/', { cookie: 'wordpress_logged_in_a=b' }),
  },
  waygate_rate_limited_total: {
    series: [`{${SITE},policy="`],
    options: { limits: { client: perMinute(1) } },
    respond: page,
    async moves(gateway) {
      await readPage(gateway);
      await readPage(gateway);
    },
  },
  waygate_cache_writes_total: {
    series: [`{${SITE},purged="everything"}`],
    respond: page,
    async moves({ read, request }) {
      await read('/a/');
      await request(POSTS, { method: 'POST', headers: { authorization: 'Basic YTpi' } });
    },
  },
  waygate_webhooks_refused_total: {
    series: [`{${SITE},fault="unsigned"}`],
    options: { cache: { webhook: 'a secret of the tests' } },
    moves: ({ request }) => request('/-/webhook/default', { method: 'POST', body: '{}' }),
  },
  waygate_site_state: {
    series: [`{${SITE},state="good"}`, `{${SITE},state="failing"}`],
    respond: () => ({ status: 500 }),
    async moves({ read }) {
      for (const path of ['/a/', '/b/', '/c/']) await read(path);
    },
  },
  waygate_site_ready: { series: [`{${SITE}}`], ...createReread({}, { passthrough: false }) },
  waygate_site_document_held: {
    series: [`{${SITE}}`],
    ...createReread(
      createRoutesIndex(
        Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`/wp/v2/others-${at}`, 'GET'])),
      ),
    ),
  },
  waygate_site_state_unwritten: {
    series: [`{${SITE}}`],
    ...createReread(
      {},
      { gateway: { state: { read: async () => null, write: () => Promise.reject(new Error('ENOSPC')) } } },
    ),
  },
  waygate_site_last_read_seconds: { series: [`{${SITE}}`], ...createReread(createRoutesIndex(ROUTES)) },
  waygate_site_discoveries_total: {
    series: [`{${SITE},outcome="succeeded"}`],
    ...createReread(createRoutesIndex(ROUTES)),
  },
  waygate_site_requests_active: { series: [`{${SITE}}`], respond: hanging, moves: hang(1) },
  waygate_site_requests_queued: {
    series: [`{${SITE}}`],
    options: { concurrency: { max: 1 } },
    respond: hanging,
    moves: hang(2),
  },
  waygate_site_requests_refused_total: {
    series: [`{${SITE}}`],
    options: { concurrency: { max: 1, wait: 1 }, cache: 'off' },
    respond: hanging,
    moves: hang(2),
  },
  waygate_site_circuit_open: {
    series: [`{${SITE}}`],
    options: { url: 'http://127.0.0.1:9/', discovery: 'off' },
    async moves({ read }) {
      for (let at = 0; at < 30; at += 1) await read(`/${at}/`);
    },
  },
  waygate_validation_requests_total: {
    series: ['valid', 'refused'].map((outcome) => `{${SITE},outcome="${outcome}"}`),
    options: { validation: { mode: 'enforce' } },
    respond: () => ({ body: [] }),
    async moves({ read }) {
      await read(POSTS);
      await read(`${POSTS}?per_page=x`);
    },
  },
  waygate_cache_entries: { respond: page, moves: readPage },
  waygate_cache_bytes: { respond: page, moves: readPage },
  waygate_cache_evictions_total: {
    options: { gateway: { cache: new MemoryStore({ clock: systemClock, maxBytes: 100_000 }) } },
    respond: () => ({ body: 'x'.repeat(20_000) }),
    async moves({ read }) {
      for (let at = 0; at < 9; at += 1) await read(`/${at}/`);
    },
  },
  waygate_cache_max_bytes: {
    options: { gateway: { cache: new MemoryStore({ clock: systemClock, maxBytes: 100_000 }) } },
    moves: 100_000,
  },
  waygate_cache_shared_state: { series: ['{state="connected"}', '{state="full"}'], ...createShared() },
  waygate_cache_shared_losses_total: createShared(),
  waygate_notify_requests_total: {
    series: ['{receiver="webhook 1",outcome="failed"}'],
    options: {
      gateway: { notify: [{ to: 'webhook', url: 'http://127.0.0.1:9/', secret: 'a secret of 16 bytes' }] },
    },
    moves: purge,
  },
  nodejs_eventloop_delay_seconds: { series: ['_count'], moves() {} },
  process_cpu_seconds_total: { moves() {} },
  process_resident_memory_bytes: { moves: /^\d{8,}$/ },
  process_heap_bytes: { moves() {} },
  process_open_fds: { moves: openSocket },
  process_max_fds: { moves: /^[1-9]\d+$/ },
  process_start_time_seconds: { moves: /^1\d{9}\.\d+$/ },
};

/** Those of the process `waygate serve`, which may have 96 files open, and whose output has no reader. */
const OF_PROCESS: Readonly<Record<string, RegExp>> = {
  waygate_build_info: /^waygate_build_info\{version="[\d.]+",commit="[\w-]*",runtime="Node [\d.]+"\} 1$/m,
  waygate_log_lost_lines_total: /^waygate_log_lost_lines_total [1-9]/m,
  waygate_connections_refused_total: /^waygate_connections_refused_total\{reason="descriptors"\} [1-9]/m,
};

/** The sum of each series, which is a part of a name. */
const readSeries = (text: string, name: string, series: readonly string[]): readonly string[] =>
  series.map((each) => {
    const values = text.split('\n').flatMap((line) => {
      return line.startsWith(name + each) ? [Number(line.replace(/.* /, ''))] : [];
    });
    return values.length === 0 ? 'absent' : String(values.reduce((sum, value) => sum + value, 0));
  });

test.each(Object.keys(METRICS).filter((name) => !Object.hasOwn(OF_PROCESS, name)))(
  '%s has what it says',
  async (name) => {
    const row = ROWS[name];
    if (row === undefined) throw new Error(`The metric ${name} has no example in ROWS.`);
    const { moves, options = {}, respond, series = [' '] } = row;
    const gateway = await startGateway(options, respond);
    const read = async (): Promise<readonly string[]> =>
      readSeries(await gateway.readMetrics(), name, series);
    if (typeof moves !== 'function') {
      expect((await read())[0]).toMatch(new RegExp(typeof moves === 'number' ? `^${moves}$` : moves));
      return;
    }
    const before = await read();
    await moves(gateway);
    await waitUntil(async () => (await read()).every((value, at) => value !== before[at]));
  },
);

test('what a process says of itself, of lost lines of its log, and of connections without a file descriptor', async () => {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const serve = ['serve', '--port', `${port}`, '--site', await unreachableOrigin()];
  const script = 'ulimit -n 96 && exec "$0" "$@"';
  const child = spawn('sh', ['-c', script, process.execPath, MAIN, ...serve], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, WAYGATE_ADMIN_TOKEN: TOKEN },
  });
  child.stdout.destroy();
  onTestFinished(() => void child.kill('SIGKILL'));
  const headers = { authorization: `Bearer ${TOKEN}`, connection: 'close' };
  const read = async (): Promise<string> =>
    fetch(`${url}/-/metrics`, { headers }).then(
      (response) => response.text(),
      () => '',
    );
  await waitUntil(async () => (await read()) !== '');
  let closed = 0;
  const sockets = Array.from({ length: 200 }, () =>
    connect(port, '127.0.0.1')
      .on('error', () => {})
      .on('close', () => {
        closed += 1;
      })
      .resume(),
  );
  await waitUntil(() => closed > 0);
  for (const socket of sockets) socket.destroy();
  await waitUntil(async () => {
    await fetch(`${url}/logged/`, { headers }).catch(() => null);
    const text = await read();
    return Object.entries(OF_PROCESS).every(([, pattern]) => pattern.test(text));
  });
});
