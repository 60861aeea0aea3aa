// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
export const TOKEN = 'the-token-of-the-faults';

/** What a test run has started, the last one first. */
/** @type {(() => unknown)[]} */
const closing = [];
export const folder = mkdtempSync(join(tmpdir(), 'waygate-faults-'));

export async function closeAll() {
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
}

/** @param {() => unknown} close */
export const onEnd = (close) => void closing.push(close);

let names = 0;
function nextName() {
  names += 1;
  return join(folder, String(names));
}

/** @param {string} content @param {string} [suffix] */
export function writeTemporary(content, suffix = '.yaml') {
  const path = `${nextName()}${suffix}`;
  writeFileSync(path, content);
  return path;
}
export function createFolder() {
  const path = nextName();
  mkdirSync(path);
  return path;
}

/**
 * @param {() => unknown} condition
 * @param {number} [limit] milliseconds
 */
export async function until(condition, limit = 10_000) {
  for (const end = Date.now() + limit; ; await sleep(20)) {
    if (await condition()) return;
    if (Date.now() > end) throw new Error(`did not happen within ${limit} ms: ${condition}`);
  }
}

/** @typedef {{ path: string, method: string, head: string, socket: import('node:net').Socket }} SiteRequest */

/** A site that answers with bytes, so that it can do whatever a broken server does. */
export class ScriptedSite {
  /** Answers in place of the site. @type {((request: SiteRequest) => void) | null} */
  fault = null;
  /** Called with each connection. @type {((socket: import('node:net').Socket) => void) | null} */
  onConnection = null;
  /** @type {SiteRequest[]} */
  requests = [];
  /** The root index. @type {unknown} */
  index = createIndex(20);
  port = 0;
  /** @type {Set<import('node:net').Socket>} */
  #sockets = new Set();
  #server = createServer((socket) => this.#serve(socket));

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  async open() {
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    this.port = typeof address === 'object' && address !== null ? address.port : 0;
  }

  async close() {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** @param {string} part */
  count(part) {
    return this.requests.filter(({ path }) => path.includes(part)).length;
  }

  /** @param {import('node:net').Socket} socket */
  #serve(socket) {
    this.#sockets.add(socket);
    socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
    this.onConnection?.(socket);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
        const head = received.slice(0, end);
        received = received.slice(end + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0));
        const [method = '', path = ''] = head.split(' ');
        const asked = { method, path, head, socket };
        this.requests.push(asked);
        if (this.fault !== null && !path.includes('/healthy/')) this.fault(asked);
        else this.respond(asked);
      }
    });
  }

  /** @param {SiteRequest} asked */
  respond({ method, path, socket }) {
    if (/^\/wp-json\/(?:\?|$)|rest_route=/.test(path)) {
      const text = typeof this.index === 'string' ? this.index : JSON.stringify(this.index);
      socket.write(format(200, text, 'Content-Type: application/json\r\n'));
    } else {
      const lifetime = path.includes('/fresh/') ? 600 : 1;
      const fields = `Content-Type: text/plain\r\nCache-Control: max-age=${lifetime}, stale-if-error=600\r\n`;
      socket.write(format(200, method === 'HEAD' ? '' : `page ${path}`, fields));
    }
  }
}

/** @param {number} status @param {string} body @param {string} [fields] */
export const format = (status, body, fields = '') =>
  `HTTP/1.1 ${status} X\r\n${fields}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** @param {number} count of routes */
export function createIndex(count) {
  const route = { namespace: 't/v1', methods: ['GET'], endpoints: [{ methods: ['GET'], args: {} }] };
  const routes = Object.fromEntries(Array.from({ length: count }, (_, at) => [`/t/v1/things-${at}`, route]));
  return { name: 'faults', description: '', namespaces: ['t/v1'], authentication: [], routes };
}

export async function startSite() {
  const site = new ScriptedSite();
  await site.open();
  onEnd(() => site.close());
  return site;
}

/** A running `waygate serve`. */
export class Gateway {
  /** @type {Record<string, unknown>[]} */
  lines = [];
  errors = '';
  url = '';
  /** @type {import('node:child_process').ChildProcess} */
  child;
  /** @type {Promise<number | null>} */
  exited;

  /**
   * @param {object} config
   * @param {{ readonly limits?: string, readonly args?: readonly string[], readonly stdout?: number }} [options] `limits`: commands of the shell before it
   */
  constructor(config, { limits = '', args = [], stdout } = {}) {
    this.file = writeTemporary(JSON.stringify({ port: 0, ...config }), '.json');
    const command = [MAIN, 'serve', '--config', this.file, ...args];
    const quoted = [process.execPath, ...command].map((text) => `'${text}'`).join(' ');
    this.child = spawn('bash', ['-c', `${limits}\nexec ${quoted}`], {
      env: { ...process.env, WAYGATE_ADMIN_TOKEN: TOKEN },
      stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
    });
    this.exited = new Promise((resolve) => this.child.once('close', resolve));
    let partial = '';
    this.child.stdout?.on('data', (chunk) => {
      const lines = `${partial}${chunk}`.split('\n');
      partial = lines.pop() ?? '';
      for (const line of lines) this.lines.push(JSON.parse(line));
    });
    this.child.stderr?.on('data', (chunk) => {
      this.errors += chunk;
    });
    onEnd(() => this.kill());
  }

  async listening() {
    const find = () => this.lines.find(({ msg }) => msg === 'listening');
    await until(() => find() !== undefined || this.child.exitCode !== null, 30_000);
    if (find() === undefined) throw new Error(`the gateway ended: ${this.errors}`);
    this.url = String(find()?.['url']);
    return this;
  }

  /** @param {number} [limit] */
  async ready(limit) {
    await this.listening();
    await until(async () => (await get(`${this.url}/-/ready`)).status === 200, limit);
    return this;
  }

  /** @param {(line: Record<string, unknown>) => boolean} matches @param {number} [limit] */
  async logged(matches, limit = 5_000) {
    await until(() => this.lines.some(matches), limit);
    return this.lines.findLast(matches) ?? {};
  }

  /** Reads the sum of the samples that match. @param {RegExp} pattern */
  async metric(pattern) {
    const { body } = await get(`${this.url}/-/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
    const samples = body.split('\n').filter((line) => !line.startsWith('#') && pattern.test(line));
    return samples.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  /** @param {string} path @param {string} [method] */
  admin(path, method = 'GET') {
    return get(`${this.url}/-/${path}`, { method, headers: { authorization: `Bearer ${TOKEN}` } });
  }

  /** Open file descriptors, and MiB in memory. */
  resources() {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    const memory = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
    return { descriptors: readdirSync(`/proc/${this.child.pid}/fd`).length, memory };
  }

  get isAlive() {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** @param {NodeJS.Signals} [signal] */
  async kill(signal = 'SIGKILL') {
    if (this.isAlive) this.child.kill(signal);
    return this.exited;
  }
}

