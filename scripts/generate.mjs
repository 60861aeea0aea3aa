// Writes what the generator makes of the two example sites: the documents to openapi/, types and reports to generated/.
// CI runs it and fails on a difference. The sites are asked in memory, under names that depend on no machine.
import { mkdir, writeFile } from 'node:fs/promises';
import { boardSite, contentSite } from '../dist/example/index.js';
import { generate } from '../dist/generate.js';

const SITES = { content: contentSite, boards: boardSite };

for (const [name, start] of Object.entries(SITES)) {
  const url = `https://${name}.example.com/`;
  const site = start({ base: url });
  const { files } = await generate(url, {
    name,
    fetch: async (input, init) => site.fetch(new Request(input, init)),
  });
  for (const [file, content] of files) {
    const folder = new URL(file.includes('.openapi.') ? '../openapi/' : '../generated/', import.meta.url);
    await mkdir(folder, { recursive: true });
    await writeFile(new URL(file, folder), content);
  }
}
