// @ts-check
// Builds the package into dist/: JavaScript without comments, the type declarations that the entry points reach, and
// the assets of the documentation page. Comments stay in the declarations, where editors show them.
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeDocsAssets } from './docs-assets.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'dist');
const tsc = join(root, 'node_modules/typescript/bin/tsc');

rmSync(dist, { recursive: true, force: true });
run('tsconfig.build.json');
// The first run has checked the types already.
run(
  'tsconfig.build.json',
  '--declaration',
  '--emitDeclarationOnly',
  '--noCheck',
  '--removeComments',
  'false',
);
removeUnreachableDeclarations();
await writeDocsAssets(join(dist, 'docs/static'));
copyRuntimes('client/runtime', 'validators/runtime.ts');

/**
 * Copies sources that the generators write into the files of users: TypeScript with its comments, as in the repository.
 *
 * @param {readonly string[]} paths files and folders below src/
 */
function copyRuntimes(...paths) {
  for (const path of paths) cpSync(join(root, 'src', path), join(dist, path), { recursive: true });
}

/** @param {string} project @param {readonly string[]} flags */
function run(project, ...flags) {
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(root, project), ...flags], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** Deletes the declarations of modules that no entry point's types mention. */
function removeUnreachableDeclarations() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  /** @type {Set<string>} */
  const reachable = new Set();
  for (const entry of Object.values(exports)) {
    if (typeof entry === 'object') visit(resolve(root, entry.types), reachable);
  }
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const path = join(dist, file);
    if (file.endsWith('.d.ts') && !reachable.has(path)) rmSync(path);
  }
}

/** @param {string} file @param {Set<string>} reachable */
function visit(file, reachable) {
  if (reachable.has(file)) return;
  reachable.add(file);
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
    const target = resolve(dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts'));
    if (relative(dist, target).startsWith('..'))
      throw new Error(`${file} imports ${specifier}, outside dist`);
    visit(target, reachable);
  }
}
