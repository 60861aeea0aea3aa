// @ts-check
// `npm pack` and `npm publish` run this before and after they read package.json: without `prepare`, which builds a clone, the
// packed package has no script that npm 11 asks its users to approve.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bundle.mjs';

const manifest = join(root, 'package.json');
const kept = join(root, '.package.json');

if (process.argv.includes('--restore')) {
  if (existsSync(kept)) renameSync(kept, manifest);
} else {
  const content = readFileSync(manifest, 'utf8');
  const { scripts, ...others } = JSON.parse(content);
  const { prepare: _, ...packed } = scripts;
  writeFileSync(kept, content);
  // By renaming, because suites that run beside the packing read the manifest.
  writeFileSync(`${kept}.part`, `${JSON.stringify({ ...others, scripts: packed }, null, 2)}\n`);
  renameSync(`${kept}.part`, manifest);
}
