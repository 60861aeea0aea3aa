import { boardSite, contentSite, DEMO_USERS } from '../../src/example/index.ts';
import { discover, type Json, type JsonObject, toOpenApi } from '../../src/index.ts';
import { isJsonObject } from '../../src/json.ts';
import { freeze } from '../support/shared.ts';
import { recordedDocument } from '../types/documents.ts';

const [ADMIN] = DEMO_USERS;
const AUTHORIZATION = `Basic ${btoa(`${ADMIN?.login}:${ADMIN?.password}`)}`;

type Site = 'content' | 'boards';

const SITES = { content: contentSite(), boards: boardSite() };

/** The documents of the example sites, which are discovered once for all test files of a process. */
const documents = new Map<Site, Promise<JsonObject>>();

export function siteDocument(name: Site): Promise<JsonObject> {
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

/** Responses of a site to GET operations without path parameters, by operation id. */
export async function sampleResponses(name: Site, document: JsonObject): Promise<ReadonlyMap<string, Json>> {
  const samples = new Map<string, Json>();
  const { paths } = document;
  for (const [path, item] of Object.entries(isJsonObject(paths) ? paths : {})) {
    const operation = isJsonObject(item) ? item['get'] : undefined;
    const id = isJsonObject(operation) ? operation['operationId'] : undefined;
    if (path.includes('{') || typeof id !== 'string') continue;
    const response = await SITES[name].request(`/wp-json${path}`, {
      headers: { authorization: AUTHORIZATION },
    });
    if (response.status === 200) samples.set(id, (await response.json()) as Json);
  }
  return samples;
}
