import { readFile } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';
import { toExtensionOverlay } from '../../src/openapi/extend.ts';
import { applyOverlay, type OpenApiDocument } from '../../src/openapi/index.ts';
import { recordedDocument } from '../types/documents.ts';

/** The TypeScript examples of `docs/front-end/client.md` and `docs/front-end/migrating.md`, and the document of WordPress 7.1 with what one of them adds. */
export async function readDocumented(): Promise<{
  readonly document: OpenApiDocument;
  readonly examples: readonly string[];
}> {
  const [text = '', guide = ''] = await Promise.all(
    ['client', 'migrating'].map((name) =>
      readFile(new URL(`../../docs/front-end/${name}.md`, import.meta.url), 'utf8'),
    ),
  );
  const blocks = `${text}\n${guide}`.matchAll(/^```ts\n([\s\S]*?)^```$/gm);
  const [, lang = '', extend = ''] =
    /^const lang = (.*);$[\s\S]*^ {6}extend: (\{$[\s\S]*?^ {6}\}),$/m.exec(text) ?? [];
  const { overlay } = toExtensionOverlay(recordedDocument(), runInNewContext(`lang = ${lang}; (${extend})`));
  const { changes, document } = applyOverlay(recordedDocument() as OpenApiDocument, overlay);
  expect(changes.map(({ places }) => places)).toEqual(Array(6).fill(1));
  return { document, examples: Array.from(blocks, ([, code = '']) => code) };
}
