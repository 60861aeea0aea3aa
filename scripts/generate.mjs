// Generates the documents (to openapi/) and clients (to generated/) of the two example sites. CI runs it and fails on a difference.
// The sites run in memory, under host names that are the same on every machine.
import { mkdir, writeFile } from 'node:fs/promises';
import { generate } from '../dist/index.js';
import { boardSite, contentSite } from '../dist/sites/example/index.js';

const SITES = { content: contentSite, boards: boardSite };

for (const [name, createSite] of Object.entries(SITES)) {
  const url = `https://${name}.example.com/`;
  const site = createSite({ base: url });
  const { files } = await generate(url, {
    name,
    only: ['document', 'client'],
    fetch: async (input, init) => site.fetch(new Request(input, init)),
  });
  for (const [file, content] of files) {
    const folder = new URL(file.includes('.openapi.') ? '../openapi/' : '../generated/', import.meta.url);
    await mkdir(folder, { recursive: true });
    await writeFile(new URL(file, folder), content);
  }
}
