// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

// Lays the documentation page's files into dist/docs/static: names that carry their content's hash, a gzip and a
// brotli form of each (no plain one: it would double the package), the licences of everything inside, and a manifest that src/docs/assets.ts reads.

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'dist/docs/static');
const scalar = join(root, 'node_modules/@scalar/api-reference');

// The last two levels would save a tenth of the bytes and take ten times as long, at every `npm ci`.
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 };

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

/** Everything that the page loads. The keys are what the manifest calls them. */
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
  writeFileSync(join(target, `${file}.gz`), gzipSync(bytes, { level: 9 }));
  writeFileSync(join(target, `${file}.br`), brotliCompressSync(bytes, { params: BROTLI }));
  return { role, file, type };
});
writeFileSync(join(target, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);

/** Scalar's own bundle without the line that it writes to the console of everybody who opens the page. */
function referenceBundle() {
  const source = readFileSync(join(scalar, 'dist/browser/standalone.js'), 'utf8');
  const greeting = /console\.info\(`@scalar\/api-reference@[\d.]+`\)/g;
  const found = source.match(greeting)?.length;
  if (found !== 1) throw new Error(`expected one greeting in Scalar's bundle, found ${found ?? 0}`);
  return Buffer.from(source.replace(greeting, '0').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'));
}

/** A file and not a line in the page, so that the page's policy can refuse every inline script. */
function startScript() {
  return Buffer.from(`const at = document.getElementById('reference');
Scalar.createApiReference(at, JSON.parse(at.dataset.configuration));
`);
}

/** The licence of each package whose source the bundle was made of, as its source map tells. */
function licences() {
  const { sources } = JSON.parse(readFileSync(join(scalar, 'dist/browser/standalone.js.map'), 'utf8'));
  const bundled = new Set(
    sources.map((/** @type {string} */ source) => {
      const [, inside] = source.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)\//) ?? [];
      const [, sibling] = source.match(/^(?:\.\.\/){3}([a-z][^/]*)\//) ?? [];
      return inside ?? (sibling ? `@scalar/${sibling}` : '@scalar/api-reference');
    }),
  );
  // One notice for all packages that share it word for word.
  /** @type {Map<string, string[]>} */
  const notices = new Map();
  for (const name of [...bundled].sort()) {
    const { label, text } = licenceOf(name);
    notices.set(text, [...(notices.get(text) ?? []), label]);
  }
  const rule = '-'.repeat(80);
  const parts = [...notices].map(([text, names]) => `${names.join('\n')}\n\n${text}`);
  const head = `The reference page is Scalar (github.com/scalar/scalar) and is made of these packages.`;
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
  // Bundled, but by Scalar's own lock file only: its name is all that is known here.
  if (folder === undefined) return { label: name, text: '(licence: see the package in the npm registry)' };
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const label = `${name} ${version} (${license})`;
  // Some of Scalar's packages leave out the file that all of them share.
  const home =
    name.startsWith('@scalar/') && !licenceFile(folder) ? join(root, 'node_modules/@scalar/types') : folder;
  const file = licenceFile(home);
  return { label, text: file ? readFileSync(join(home, file), 'utf8').trim() : `(licence: ${license})` };
}

/** @param {string} folder */
function licenceFile(folder) {
  return readdirSync(folder).find((entry) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(entry));
}
