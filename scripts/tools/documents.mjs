// @ts-check
import { readFile } from 'node:fs/promises';
import { generate, stringifyDocument, toOpenApi } from '../../dist/index.js';
import { boardSite, contentSite } from '../../dist/sites/example/index.js';
import { shop } from '../bench/shop.mjs';
import { importerOf } from '../build/modules.mjs';

const importModule = await importerOf();
/** @type {typeof import('../../src/generator/discovery/read-index.ts')} */
const { readIndex } = await importModule('generator/discovery/read-index');

/** @typedef {import('./main.mjs').ToolDocument} ToolDocument */

/**
 * Creates the documents of the example sites; with `all` those of recorded indexes, and of a shop, too.
 *
 * @param {{ all: boolean }} options
 * @returns {Promise<readonly ToolDocument[]>}
 */
export async function createDocuments({ all }) {
  const content = await createExampleDocument('content', contentSite());
  const boards = await createExampleDocument('boards', boardSite());
  if (!all) return [content, boards];
  const recorded = await Promise.all(
    ['wordpress-7.1-index', 'wordpress-7.1-index-help'].map(async (name) => {
      const file = new URL(`../../test/fixtures/${name}.json`, import.meta.url);
      return createIndexDocument(name.replace('-index', ''), JSON.parse(await readFile(file, 'utf8')));
    }),
  );
  return [content, boards, ...recorded, createIndexDocument('shop', withRootRoute(shop(1200)))];
}

/** @param {string} name @param {ReturnType<typeof boardSite>} site @returns {Promise<ToolDocument>} */
async function createExampleDocument(name, site) {
  const url = `https://${name}.example.com/`;
  const { files } = await generate(url, {
    name,
    // The type is stated because `npm ci` builds no declarations.
    fetch: /** @type {typeof fetch} */ (async (input, init) => site.fetch(new Request(input, init))),
  });
  return { name, text: files.get(`${name}.openapi.json`) ?? '', mount: name };
}

/** Adds the route that every site has. @param {ReturnType<typeof shop>} index */
function withRootRoute(index) {
  const endpoint = { methods: ['GET'], args: { context: { default: 'view', required: false } } };
  const root = { namespace: '', methods: ['GET'], endpoints: [endpoint] };
  return { ...index, routes: { '/': root, ...index.routes } };
}

/** @param {string} name @param {any} index @returns {ToolDocument} */
function createIndexDocument(name, index) {
  const address = /** @type {const} */ ({
    base: 'https://example.com/',
    root: 'https://example.com/wp-json/',
    spelling: 'pretty',
    prefix: 'wp-json',
  });
  const { document } = toOpenApi({ address, ...readIndex(index) });
  return { name, text: stringifyDocument(document), mount: null };
}
