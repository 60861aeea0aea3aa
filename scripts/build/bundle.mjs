// @ts-check
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { minifySync } from 'rolldown/experimental';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const source = join(root, 'src');

/** Scripts of pages, and sources that the generators read. */
const NOT_MODULES = /^(?:docs\/client|gateway\/console\/client|client\/runtime)\b/;

/**
 * Bundles the entry points of the package. They share their chunks, so each module exists once. Development dependencies that
 * src/ imports are part of the bundle, because `waygate serve` needs them at its start: to find and to read their files takes
 * longer than to run them. Dependencies of package.json are not: they are loaded on demand, or differ between platforms.
 *
 * @param {string} folder
 * @returns {Promise<readonly string[]>} the names of the packages that the bundle contains
 */
export async function bundlePackage(folder) {
  const { bin, dependencies, exports, imports } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  // Declarations mention the types of `hono`, so it is a dependency too.
  const external = Object.keys({ ...dependencies, ...imports }).filter((name) => name !== 'hono');
  const entries = [bin.waygate, ...Object.values(exports).flatMap((entry) => entry.default ?? [])];
  const modules = await build(
    entries.map((file) => relative('dist', file).replace(/\.js$/, '.ts')),
    (specifier) => external.some((name) => specifier === name || specifier.startsWith(`${name}/`)),
    {
      dir: folder,
      chunkFileNames: nameChunk,
      // Modules of a few lines that many chunks use are one file. `--help` needs only the first.
      codeSplitting: {
        groups: [
          { name: 'errors', test: /\/src\/(?:count-of|errors|config\/amounts|discovery\/redact)\.ts$/ },
          {
            name: 'small',
            test: /\/src\/(?:glob|group-by|hash|memoize|omit-undefined|ports|steps|http\/basic-credentials|http\/exchange|http\/problems)\.ts$/,
          },
        ],
      },
    },
  );
  const packages = modules.flatMap((file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
  return [...new Set(packages)].sort();
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
  for (const path of ['client/runtime', 'cli/plugin/waygate.php'])
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
 * @returns {Promise<readonly string[]>} the paths of all modules in the output
 */
async function build(files, isExternal, output, plugins = []) {
  const bundle = await rolldown({
    cwd: root,
    experimental: { attachDebugInfo: 'none' },
    input: Object.fromEntries(files.map((file) => [file.replace(/\.tsx?$/, ''), join(source, file)])),
    platform: 'node',
    resolve: {
      alias: {
        undici$: fileURLToPath(new URL('undici.mjs', import.meta.url)),
      },
    },
    logLevel: 'warn',
    tsconfig: join(root, 'tsconfig.json'),
    plugins: [
      {
        name: 'minify-packages',
        transform: { filter: { id: /node_modules.*\.[cm]?js$/ }, handler: minifyPackage },
        // Chunks without code of this project have no line breaks.
        generateBundle(_, files) {
          for (const [name, chunk] of Object.entries(files))
            if (chunk.type === 'chunk' && !chunk.moduleIds.some((id) => id.startsWith(source)))
              chunk.code = minifySync(name, chunk.code, { compress: false, mangle: false }).code;
        },
      },
      { name: 'compact-data', transform: { filter: { id: /\.json$/ }, handler: compactData } },
      ...plugins,
    ],
    external: (specifier) => isBuiltin(specifier) || (/^[\w@#]/.test(specifier) && isExternal(specifier)),
  });
  const chunks = await bundle.write({ ...output, format: 'esm', comments: false, topLevelVar: true });
  await bundle.close();
  return chunks.output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
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

/** Packages that read the name of no class, and throw nothing that a log names by its class. */
const NAMELESS = /node_modules\/(?:@modelcontextprotocol|re2js|zod)\//;

/** @param {string} code @param {string} file */
function minifyPackage(code, file) {
  return minifySync(file, code, { mangle: { keepNames: !NAMELESS.test(file) } }).code;
}

/** A text is smaller than an object literal with its white space, and V8 reads it faster. @param {string} code */
function compactData(code) {
  // Between backticks: quotes would be escaped.
  const text = JSON.stringify(JSON.parse(code)).replace(/[\\`]|\$(?=\{)/g, '\\$&');
  return { code: `export default /* @__PURE__ */ JSON.parse(\`${text}\`);`, moduleType: 'js' };
}
