import MiniSearch from 'minisearch';
import { getParameterSchema } from '../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers, memberAt } from '../json.ts';
import { dereference } from '../openapi/document-references.ts';
import { shorten, toPlainText } from '../ui/text.ts';
import type { RenderContext } from './layout.tsx';
import type { AnchoredOperation, ReferencePage } from './reference.ts';
import { SEARCH_OPTIONS, type SearchEntry } from './search.ts';

/** Maximum length of the names and of the description that are indexed for an operation. */
const MAX_NAMES_LENGTH = 1_200;
const MAX_DESCRIPTION_LENGTH = 300;
/** Maximum allowed values that are indexed for a parameter. */
const MAX_ALLOWED_WORDS = 12;

/** Entries that are indexed before other work gets its turn: about 5 ms. */
const CHUNK_SIZE = 50;

/** Creates the search index of a reference as JSON text, for `MiniSearch.loadJSON`. */
export async function createSearchIndex({
  guides,
  reference: { pages },
  source: { document },
}: Pick<RenderContext, 'guides' | 'reference' | 'source'>): Promise<string> {
  const index = new MiniSearch<SearchEntry>(SEARCH_OPTIONS);
  let count = 0;
  for (const { address, title } of guides) {
    index.add({ ...PAGE, id: count, title, place: 'Guides', url: address });
    count += 1;
  }
  for (const page of pages) {
    for (const entry of createEntries(page, document)) {
      index.add({ id: count, ...entry });
      count += 1;
      if (count % CHUNK_SIZE === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }
  return JSON.stringify(index);
}

/** An entry that is no operation. */
const PAGE = { method: '', path: '', names: '', description: '', isOlder: false } as const;

function* createEntries(page: ReferencePage, document: JsonObject): Generator<Omit<SearchEntry, 'id'>> {
  const place = page.ancestors.map(({ title }) => shorten(title, 60)).join(' › ');
  const isOlder = (page.kind === 'namespace' ? page : page.ancestors[0]).successor !== undefined;
  yield { ...PAGE, title: shorten(page.title, 100), place, url: page.address, isOlder };
  for (const operation of page.operations) {
    const { anchor, method, path, shared: value, title } = operation;
    yield {
      title: shorten(title, 120),
      method: shorten(method, 20),
      path: shorten(path, 200),
      place: [place, shorten(page.title, 60)].filter((part) => part !== '').join(' › '),
      names: listNames(operation, document),
      description: toPlainText(value['description'], MAX_DESCRIPTION_LENGTH),
      url: `${page.address}#${anchor}`,
      isOlder,
    };
  }
}

/** The names of the parameters and of the body's fields, and the values that a parameter may have: `due week`. */
function listNames({ shared: value, statedParameters }: AnchoredOperation, document: JsonObject): string {
  const names = statedParameters.flatMap((parameter) =>
    isJsonObject(parameter) && typeof parameter['name'] === 'string'
      ? [parameter['name'], ...listAllowedWords(getParameterSchema(parameter), document)]
      : [],
  );
  for (const [, media] of jsonMembers(memberAt(value, 'requestBody', 'content')).slice(0, 1)) {
    const target = dereference(memberAt(media, 'schema'), document);
    names.push(...jsonMembers(target?.['properties']).map(([name]) => name));
  }
  return shorten(names.slice(0, 200).join(' '), MAX_NAMES_LENGTH);
}

/** Returns the allowed values of a parameter that are words. */
function listAllowedWords(schema: Json | undefined, document: JsonObject): readonly string[] {
  const allowed = jsonItems(dereference(schema, document)?.['enum']);
  return allowed.filter((each) => typeof each === 'string').slice(0, MAX_ALLOWED_WORDS);
}
