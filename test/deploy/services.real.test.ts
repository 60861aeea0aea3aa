import { execFile, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { MAIN } from '../cli/serve-process.ts';
import { ROOT } from '../project/source-files.ts';
import { writeCertificate } from '../support/certificates.ts';
import { startEchoSite } from '../support/echo-site.ts';
import { useFolder } from '../support/folder.ts';
import { waitUntil } from '../support/wait.ts';

const folder = useFolder();
const run = promisify(execFile);
const DEPLOY = join(ROOT, 'deploy');

/** Listens as systemd does: prints each datagram, and closes the descriptors that come with it. */
const LISTENER = `import socket, sys
listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listener.bind(sys.argv[1])
print('bound', flush=True)
while True: print(listener.recv(4096).decode(), flush=True)`;

describe('systemd', () => {
  const units = ['waygate.socket', 'waygate-socket.service', 'waygate@.service'];

  test('systemd-analyze verify finds nothing in the units', async () => {
    const paths = units.map((file) => join(DEPLOY, 'systemd', file));
    const { stderr } = await run('systemd-analyze', ['verify', ...paths]);
    expect(stderr.split('\n').filter((line) => line.includes('waygate'))).toEqual([]);
  });

  test('systemd-analyze security says that the exposure is at most 2 of 10', async () => {
    const file = join(folder(), 'waygate@0.1.0.service');
    copyFileSync(join(DEPLOY, 'systemd/waygate@.service'), file);
    await run('systemd-analyze', ['security', '--offline=yes', '--threshold=20', file]);
  });

  test('the real systemd-notify sends the messages of a gateway that is given a socket', async () => {
    const socket = join(folder(), 'notify');
    const listener = spawn('python3', ['-c', LISTENER, socket]);
    let messages = '';
    listener.stdout.on('data', (chunk: Buffer) => {
      messages += chunk;
    });
    await waitUntil(() => messages.includes('bound'));
    const site = await startEchoSite();
    const flags = ['--site', site.origin, '--discovery', 'off', '--passthrough', '--port', '0'];
    const env = { ...process.env, NOTIFY_SOCKET: socket, WATCHDOG_USEC: '500000' };
    const gateway = spawn(process.execPath, [MAIN, 'serve', ...flags], { env, stdio: 'ignore' });
    const exited = new Promise((resolve) => gateway.once('exit', resolve));
    await waitUntil(() => messages.includes('READY=1') && messages.includes('WATCHDOG=1'));
    gateway.kill('SIGTERM');
    expect(await exited).toBe(0);
    await waitUntil(() => messages.includes('STOPPING=1'));
    listener.kill();
    await site.close();
  });

  test('systemd-sysusers creates the user of the unit', async () => {
    const root = join(folder(), 'root');
    mkdirSync(join(root, 'etc'), { recursive: true });
    await run('systemd-sysusers', [`--root=${root}`, join(DEPLOY, 'systemd/waygate.sysusers')]);
    expect(readFileSync(join(root, 'etc/passwd'), 'utf8')).toMatch(/^waygate:x:\d+:\d+:/m);
    expect(readFileSync(join(DEPLOY, 'systemd/waygate@.service'), 'utf8')).toMatch(/^User=waygate$/m);
  });
});

describe('a web server before the gateway', () => {
  /** Writes a configuration with the certificate of the test in the place of the operator's. */
  async function prepare(path: string): Promise<string> {
    const { cert, key } = await writeCertificate('www.example.com');
    const text = readFileSync(join(DEPLOY, path), 'utf8')
      .replaceAll('/etc/waygate/cert.pem', cert)
      .replaceAll('/etc/waygate/key.pem', key);
    const file = join(folder(), 'prepared');
    writeFileSync(file, text);
    return file;
  }

  test('nginx -t accepts its configuration', async () => {
    const file = join(folder(), 'nginx.conf');
    writeFileSync(
      file,
      `pid ${folder()}/pid; events {} http { access_log off; include ${await prepare('nginx/waygate.conf')}; }`,
    );
    const { stderr } = await run('nginx', ['-t', '-c', file, '-p', folder(), '-e', 'stderr']);
    expect(stderr).toContain('test is successful');
    expect(stderr).not.toContain('[warn]');
  });

  test('caddy validate accepts its configuration', async () => {
    const file = await prepare('caddy/Caddyfile');
    const env = { ...process.env, HOME: folder() };
    const { stderr } = await run('caddy', ['validate', '--adapter', 'caddyfile', '--config', file], { env });
    // The certificate of the test names no OCSP server.
    const warnings = stderr
      .split('\n')
      .filter((line) => line.includes('"level":"warn"') && !line.includes('OCSP'));
    expect(warnings).toEqual([]);
    const { stdout } = await run('caddy', ['fmt', join(DEPLOY, 'caddy/Caddyfile')]);
    expect(stdout).toBe(readFileSync(join(DEPLOY, 'caddy/Caddyfile'), 'utf8'));
  });
});
