// node scripts/generate.mjs [<folder>]: generates the documents (to openapi/) and clients (to generated/) of the two example sites, in
// this repository or another folder. The sites run in memory, under host names that are the same on every machine.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generate } from '../dist/index.js';
import { boardSite, contentSite } from '../dist/sites/example/index.js';

const [target = fileURLToPath(new URL('..', import.meta.url))] = process.argv.slice(2);
const SITES = { content: contentSite(), boards: boardSite() };

for (const [name, site] of Object.entries(SITES)) {
  const url = `https://${name}.example.com/`;
  const { files } = await generate(url, {
    name,
    only: ['document', 'client'],
    fetch: async (input, init) => site.fetch(new Request(input, init)),
  });
  for (const [file, content] of files) {
    const path = join(target, file.includes('.openapi.') ? 'openapi' : 'generated', file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}
