// @ts-check
// Builds the package into dist/: the bundled JavaScript without comments, the type declarations that the entry points reach,
// and the assets of the pages. Comments stay in the declarations, where
// editors show them. With --modules it builds src/ file by file into .modules/ instead, for scripts that use or measure its parts.
// With --prepare, npm's script of that name, it builds what is still missing.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { buildModules, bundlePackage, copyRuntimes, root } from './bundle.mjs';
import { writeDocsAssets } from './docs-assets.mjs';
import { addOptionTexts } from './option-texts.mjs';

const dist = join(root, 'dist');

const { npm_command: command, npm_package_resolved: packed } = process.env;
const isPrepare = process.argv.includes('--prepare');
/** `npm ci` in a clone: `npm start` needs no declarations, whose compiler takes four fifths of the time. */
const isClone = isPrepare && packed === undefined;
/**
 * What a command of npm needs of an earlier build. `npm pack` and `npm publish` run `prepack` before `prepare`, which therefore finds
 * the declarations. A dependency by git address or folder has no `prepack`, so its `prepare` builds everything.
 *
 * @type {Readonly<Record<string, string>>}
 */
const SUFFICIENT = { exec: 'cli/main.js', pack: 'index.d.ts', publish: 'index.d.ts' };
const sufficient = isPrepare && !isClone ? SUFFICIENT[command ?? ''] : undefined;

if (process.argv.includes('--modules')) await buildModules();
else if (sufficient === undefined || !existsSync(join(dist, sufficient))) {
  if (isClone) console.error('Building waygate for npm start. Type declarations: npm run build.');
  rmSync(dist, { recursive: true, force: true });
  await Promise.all([bundlePackage(dist), isClone || writeDeclarations()]);
  // npm does this once, when it installs. A linked folder that is built again would lose it.
  chmodSync(join(dist, 'cli/main.js'), 0o755);
  await writeDocsAssets(join(dist, 'pages/ui/static'));
  copyRuntimes(dist);
  if (!isClone) await addOptionTexts(dist);
  writeFileSync(join(dist, 'commit.txt'), `${readCommit()}\n`);
  if (isClone) console.error(`Built in ${Math.ceil(performance.now() / 1000)} s.`);
}

/** The commit that is built, for `waygate --version`. A container is built without the repository: its argument names it. */
function readCommit() {
  const stated = process.env['WAYGATE_COMMIT'] ?? '';
  if (stated !== '') return stated;
  const { stdout } = spawnSync('git', ['describe', '--always', '--dirty', '--exclude', '*'], {
    cwd: root,
    encoding: 'utf8',
  });
  return stdout?.trim() || 'unknown';
}

/** Checks the types and writes the declarations that the entry points reach. */
async function writeDeclarations() {
  const tsc = join(root, 'node_modules/typescript-7/bin/tsc');
  const child = spawn(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), '--checkers', '2'], {
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exit(code ?? 1);
  removeUnreachableDeclarations();
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

/**
 * Replaces the data files that a declaration imports by their keys: a compiler without `resolveJsonModule` reads no JSON.
 *
 * @param {string} file
 */
function inlineKeys(file) {
  const declaration = readFileSync(file, 'utf8');
  const inlined = declaration.replaceAll(
    /^import (\w+) from '(\.[^']+\.json)'.*;$/gm,
    (_, name, specifier) => {
      const data = resolve(root, 'src', relative(dist, dirname(file)), specifier);
      const keys = Object.keys(JSON.parse(readFileSync(data, 'utf8')));
      return `declare const ${name}: { ${keys.map((key) => `'${key}': unknown`).join('; ')} };`;
    },
  );
  if (inlined !== declaration) writeFileSync(file, inlined);
}

/** @param {string} file @param {Set<string>} reachable */
function visit(file, reachable) {
  if (reachable.has(file)) return;
  reachable.add(file);
  inlineKeys(file);
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(
    /(?:from|import\()\s*['"](\.[^'"]+)['"]/g,
  )) {
    const target = resolve(dirname(file), specifier.replace(/(?:\.d)?\.[jt]sx?$/, '.d.ts'));
    if (relative(dist, target).startsWith('..'))
      throw new Error(`${file} imports ${specifier}, outside dist`);
    visit(target, reachable);
  }
}
