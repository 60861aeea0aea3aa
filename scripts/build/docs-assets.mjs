// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scalar = join(root, 'node_modules/@scalar/api-reference');
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

/** The highest level keeps the package below 1.5 MB. It takes some seconds. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };

/**
 * Writes the assets of the documentation page: Brotli-compressed files whose names carry the hash of their content, and
 * a manifest that src/docs/packaged-assets.ts reads. Other content codings would double the package; the gateway creates them
 * on first use.
 *
 * @param {string} target folder, replaced
 */
export function writeDocsAssets(target) {
  const files = {
    reference: { name: 'scalar.js', type: 'text/javascript; charset=utf-8', bytes: referenceBundle() },
    start: { name: 'start.js', type: 'text/javascript; charset=utf-8', bytes: startScript() },
    licences: { name: 'licences.txt', type: 'text/plain; charset=utf-8', bytes: licences() },
  };
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const manifest = Object.entries(files).map(([role, { name, type, bytes }]) => {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    const file = name.replace(/(?=\.[a-z]+$)/, `-${hash}`);
    writeFileSync(join(target, `${file}.br`), brotliCompressSync(bytes, { params: BROTLI }));
    return { role, file, type };
  });
  writeFileSync(join(target, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Scalar's bundle without the message that it logs to the browser console. */
function referenceBundle() {
  const source = readFileSync(join(scalar, 'dist/browser/standalone.js'), 'utf8');
  const greeting = /console\.info\(`@scalar\/api-reference@[\d.]+`\)/g;
  const found = source.match(greeting)?.length;
  if (found !== 1) throw new Error(`expected one console message in Scalar's bundle, found ${found ?? 0}`);
  return Buffer.from(source.replace(greeting, '0').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'));
}

/** The script that starts Scalar. It is a file, so that the page's Content-Security-Policy can forbid inline scripts. */
function startScript() {
  return Buffer.from(`const element = document.getElementById('reference');
Scalar.createApiReference(element, JSON.parse(element.dataset.configuration));
`);
}

/** The licence of each package in the bundle. The bundle's source map names the packages. */
function licences() {
  const { sources } = JSON.parse(readFileSync(join(scalar, 'dist/browser/standalone.js.map'), 'utf8'));
  const bundled = new Set(
    sources.map((/** @type {string} */ source) => {
      const [, inside] = source.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)\//) ?? [];
      const [, sibling] = source.match(/^(?:\.\.\/){3}([a-z][^/]*)\//) ?? [];
      return inside ?? (sibling ? `@scalar/${sibling}` : '@scalar/api-reference');
    }),
  );
  // Packages with the same licence text share one notice.
  /** @type {Map<string, string[]>} */
  const notices = new Map();
  for (const name of [...bundled].sort()) {
    const { label, text } = licenceOf(name);
    notices.set(text, [...(notices.get(text) ?? []), label]);
  }
  const rule = '-'.repeat(80);
  const parts = [...notices].map(([text, names]) => `${names.join('\n')}\n\n${text}`);
  const head = `The reference page is Scalar (github.com/scalar/scalar). It contains these packages.`;
  return Buffer.from(`${[head, ...parts].join(`\n\n${rule}\n`)}\n`);
}

/** @param {string} name */
function licenceOf(name) {
  const places = [
    name,
    ...Object.keys(lock.packages).filter((path) => path.endsWith(`/node_modules/${name}`)),
  ];
  const folder = places
    .map((place) => join(root, place.startsWith('node_modules/') ? place : `node_modules/${place}`))
    .find((path) => existsSync(path));
  // The package is bundled by Scalar and not installed here, so only its name is known.
  if (folder === undefined) return { label: name, text: '(licence: see the package in the npm registry)' };
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const label = `${name} ${version} (${license})`;
  // Some of Scalar's packages omit the licence file that all of them share.
  const home =
    name.startsWith('@scalar/') && !licenceFile(folder) ? join(root, 'node_modules/@scalar/types') : folder;
  const file = licenceFile(home);
  return { label, text: file ? readFileSync(join(home, file), 'utf8').trim() : `(licence: ${license})` };
}

/** @param {string} folder */
function licenceFile(folder) {
  return readdirSync(folder).find((entry) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(entry));
}
