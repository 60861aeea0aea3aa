import { discover, type JsonObject, toOpenApi } from '../../src/index.ts';
import { boardSite, contentSite } from '../../src/sites/example/index.ts';
import { recordedDocument } from '../generator/types/documents.ts';
import { freeze } from './shared.ts';

type Site = 'content' | 'boards';

const SITES = { content: contentSite(), boards: boardSite() };

/** The documents of the example sites, which are discovered once for all test files of a process. */
const documents = new Map<Site, Promise<JsonObject>>();

function siteDocument(name: Site): Promise<JsonObject> {
  const document = documents.get(name) ?? discoverSite(name);
  documents.set(name, document);
  return document;
}

async function discoverSite(name: Site): Promise<JsonObject> {
  const fetch: typeof globalThis.fetch = async (input, init) => SITES[name].fetch(new Request(input, init));
  return freeze(toOpenApi(await discover('https://site.example/', { fetch })).document);
}

/** The documents of both example sites and of a recorded WordPress index. */
export async function exampleDocuments(): Promise<Readonly<Record<Site | 'recorded', JsonObject>>> {
  return {
    content: await siteDocument('content'),
    boards: await siteDocument('boards'),
    recorded: recordedDocument(),
  };
}
