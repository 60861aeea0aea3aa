import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { runServer } from '../../support/run.ts';
import { findFreePort } from '../../support/server.ts';
import { waitUntilOk } from '../../support/wait.ts';
import { recordedClient } from '../types/documents.ts';

const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waygate-bundlers-'));
  closeAfterTest(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'site.client.ts'), await recordedClient());
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  const packages = ['esbuild@0.28.2', 'rolldown@1.2.19', 'webpack@5.112.2', 'workerd@1.20261117.1'];
  await run('npm', ['install', ...flags, ...packages], { cwd: folder });
}, 300_000);

/** Runs a module of JavaScript in the folder. */
async function runModule(name: string, text: string): Promise<void> {
  await writeFile(join(folder, name), text);
  await run(process.execPath, [name], { cwd: folder });
}

const CALL = `import { createClient } from './site.client.ts';
const client = createClient({ baseUrl: '/wp-json', auth: { username: 'a', password: 'b' } });
client.GET('/wp/v2/posts').then(console.log);
`;

/** Bundles `call.ts` for browsers, minified, with each bundler. */
const BUNDLE = `import { readFile, writeFile } from 'node:fs/promises';
import { build, transform } from 'esbuild';
import { rolldown } from 'rolldown';
import webpack from 'webpack';

await build({ entryPoints: ['call.ts'], outfile: 'esbuild.js', bundle: true, minify: true, format: 'esm', platform: 'browser' });
const bundle = await rolldown({ input: 'call.ts', platform: 'browser' });
await bundle.write({ file: 'rolldown.js', minify: true });
for (const name of ['call', 'site.client']) {
  const { code } = await transform(await readFile(name + '.ts', 'utf8'), { loader: 'ts' });
  await writeFile(name + '.js', code.replaceAll('.client.ts', '.client.js'));
}
const stats = await new Promise((resolve, reject) =>
  webpack(
    {
      mode: 'production',
      entry: './call.js',
      experiments: { outputModule: true },
      output: { path: process.cwd(), filename: 'webpack.js', library: { type: 'module' } },
    },
    (error, result) => (error ? reject(error) : resolve(result)),
  ),
);
if (stats.hasErrors()) throw new Error(stats.toString());
`;

test('a program with one call has at most 5 kB with gzip, and imports nothing', async () => {
  await writeFile(join(folder, 'call.ts'), CALL);
  await runModule('bundle.mjs', BUNDLE);
  for (const bundler of ['esbuild', 'rolldown', 'webpack']) {
    const code = await readFile(join(folder, `${bundler}.js`));
    expect(gzipSync(code).length, bundler).toBeLessThanOrEqual(5_000);
    expect(code.toString(), bundler).not.toMatch(/\bfrom\s*["']|\brequire\(|\bimport\s*\(/);
  }
}, 120_000);

const WORKER = `import { createClient } from './site.client.ts';
export default {
  async fetch(request, { SITE }) {
    const client = createClient({ baseUrl: SITE, auth: { username: 'a', password: 'b' }, throw: true });
    const { data, total } = await client.GET('/wp/v2/posts', { query: { include: [1, 2] } });
    return Response.json({ titles: data.map(({ title }) => title.rendered), total });
  },
};
`;

const BUNDLE_WORKER = `import { build } from 'esbuild';
await build({ entryPoints: ['worker.ts'], outfile: 'worker.js', bundle: true, format: 'esm', platform: 'browser' });
`;

/** The worker at a port, with access to servers of this machine. */
const createWorkerdConfig = (port: number, site: string) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "worker.js")],
      compatibilityDate = "2026-04-01",
      bindings = [(name = "SITE", text = "${site}")],
    )),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`;

test('the client runs in a Cloudflare Worker', async () => {
  const asked: (string | undefined)[] = [];
  const site = await runServer(({ headers, url }, response) => {
    asked.push(url, headers.authorization);
    response.writeHead(200, { 'Content-Type': 'application/json', 'X-WP-Total': '2' });
    response.end(JSON.stringify([{ title: { rendered: 'One' } }, { title: { rendered: 'Two' } }]));
  });
  await writeFile(join(folder, 'worker.ts'), WORKER);
  await runModule('bundle-worker.mjs', BUNDLE_WORKER);
  const port = await findFreePort();
  await writeFile(join(folder, 'worker.capnp'), createWorkerdConfig(port, `${site.origin}/wp-json`));
  const options = { cwd: folder, stdio: 'inherit' } as const;
  const workerd = spawn('node_modules/.bin/workerd', ['serve', 'worker.capnp'], options);
  closeAfterTest(() => workerd.kill());
  const url = `http://127.0.0.1:${port}/`;
  await waitUntilOk(url);
  asked.length = 0;
  const result = await (await fetch(url)).json();
  expect(result).toEqual({ titles: ['One', 'Two'], total: 2 });
  expect(asked).toEqual(['/wp-json/wp/v2/posts?include%5B0%5D=1&include%5B1%5D=2', `Basic ${btoa('a:b')}`]);
}, 120_000);
