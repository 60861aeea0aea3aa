import { execFile, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { describe, expect, onTestFailed, test } from 'vitest';
import { MAIN, useReadyProcesses } from '../cli/serve-process.ts';
import { ROOT } from '../project/source-files.ts';
import { createCertificate } from '../support/certificates.ts';
import { useFolder } from '../support/folder.ts';
import { runEchoSite } from '../support/run.ts';
import { findFreePort } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const folder = useFolder();
const run = promisify(execFile);
const DEPLOY = join(ROOT, 'deploy');

describe('systemd', () => {
  test('systemd-analyze verify finds nothing in the unit', async () => {
    const { stderr } = await run('systemd-analyze', ['verify', join(DEPLOY, 'systemd/waygate@.service')]);
    expect(stderr.split('\n').filter((line) => line.includes('waygate'))).toEqual([]);
  });

  test('systemd-analyze security says that the exposure is at most 2 of 10', async () => {
    const file = join(folder(), 'waygate@0.2.0.service');
    copyFileSync(join(DEPLOY, 'systemd/waygate@.service'), file);
    await run('systemd-analyze', ['security', '--offline=yes', '--threshold=20', file]);
  });

  /** Runs the command after the start of the unit. @param pid of the gateway */
  function waitForStart(port: number, pid = process.pid) {
    const unit = readFileSync(join(DEPLOY, 'systemd/waygate@.service'), 'utf8');
    const [, command = ''] = /^ExecStartPost=-(.*)$/m.exec(unit) ?? [];
    const local = command
      .replace(/\S+main\.js health/, `${MAIN} health http://127.0.0.1:${port}`)
      .replace('/usr/bin/node', process.execPath);
    return run('sh', ['-c', local], { env: { ...process.env, MAINPID: String(pid) } });
  }

  test('the command after the start of the unit waits until the gateway is ready', async () => {
    const port = await findFreePort();
    const started = waitForStart(port);
    const site = await runEchoSite();
    const flags = ['--site', site.origin, '--discovery', 'off', '--passthrough', '--port', String(port)];
    const gateway = spawn(process.execPath, [MAIN, 'serve', ...flags], { stdio: 'ignore' });
    const exited = new Promise((resolve) => gateway.once('exit', resolve));
    expect((await started).stdout).toMatch(/^200 /);
    gateway.kill('SIGTERM');
    expect(await exited).toBe(0);
  });

  test('the command after the start of the unit ends with the gateway', async () => {
    const gateway = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(gateway, 'exit');
    expect((await waitForStart(await findFreePort(), gateway.pid)).stdout).toBe('');
  });

  test('systemd-sysusers creates the user of the unit', async () => {
    const root = join(folder(), 'root');
    mkdirSync(join(root, 'etc'), { recursive: true });
    await run('systemd-sysusers', [`--root=${root}`, join(DEPLOY, 'systemd/waygate.sysusers')]);
    expect(readFileSync(join(root, 'etc/passwd'), 'utf8')).toMatch(/^waygate:x:\d+:\d+:/m);
    expect(readFileSync(join(DEPLOY, 'systemd/waygate@.service'), 'utf8')).toMatch(/^User=waygate$/m);
  });
});

const serve = useReadyProcesses();

/** Writes a configuration with the ports, the certificate and the folder of the test in the place of the operator's. */
async function prepare(path: string, replaced: Readonly<Record<string, string>>): Promise<string> {
  let content = readFileSync(join(DEPLOY, path), 'utf8');
  for (const [from, to] of Object.entries(replaced)) content = content.replaceAll(from, to);
  const file = join(folder(), 'prepared');
  writeFileSync(file, content);
  return file;
}

/** Sends a request as a balancer with the PROXY protocol does (version 1). @returns the first line of the response */
async function sendByBalancer(port: number, client: string, cert: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`PROXY TCP4 ${client} 127.0.0.1 40000 443\r\n`);
  const secure = connectTls({ socket, servername: 'www.example.com', ca: readFileSync(cert) });
  secure.write('GET /balanced/ HTTP/1.1\r\nHost: www.example.com\r\nConnection: close\r\n\r\n');
  return (await text(secure)).split('\r\n', 1)[0] ?? '';
}

interface Ports {
  /** A second port for HTTPS, with the PROXY protocol. */
  readonly balanced: number;
  readonly http: number;
  readonly https: number;
  readonly gateway: string;
}