/** @param {object} config @param {ConstructorParameters<typeof Gateway>[1]} [options] */
export const startGateway = (config, options) => new Gateway(config, options).ready();

/**
 * What a client sees. `how`: `whole`, `broken` after the head, `none` without a head, or `late`.
 *
 * @param {string} url
 * @param {{ method?: string, headers?: Record<string, string>, body?: string, limit?: number }} [options]
 * @returns {Promise<{ status: number, body: string, how: string, headers: Record<string, unknown> }>}
 */
export function get(url, { method = 'GET', headers = {}, body, limit = 8_000 } = {}) {
  return new Promise((resolve) => {
    let status = 0;
    let text = '';
    /** @type {Record<string, unknown>} */
    let fields = {};
    const end = (/** @type {string} */ how) => {
      clearTimeout(timer);
      sent.destroy();
      resolve({ status, body: text, how, headers: fields });
    };
    const sent = request(url, { method, headers, agent: false }, (response) => {
      status = response.statusCode ?? 0;
      fields = response.headers;
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => end(response.complete ? 'whole' : 'broken')).on('error', () => end('broken'));
    });
    const timer = setTimeout(() => end('late'), limit);
    sent.on('error', () => end(status === 0 ? 'none' : 'broken')).end(body);
  });
}

/** In a few characters. @param {Awaited<ReturnType<typeof get>>} response */
export const describe = ({ how, status }) =>
  how === 'whole' ? `${status}` : how === 'broken' ? `${status} broken` : how;

/** Sends bytes, and returns what arrives until the connection closes. @param {string} url @param {string} bytes @param {number} [limit] */
export function sendBytes(url, bytes, limit = 10_000) {
  return new Promise((/** @type {(text: string) => void} */ resolve) => {
    let text = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes, 'latin1'));
    const timer = setTimeout(() => socket.destroy(), limit);
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
    });
    socket
      .on('error', () => {})
      .on('close', () => {
        clearTimeout(timer);
        resolve(text);
      });
  });
}

/** Starts a process, and ends it with the run. @param {string} command @param {readonly string[]} args */
export function start(command, args) {
  const child = spawn(command, args, { stdio: 'ignore' });
  const exited = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  onEnd(async () => {
    // nginx ends its workers.
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    await exited;
  });
  return child;
}

/** @param {number} port */
const canConnect = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

export async function findPort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Starts nginx before a site, with a cache that is used while the site fails. @returns its URL; `null` without nginx @param {string} site */
export async function startNginx(site) {
  const port = await findPort();
  const at = createFolder();
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${at}/${name};`,
  );
  const file = writeTemporary(
    `user root; worker_processes 1; daemon off; pid ${at}/pid; error_log stderr crit; events { worker_connections 256; }
http { access_log off; ${paths.join(' ')} proxy_cache_path ${at}/cache keys_zone=c:1m;
  server { listen 127.0.0.1:${port}; location / {
    proxy_pass ${site}; proxy_http_version 1.1; proxy_set_header Connection "";
    proxy_connect_timeout 1s; proxy_read_timeout 1s; proxy_send_timeout 1s;
    proxy_cache c; proxy_cache_use_stale error timeout invalid_header http_500 http_502 http_503 http_504; } } }`,
    '.conf',
  );
  const child = start('nginx', ['-p', at, '-c', file]);
  await until(
    async () => child.exitCode !== null || child.pid === undefined || (await canConnect(port)),
    5_000,
  ).catch(() => {});
  return (await canConnect(port)) ? `http://127.0.0.1:${port}` : null;
}

/** Starts Redis on a port. @param {number} port @param {readonly string[]} [args] */
export async function startRedis(port, args = []) {
  const child = start('redis-server', [
    '--port',
    `${port}`,
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--dir',
    createFolder(),
    ...args,
  ]);
  await until(() => canConnect(port));
  return child;
}
