// @ts-check
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { rolldown } from 'rolldown';
import { root } from './bundle.mjs';
import { licencesOf } from './licences.mjs';

const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 11 };

/** Packages that the scripts of the pages contain. */
const BUNDLED = ['minisearch'];

/**
 * Writes the assets of the documentation and of the console: Brotli-compressed files whose names carry the hash of their content, and a
 * manifest that src/ui/packaged-assets.ts reads. The gateway creates other content codings on first use.
 *
 * @param {string} target folder, replaced
 */
export async function writeDocsAssets(target) {
  const [css, js] = ['text/css; charset=utf-8', 'text/javascript; charset=utf-8'];
  const files = {
    style: { name: 'docs.css', type: css, bytes: readStyle('src/docs/static/docs.css') },
    script: { name: 'docs.js', type: js, bytes: await bundleScript('src/docs/client/main.ts') },
    'search-worker': {
      name: 'search.js',
      type: js,
      bytes: await bundleScript('src/docs/client/search-worker.ts'),
    },
    'console-style': {
      name: 'console.css',
      type: css,
      bytes: readStyle('src/gateway/console/static/console.css'),
    },
    'console-script': {
      name: 'console.js',
      type: js,
      bytes: await bundleScript('src/gateway/console/client/main.ts'),
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
  const manifest = Object.entries(files).map(([role, { name, type, bytes }]) => {
    const digest = createHash('sha256').update(bytes);
    const integrity = `sha256-${digest.copy().digest('base64')}`;
    const file = name.replace(/(?=\.[a-z]+$)/, `-${digest.digest('hex').slice(0, 16)}`);
    writeFileSync(join(target, `${file}.br`), brotliCompressSync(bytes, { params: BROTLI }));
    return { role, file, type, integrity };
  });
  writeFileSync(join(target, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
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
  const bundle = await rolldown({
    input: join(root, path),
    cwd: root,
    logLevel: 'warn',
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const [chunk] = output;
  if (output.length !== 1) throw new Error(`expected one script, found ${output.length} files`);
  return Buffer.from(chunk.code);
}