/** Each returns the arguments of a web server with its configuration of `deploy/`. */
const SERVERS: Readonly<Record<string, (ports: Ports, cert: string, key: string) => Promise<string[]>>> = {
  async nginx({ balanced, gateway, http, https }, cert, key) {
    const prepared = await prepare('nginx/waygate.conf', {
      'listen 80;': `listen 127.0.0.1:${http};`,
      '  listen 443 ssl http2;': `listen 127.0.0.1:${https} ssl http2;
        listen 127.0.0.1:${balanced} ssl http2 proxy_protocol; set_real_ip_from 127.0.0.0/8; real_ip_header proxy_protocol;`,
      '127.0.0.1:8080': gateway,
      '/etc/letsencrypt/live/www.example.com/fullchain.pem': cert,
      '/etc/letsencrypt/live/www.example.com/privkey.pem': key,
      '/var/lib/letsencrypt': folder(),
    });
    const file = join(folder(), 'nginx.conf');
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (each) => `${each}_temp_path ${folder()}/${each};`,
    );
    const main = `daemon off; pid ${folder()}/pid; events {} http { access_log off; ${paths.join(' ')} include ${prepared}; }`;
    writeFileSync(file, main);
    const { stderr } = await run('nginx', ['-t', '-c', file, '-p', folder(), '-e', 'stderr']);
    expect(stderr).toContain('test is successful');
    expect(stderr).not.toContain('[warn]');
    return ['nginx', '-c', file, '-p', folder(), '-e', 'stderr'];
  },
  async caddy({ gateway, http, https }, cert, key) {
    const { stdout } = await run('caddy', ['fmt', join(DEPLOY, 'caddy/Caddyfile')]);
    expect(stdout).toBe(readFileSync(join(DEPLOY, 'caddy/Caddyfile'), 'utf8'));
    const file = await prepare('caddy/Caddyfile', {
      '\n{\n': `\n{\n\tadmin off\n\thttp_port ${http}\n\thttps_port ${https}\n`,
      'www.example.com {': `www.example.com {\n\ttls ${cert} ${key}\n`,
      '127.0.0.1:8080': gateway,
    });
    return ['caddy', 'run', '--adapter', 'caddyfile', '--config', file];
  },
};

