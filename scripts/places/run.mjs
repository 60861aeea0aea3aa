// @ts-check
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';

/** The folder of one place, with what starts and stops processes in it. */
export class Project {
  /** @type {Set<import('node:child_process').ChildProcess>} */
  #running = new Set();
  /** @type {NodeJS.ProcessEnv} */
  #env;

  /**
   * @param {string} folder
   * @param {import('./site.mjs').Site} site
   * @param {string | null} nodeFolder of the Node that the tools need; `null` for the one that runs this script
   */
  constructor(folder, site, nodeFolder) {
    this.folder = folder;
    this.site = site;
    const paths = [
      join(folder, 'node_modules/.bin'),
      ...(nodeFolder ? [nodeFolder] : []),
      process.env['PATH'],
    ];
    this.#env = {
      ...process.env,
      PATH: paths.join(delimiter),
      CI: '1',
      NO_COLOR: '1',
      NODE_ENV: undefined,
      SITE_URL: site.root,
      ...Object.fromEntries(['NEXT', 'NUXT', 'ASTRO'].map((name) => [`${name}_TELEMETRY_DISABLED`, '1'])),
    };
  }

  /** @param {string} name of a file */
  path(name) {
    return join(this.folder, name);
  }

  /** @param {string} name @param {string} text */
  async write(name, text) {
    await mkdir(dirname(this.path(name)), { recursive: true });
    await writeFile(this.path(name), text);
  }

  /**
   * Runs a command to its end.
   *
   * @param {readonly [command: string, ...args: string[]]} command
   * @param {NodeJS.ProcessEnv} [env]
   * @returns {Promise<string>} what it has written
   * @throws {Error} with what it has written, if it fails
   */
  async run([command, ...args], env = {}) {
    const { child, output } = this.#spawn(command, args, env);
    const timer = setTimeout(() => kill(child), 1_500_000);
    const code = await new Promise((resolve) => child.once('close', resolve));
    clearTimeout(timer);
    if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}\n${output()}`);
    return output();
  }

  /**
   * Starts a server and waits until it responds to a path.
   *
   * @param {(port: string) => readonly [command: string, ...args: string[]]} command
   * @param {{ path?: string, port?: string, env?: NodeJS.ProcessEnv }} [options]
   * @returns {Promise<{ readonly origin: string, stop(): Promise<void>, output(): string }>}
   */
  async serve(command, { path = '/', port, env = {} } = {}) {
    port ??= String(await findFreePort());
    const [file, ...args] = command(port);
    const { child, output } = this.#spawn(file, args, { PORT: port, HOST: '127.0.0.1', ...env });
    const origin = `http://127.0.0.1:${port}`;
    const stop = async () => {
      kill(child);
      if (child.exitCode === null && child.signalCode === null)
        await new Promise((resolve) => child.once('close', resolve));
    };
    const until = Date.now() + 300_000;
    for (;;) {
      const status = await fetch(origin + path, { signal: AbortSignal.timeout(30_000) }).then(
        ({ status }) => status,
        () => 0,
      );
      if (status === 200) return { origin, stop, output };
      if (child.exitCode !== null || Date.now() > until) {
        await stop();
        throw new Error(`${file} ${args.join(' ')} does not serve ${path} (${status})\n${output()}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }

  /** Ends what still runs. */
  stop() {
    for (const child of this.#running) kill(child);
  }

  /** @param {string} command @param {readonly string[]} args @param {NodeJS.ProcessEnv} env */
  #spawn(command, args, env) {
    // A group of its own: tools start others, which end with it.
    const child = spawn(command, args, {
      cwd: this.folder,
      env: { ...this.#env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
    child.once('error', (error) => (text += error.message));
    this.#running.add(child);
    child.once('close', () => this.#running.delete(child));
    return { child, output: () => text.trim() };
  }
}

/** @param {import('node:child_process').ChildProcess} child */
function kill({ pid }) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** @returns {Promise<number>} */
export function findFreePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}
