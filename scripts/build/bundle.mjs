// @ts-check
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const source = join(root, 'src');

/** Scripts of pages, and sources that the generators read. */
const NOT_MODULES = /^(?:pages\/(?:docs|console)\/client|generator\/client\/runtime)\b/;

/**
 * Bundles the entry points of the package. They share their chunks, so each module exists once. Packages stay outside, so that
 * an update of npm reaches them.
 *
 * @param {string} folder
 */
export async function bundlePackage(folder) {
  const { bin, dependencies, exports, imports } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const external = Object.keys({ ...dependencies, ...imports });
  const entries = [bin.waygate, ...Object.values(exports).flatMap((entry) => entry.default ?? [])];
  await build(
    entries.map((file) => relative('dist', file).replace(/\.js$/, '.ts')),
    (specifier) => external.some((name) => specifier === name || specifier.startsWith(`${name}/`)),
    {
      dir: folder,
      chunkFileNames: nameChunk,
      // Modules of a few lines that many chunks use are one file. `--help` needs only the first.
      codeSplitting: {
        groups: [
          {
            name: 'errors',
            test: /\/src\/(?:base\/(?:errors|text)|cli\/config\/amounts|generator\/discovery\/redact)\.ts$/,
          },
          {
            name: 'small',
            test: /\/src\/base\/(?:glob|group-by|hash|memoize|omit-undefined|ports|steps|http\/basic-credentials|http\/message|http\/problems)\.ts$/,
          },
        ],
      },
    },
  );
}

/**
 * Builds src/ file by file, for scripts that use or measure parts of it.
 *
 * @param {string} [folder] replaced
 * @param {readonly import('rolldown').Plugin[]} [plugins]
 * @returns {Promise<string>} the folder
 */
export async function buildModules(folder = join(root, '.modules'), plugins = []) {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  rmSync(folder, { recursive: true, force: true });
  await build(
    files.filter((file) => /\.tsx?$/.test(file) && !NOT_MODULES.test(file)),
    (specifier) => !specifier.startsWith('.'),
    { dir: folder, preserveModules: true, preserveModulesRoot: source },
    plugins,
  );
  copyRuntimes(folder);
  return folder;
}

/**
 * Copies sources that commands write into the files of users, with their comments, as in the repository: TypeScript, and the plugin
 * for WordPress.
 *
 * @param {string} folder
 */
export function copyRuntimes(folder) {
  for (const path of ['generator/client/runtime', 'cli/plugin/waygate.php'])
    cpSync(join(source, path), join(folder, path), {
      recursive: true,
      // It stands for the operations of a site, which a generated client has in its place.
      filter: (file) => !file.endsWith('operations.ts'),
    });
}

/**
 * @param {readonly string[]} files below src/
 * @param {(specifier: string) => boolean} isExternal of a package's name
 * @param {import('rolldown').OutputOptions} output
 * @param {readonly import('rolldown').Plugin[]} [plugins]
 */
async function build(files, isExternal, output, plugins = []) {
  const bundle = await rolldown({
    cwd: root,
    experimental: { attachDebugInfo: 'none' },
    input: Object.fromEntries(files.map((file) => [file.replace(/\.tsx?$/, ''), join(source, file)])),
    platform: 'node',
    logLevel: 'warn',
    tsconfig: join(root, 'tsconfig.json'),
    plugins: [
      { name: 'compact-data', transform: { filter: { id: /\.json$/ }, handler: compactData } },
      ...plugins,
    ],
    external: (specifier) => isBuiltin(specifier) || (/^[\w@#]/.test(specifier) && isExternal(specifier)),
  });
  await bundle.write({ ...output, format: 'esm', comments: false, topLevelVar: true });
  await bundle.close();
}

/**
 * A module that is loaded on demand keeps its path, by which it finds the files beside it.
 *
 * @param {{ facadeModuleId?: string | null | undefined }} chunk
 */
function nameChunk({ facadeModuleId }) {
  if (!facadeModuleId?.startsWith(source)) return 'chunks/[name]-[hash].js';
  return relative(source, facadeModuleId).replace(/\.tsx?$/, '.js');
}

/** A text is smaller than an object literal with its white space, and V8 reads it faster. @param {string} code */
function compactData(code) {
  // Between backticks: quotes would be escaped.
  const text = JSON.stringify(JSON.parse(code)).replace(/[\\`]|\$(?=\{)/g, '\\$&');
  return { code: `export default /* @__PURE__ */ JSON.parse(\`${text}\`);`, moduleType: 'js' };
}