test.each(Object.keys(SERVERS))('%s serves a public site with its configuration', async (name) => {
  const site = await runEchoSite(({ url: target }, response) => {
    if (target === '/large-head')
      response.setHeader('Link', Array(40).fill(`<${'a'.repeat(1000)}>; rel="x"`));
    return false;
  });
  const config = join(folder(), 'waygate.json');
  const url = 'https://www.example.com';
  const access = { admin: ['127.0.0.1'] };
  const sites = [{ url: site.origin, discovery: 'off', passthrough: true, access }];
  writeFileSync(config, JSON.stringify({ trust: ['127.0.0.1'], publicUrl: url, sites }));
  const gateway = await serve('--config', config);
  const [cert, key] = [join(folder(), 'cert.pem'), join(folder(), 'key.pem')];
  const certificate = createCertificate({ name: 'www.example.com' });
  writeFileSync(cert, certificate.cert);
  writeFileSync(key, certificate.key);
  const ports = {
    http: await findFreePort(),
    https: await findFreePort(),
    balanced: await findFreePort(),
    gateway: new URL(gateway.url).host,
  };
  const [program = '', ...args] = (await SERVERS[name]?.(ports, cert, key)) ?? [];
  const server = spawn(program, args, { env: { ...process.env, HOME: folder() }, stdio: 'ignore' });
  const exited = new Promise((resolve) => server.once('exit', resolve));
  onTestFailed(() => void server.kill());

  /** Sends a request from an address. @returns status, version of HTTP, and target of a redirect */
  async function send(from: string, target: string, ...flags: readonly string[]): Promise<string> {
    const port = target.startsWith('http:') ? ports.http : ports.https;
    const line = '%{http_code} %{http_version} %{redirect_url}';
    const connect = ['--connect-to', `::127.0.0.1:${port}`, '--interface', from, '--cacert', cert];
    const common = ['-s', '--path-as-is', '-o', join(folder(), 'body'), '-w', line];
    const { stdout } = await run('curl', [...common, ...connect, ...flags, target]);
    return stdout.trim();
  }
  const [operator, visitor] = ['127.0.0.1', '127.0.0.2'];
  await waitUntil(() => send(visitor, `${url}/`).then(Boolean, () => false));

  const claims = ['X-Real-IP', 'CF-Connecting-IP', 'True-Client-IP', 'Fastly-Client-IP', 'X-Sucuri-ClientIP'];
  const forged = [
    ...['X-Forwarded-For: 127.0.0.9', 'Forwarded: for=127.0.0.9', 'CF-IPCountry: DE', 'X-Forwarded-Ssl: off'],
    ...claims.map((name) => `${name}: 127.0.0.9`),
  ].flatMap((field) => ['-H', field]);
  expect(await send(visitor, `${url}/about/?a=1`, ...forged)).toBe('200 2');
  await waitUntil(() => gateway.logLines.some(({ path }) => path === '/about/'));
  expect(gateway.logLines.find(({ path }) => path === '/about/')).toMatchObject({ client: visitor });

  const refused = ['/wp-admin', '/wp-admin/users.php', '//wp-admin/', '/%77p-admin/'];
  const closed = ['/xmlrpc.php', '/blog//xmlrpc.php/a', '/wp-cron.php?doing_wp_cron=1', '/%77p-cron.php'];
  for (const path of [...refused, ...closed, '/wp-login.php?a', '/wp-login.php/a', '/-/status', '//-/status'])
    expect(`${path} ${await send(visitor, url + path, ...forged)}`).toBe(`${path} 403 2`);
  expect(await send(visitor, `${url}/a/../wp-login.php`)).toBe('400 2');
  // What visitors need.
  const actions = ['postpass', 'logout', 'rp', 'resetpass', 'confirmaction'];
  const scripts = ['admin-ajax.php?action=a', 'admin-post.php', 'js/password-strength-meter.min.js'];
  for (const path of [
    ...actions.map((action) => `/wp-login.php?action=${action}`),
    ...scripts.map((script) => `/wp-admin/${script}`),
  ])
    expect(`${path} ${await send(visitor, url + path)}`).toBe(`${path} 200 2`);
  const postpass = `${url}/wp-login.php?action=postpass`;
  expect(await send(visitor, postpass, '-d', 'post_password=a')).toBe('200 2');
  expect(await send(visitor, postpass, '-d', 'log=a&pwd=b&action=login')).toBe('403 2');
  for (const path of closed) expect(`${path} ${await send(operator, url + path)}`).toBe(`${path} 403 2`);
  for (const path of ['/wp-admin/users.php', '/wp-login.php', '/-/ready'])
    expect(`${path} ${await send(operator, url + path)}`).toBe(`${path} 200 2`);

  expect(await send(visitor, `${url}/large-head`)).toBe('200 2');

  const upload = join(folder(), 'upload');
  writeFileSync(upload, Buffer.alloc(20 * 1024 * 1024));
  expect(await send(visitor, `${url}/upload`, '-F', `file=@${upload}`, ...forged)).toBe('200 2');
  const { body = '', headers } = site.received.find((request) => request.url === '/upload') ?? {};
  expect(body.length).toBeGreaterThan(20 * 1024 * 1024);
  expect(headers).toMatchObject({
    'x-forwarded-for': `${visitor}, ${operator}`,
    'x-forwarded-proto': 'https',
    'x-forwarded-ssl': 'on',
  });
  const forwarded = Object.keys(headers ?? {});
  for (const name of [...claims, 'CF-IPCountry']) expect(forwarded).not.toContain(name.toLowerCase());
  truncateSync(upload, 65 * 1024 * 1024);
  // Caddy 2.6 ends the stream in place of a response.
  const tooLarge = send(visitor, `${url}/upload`, '-F', `file=@${upload}`).catch(() => 'ended');
  expect(await tooLarge).toMatch(/^(?:413 2|ended)$/);

  const plain = 'http://www.example.com';
  expect(await send(visitor, `${plain}/a?b=1`)).toMatch(/^30[18] 1.1 https:\/\/www\.example\.com.*\/a\?b=1$/);
  if (name === 'nginx') {
    // Its workers have another user.
    chmodSync(folder(), 0o755);
    mkdirSync(join(folder(), '.well-known/acme-challenge'), { recursive: true });
    writeFileSync(join(folder(), '.well-known/acme-challenge/token'), 'proof');
    expect(await send(visitor, `${plain}/.well-known/acme-challenge/token`)).toBe('200 1.1');
    expect(readFileSync(join(folder(), 'body'), 'utf8')).toBe('proof');
  }
  if (name === 'nginx') {
    expect(await sendByBalancer(ports.balanced, '203.0.113.9', cert)).toBe('HTTP/1.1 200 OK');
    await waitUntil(() => gateway.logLines.some(({ path }) => path === '/balanced/'));
    const line = gateway.logLines.find(({ path }) => path === '/balanced/');
    expect(line).toMatchObject({ client: '203.0.113.9' });
  } else {
    const altSvc = await send(visitor, `${url}/`, '-w', '%header{alt-svc}');
    expect(altSvc).toBe(`h3=":${ports.https}"; ma=2592000`);
    const socket = createSocket('udp4').bind(ports.https);
    expect((await once(socket, 'error'))[0]).toMatchObject({ code: 'EADDRINUSE' });
  }
  server.kill();
  await exited;
});
