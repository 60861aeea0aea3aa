// Bundles the gateway as wrangler does, and serves it with workerd.
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';

const [port, ...compatibilityFlags] = process.argv.slice(2);
const { metafile } = await build({
  entryPoints: ['gateway.ts'],
  outfile: 'worker.js',
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['node:*'],
  metafile: true,
});
const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
if (imports.length > 0) throw new Error(`the bundle imports ${imports.map(({ path }) => path)}`);
const worker = new Miniflare({
  scriptPath: 'worker.js',
  modules: true,
  compatibilityDate: '2026-04-01',
  compatibilityFlags,
  host: '127.0.0.1',
  port: Number(port),
  cf: false,
});
await worker.ready;
