// @ts-check
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The newest versions that install together. `@scalar/openapi-parser` after 0.29.7 requires a package that npm lacks. */
const PACKAGES = {
  '@apidevtools/swagger-parser': '13.1.0',
  '@hey-api/openapi-ts': '0.99.0',
  '@kubb/cli': '4.39.3',
  '@kubb/core': '4.39.3',
  '@kubb/plugin-client': '4.39.3',
  '@kubb/plugin-oas': '4.39.3',
  '@kubb/plugin-ts': '4.39.3',
  '@redocly/cli': '2.77.0',
  '@scalar/openapi-parser': '0.29.7',
  '@stoplight/spectral-cli': '6.16.3',
  '@types/node': '24.0.0',
  esbuild: '0.28.2',
  'openapi-fetch': '0.17.0',
  'openapi-to-postmanv2': '6.3.3',
  'openapi-typescript': '7.13.0',
  orval: '8.38.0',
  typescript: '5.9.3',
};

/**
 * The tools that need few packages and run with any supported version of Node.
 *
 * @type {ReadonlyMap<string, readonly (keyof typeof PACKAGES)[]>}
 */
const SMALL = new Map([
  ['redocly', ['@redocly/cli']],
  ['spectral', ['@stoplight/spectral-cli']],
  ['hey-api', ['@hey-api/openapi-ts', '@types/node', 'typescript']],
]);

/** Most of the tools need Node 22.18 or newer. npm's package `node` contains its binary. */
const NODE_VERSION = '24.9.0';

/**
 * Installs the tools in a folder of the system's temporary files, once for each version of the table above. Small tools that
 * are asked for alone are installed without the others: 50 to 200 packages in place of 1,500.
 *
 * @param {readonly string[] | undefined} only the names of the tools that are asked for
 * @returns {Promise<{ folder: string, node: string }>} the folder, and the path of Node's binary
 */
export async function installTools(only) {
  const small = only?.map((name) => SMALL.get(name)) ?? [undefined];
  const isPart = small.every((names) => names !== undefined);
  const wanted = Object.entries(PACKAGES).filter(
    ([name]) => !isPart || small.some((names) => names?.some((each) => each === name)),
  );
  const table = JSON.stringify(isPart ? wanted : [PACKAGES, NODE_VERSION]);
  const hash = createHash('sha256').update(table).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), `waygate-tools-${hash}`);
  const nodeFolder = join(folder, 'node');
  const node = isPart ? process.execPath : join(nodeFolder, 'node_modules', 'node', 'bin', 'node');
  const marker = join(folder, 'installed');
  if (existsSync(marker)) return { folder, node };
  await mkdir(nodeFolder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await writeFile(join(nodeFolder, 'package.json'), JSON.stringify({ private: true }));
  const packages = wanted.map(([name, version]) => `${name}@${version}`);
  const common = ['install', '--no-audit', '--no-fund', '--loglevel=error'];
  // Scripts of packages are not run, except that of `node`, which puts the binary in its place.
  await run('npm', [...common, '--ignore-scripts', '--legacy-peer-deps', ...packages], { cwd: folder });
  if (!isPart) await run('npm', [...common, `node@${NODE_VERSION}`], { cwd: nodeFolder });
  await writeFile(marker, '');
  return { folder, node };
}
