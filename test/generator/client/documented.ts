import { readFile } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';
import { createSiteDocument } from '../../../src/generate.ts';
import type { OpenApiDocument } from '../../../src/generator/openapi/index.ts';
import { readShopIndex } from '../../support/recorded-indexes.ts';
import { shared } from '../../support/shared.ts';
import { generateFrom } from '../../support/site.ts';
import { recordedSite } from '../types/documents.ts';

/** The guides whose examples use the client of WordPress 7.1. */
const GUIDES = [
  'README',
  ...['client', 'migrating', 'testing', 'monorepos'].map((name) => `docs/front-end/${name}`),
];

/** Begins the program of the calls in the tables. */
const TABLE_HEAD = `import { type Client, paginate } from './site.client.ts';
declare const client: Client, image: Blob, title: string;`;

/** The TypeScript examples of the guides, and the document of WordPress 7.1 with what one of them adds. */
export async function readDocumented(): Promise<{
  readonly document: OpenApiDocument;
  readonly examples: readonly string[];
}> {
  const texts = await Promise.all(
    GUIDES.map((name) => readFile(new URL(`../../../${name}.md`, import.meta.url), 'utf8')),
  );
  const text = texts
    .join('\n')
    .replace(/'(?:\.\/api\/site\.client(?:\.ts)?|@acme\/api)'/g, "'./site.client.ts'");
  const blocks = text.matchAll(/^```ts\n([\s\S]*?)^```$/gm);
  const calls = Array.from(
    text.matchAll(/\| `((?:client\.|paginate\().*\))` \|$/gm),
    ([, call]) => `${call};`,
  );
  expect(calls.length).toBeGreaterThan(5);
  const [, lang = '', extend = ''] =
    /^const lang = (.*);$[\s\S]*^ {6}extend: (\{$[\s\S]*?^ {6}\}),$/m.exec(text) ?? [];
  const added = runInNewContext(`lang = ${lang}; (${extend})`);
  const { document, report } = createSiteDocument(recordedSite(), { extend: added });
  expect(report.overlay?.map(({ places }) => places)).toEqual(Array(6).fill(1));
  const program = [TABLE_HEAD, ...calls].join('\n');
  return { document, examples: [...Array.from(blocks, ([, code = '']) => code), program] };
}

/** The pages and loaders of docs/front-end/frameworks.md as modules beside the client, without their templates. */
export async function readFrameworkPages(): Promise<Readonly<Record<string, string>>> {
  const guide = await readFile(new URL('../../../docs/front-end/frameworks.md', import.meta.url), 'utf8');
  const blocks = Array.from(guide.matchAll(/^```(vue|svelte|astro|tsx?)\n([\s\S]*?)^```$/gm));
  expect(blocks).toHaveLength(9);
  return Object.fromEntries(
    blocks.map(([, language = '', code = ''], at) => {
      const [, script = code] =
        /<script.*>([\s\S]*)<\/script>|^---([\s\S]*)^---/m.exec(code)?.filter(Boolean) ?? [];
      const module = script
        .replace(/'[^']*\/((?:site|shop)\.\w+)'/g, "'./$1.ts'")
        .replace(/'\.\/[$+]types[^']*'/, "'framework'");
      return [`page${at}.${language === 'tsx' ? 'tsx' : 'ts'}`, module];
    }),
  );
}

/** The tests of docs/front-end/testing.md as modules beside the client. */
export async function readTestingGuide(): Promise<Readonly<Record<string, string>>> {
  const guide = await readFile(new URL('../../../docs/front-end/testing.md', import.meta.url), 'utf8');
  const blocks = Array.from(guide.matchAll(/^```ts\n([\s\S]*?)^```$/gm), ([, code = '']) => code);
  return Object.fromEntries(
    blocks.map((code, at) => [`testing${at}.ts`, code.replace("'./api/site.client'", "'./site.client.ts'")]),
  );
}

/** The document of a shop's Store API. */
export const shopDocument: () => OpenApiDocument = shared(
  () => generateFrom(readShopIndex((namespace) => namespace === 'wc/store/v1')).document,
);
