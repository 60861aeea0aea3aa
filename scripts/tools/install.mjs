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

/** Most of the tools need Node 22.18 or newer. npm's package `node` contains its binary. */
const NODE_VERSION = '24.9.0';

/**
 * Installs the tools in a folder of the system's temporary files, once for each version of the table above.
 *
 * @returns {Promise<{ folder: string, node: string }>} the folder, and the path of Node's binary
 */
export async function installTools() {
  const table = JSON.stringify([PACKAGES, NODE_VERSION]);
  const hash = createHash('sha256').update(table).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), `waygate-tools-${hash}`);
  const nodeFolder = join(folder, 'node');
  const node = join(nodeFolder, 'node_modules', 'node', 'bin', 'node');
  const marker = join(folder, 'installed');
  if (existsSync(marker)) return { folder, node };
  await mkdir(nodeFolder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await writeFile(join(nodeFolder, 'package.json'), JSON.stringify({ private: true }));
  const packages = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
  const common = ['install', '--no-audit', '--no-fund', '--loglevel=error'];
  // Scripts of packages are not run, except that of `node`, which puts the binary in its place.
  await run('npm', [...common, '--ignore-scripts', '--legacy-peer-deps', ...packages], { cwd: folder });
  await run('npm', [...common, `node@${NODE_VERSION}`], { cwd: nodeFolder });
  await writeFile(marker, '');
  return { folder, node };
}
