// @ts-check
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './bundle.mjs';
import { licencesOf } from './licences.mjs';

/** Packages that the scripts of the pages contain. */
const BUNDLED = ['minisearch'];

/**
 * Writes the assets of the documentation and of the console, whose names carry the hash of their content, as one module, which
 * src/pages/ui/packaged-assets.ts imports: bundles for platforms without files contain it. The gateway compresses them on first use.
 *
 * @param {string} target folder, replaced
 */
export async function writeDocsAssets(target) {
  const [css, js] = ['text/css; charset=utf-8', 'text/javascript; charset=utf-8'];
  const files = {
    style: { name: 'docs.css', type: css, bytes: readStyle('src/pages/docs/static/docs.css') },
    script: { name: 'docs.js', type: js, bytes: await bundleScript('src/pages/docs/client/main.ts') },
    searchWorker: {
      name: 'search.js',
      type: js,
      bytes: await bundleScript('src/pages/docs/client/search-worker.ts'),
    },
    consoleStyle: {
      name: 'console.css',
      type: css,
      bytes: readStyle('src/pages/console/static/console.css'),
    },
    consoleScript: {
      name: 'console.js',
      type: js,
      bytes: await bundleScript('src/pages/console/client/main.ts'),
    },
    licences: {
      name: 'licences.txt',
      type: 'text/plain; charset=utf-8',
      bytes: Buffer.from(
        `The script of the documentation contains these packages.\n\n${licencesOf(BUNDLED)}\n`,
      ),
    },
  };
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const entries = Object.entries(files).map(([role, { name, type, bytes }]) => {
    const digest = createHash('sha256').update(bytes);
    const integrity = `sha256-${digest.copy().digest('base64')}`;
    const file = name.replace(/(?=\.[a-z]+$)/, `-${digest.digest('hex').slice(0, 16)}`);
    return [role, { file, type, integrity, text: bytes.toString() }];
  });
  writeFileSync(
    join(target, 'assets.js'),
    `export default ${JSON.stringify(Object.fromEntries(entries), null, 1)};\n`,
  );
}

/**
 * Reads a style sheet without its comments and indentation.
 *
 * @param {string} path
 */
function readStyle(path) {
  const text = readFileSync(join(root, path), 'utf8');
  return Buffer.from(text.replace(/\/\*.*?\*\/\s*/gs, '').replace(/\n\s+/g, '\n'));
}

/**
 * Bundles the script of some pages.
 *
 * @param {string} path
 */
async function bundleScript(path) {
  const bundle = await rolldown({ input: join(root, path), cwd: root, logLevel: 'warn' });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const [chunk] = output;
  if (output.length !== 1) throw new Error(`expected one script, found ${output.length} files`);
  return Buffer.from(chunk.code);
}
