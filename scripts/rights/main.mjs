#!/usr/bin/env node
// @ts-check
// Runs the operations of a temporary WordPress as each role, and prints src/generator/model/conventions/rights.json.
// Requires npm run build. Usage: node scripts/rights/main.mjs
import { fileURLToPath } from 'node:url';
import { discover, toOpenApi } from '../../dist/index.js';
import { importerOf } from '../build/modules.mjs';
import { startWordPress } from '../wordpress/start.mjs';
import { listProbed } from './operations.mjs';
import { runRights } from './run.mjs';

const importModule = await importerOf();
const modules = {
  ...(await importModule('generator/openapi/operations')),
  ...(await importModule('generator/openapi/document-objects')),
  ...(await importModule('generator/example-values/document-examples')),
};
const muPlugins = fileURLToPath(new URL('mu-plugins', import.meta.url));
const { stop, url, users, version } = await startWordPress({ muPlugins });
try {
  const { document } = toOpenApi(await discover(url));
  const rights = await runRights(url, users.administrator, listProbed(document, modules));
  process.stdout.write(`${JSON.stringify({ versions: [version], rights }, null, 2)}\n`);
} finally {
  await stop();
}
