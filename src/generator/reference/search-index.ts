import MiniSearch from 'minisearch';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonMembers,
  jsonTexts,
  memberAt,
  toJsonObject,
} from '../../base/json.ts';
import { shorten, toPlainText } from '../../base/text.ts';
import { dereference, flattenSchema, toSchemaReference } from '../openapi/document-objects.ts';
import { listShown } from '../openapi/operations.ts';
import { type AnchoredOperation, type Reference, type ReferencePage, toSchemaAnchor } from './reference.ts';
import { listComponents } from './schema-tree.ts';
import { SEARCH_OPTIONS, type SearchEntry, toWord } from './search.ts';

const MAX_NAMES_LENGTH = 1_200;
const MAX_DESCRIPTION_LENGTH = 300;
const MAX_ALLOWED_WORDS = 12;

const CHUNK_SIZE = 50;

const SYNONYMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    create: 'add new make upload',
    update: 'change edit modify set publish approve',
    delete: 'remove trash empty clear',
    list: 'all find filter',
    get: 'read show',
    media: 'file image picture photo',
    post: 'article blog draft',
    comment: 'spam',
    field: 'context',
    current: 'me who am',
    cart: 'basket',
    coupon: 'voucher',
  }),
);

/** The browser converts the words of a query by {@link toWord} alone. */
function toIndexedWords(term: string, field?: string): string[] | null {
  const word = toWord(term);
  if (word === null) return null;
  const synonyms = field === 'title' ? SYNONYMS.get(word.replace(/s$/, ''))?.split(' ') : [];
  return [word, word.replace(/ies$/, 'y'), ...(synonyms ?? [])];
}

/** @param pages entries of pages beside the reference, such as the guide */
export async function createSearchIndex(
  reference: Reference,
  document: JsonObject,
  pages: readonly PageEntry[] = [],
): Promise<MiniSearch<SearchEntry>> {
  const index = new MiniSearch<SearchEntry>({ ...SEARCH_OPTIONS, processTerm: toIndexedWords });
  let count = 0;
  const add = (entry: PageEntry): void => {
    index.add({ ...PAGE, ...entry, id: count });
    count += 1;
  };
  for (const page of pages) add(page);
  for (const page of reference.pages) {
    for (const entry of createEntries(page, document)) {
      add(entry);
      if (count % CHUNK_SIZE === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }
  return index;
}

export type PageEntry = Partial<SearchEntry> & Pick<SearchEntry, 'place' | 'title' | 'url'>;

const PAGE = {
  ...{ method: '', path: '', names: '', description: '', isOlder: false },
  ...{ body: '', parameters: '', members: '' },
} as const;

function* createEntries(page: ReferencePage, document: JsonObject): Generator<Omit<SearchEntry, 'id'>> {
  const place = page.ancestors.map(({ title }) => shorten(title, 60)).join(' › ');
  const inside = [place, shorten(page.title, 60)].filter((part) => part !== '').join(' › ');
  const isOlder = page.successor !== undefined;
  yield { ...PAGE, title: shorten(page.title, 100), place, url: page.address, isOlder };
  for (const operation of listShown(page.operations)) {
    const { anchor, method, path, shared: value, title } = operation;
    const body = listMembers(contentOf(value['requestBody']), document);
    yield {
      ...PAGE,
      title: shorten(title, 120),
      method: shorten(method, 20),
      path: shorten(path, 200),
      place: inside,
      names: `${toPlainText(value['operationId'], 100)} ${listNames(operation, document)}`,
      body: body.join(' '),
      parameters: operation.parameterObjects
        .map(({ name }) => String(name))
        .filter((name) => WHOLE_NAME.test(name))
        .join(' '),
      description: toPlainText(value['description'], MAX_DESCRIPTION_LENGTH),
      url: `${page.address}#${anchor}`,
      isOlder,
    };
  }
  const components = page.operations.flatMap(({ shared }) =>
    jsonMembers(shared['responses']).flatMap(([status, response]) =>
      status.startsWith('2') ? listComponents(contentOf(dereference(response, document)), document) : [],
    ),
  );
  for (const key of new Set(components)) {
    const members = listMembers({ $ref: toSchemaReference(key) }, document).join(' ');
    const url = `${page.address}#${toSchemaAnchor(key)}`;
    yield { ...PAGE, title: shorten(key, 80), place: inside, members, url, isOlder };
  }
}

function contentOf(message: Json | undefined): Json | undefined {
  const [first] = jsonMembers(memberAt(message, 'content'));
  return memberAt(first?.[1], 'schema');
}

const WHOLE_NAME = /^[^\s\p{C}]{1,100}$/u;
const MAX_MEMBERS = 300;

/** `billing billing.email` */
function listMembers(schema: Json | undefined, document: JsonObject, depth = 0): readonly string[] {
  const { schema: flat } = flattenSchema(schema, document);
  const item = isJsonObject(flat['items']) ? flattenSchema(flat['items'], document).schema : flat;
  return jsonMembers(item['properties'])
    .slice(0, MAX_MEMBERS)
    .flatMap(([name, property]) => {
      if (!WHOLE_NAME.test(name)) return [];
      const inner = depth > 0 ? [] : listMembers(property, document, depth + 1);
      return [name, ...inner.map((each) => `${name}.${each}`)];
    })
    .slice(0, MAX_MEMBERS);
}

/** And the values that a parameter can have: `due week`. */
function listNames({ shared: value, declaredParameters }: AnchoredOperation, document: JsonObject): string {
  const names = declaredParameters.flatMap((parameter) =>
    isJsonObject(parameter) && typeof parameter['name'] === 'string'
      ? [parameter['name'], ...listAllowedWords(toJsonObject(parameter['schema']), document)]
      : [],
  );
  for (const [, media] of jsonMembers(memberAt(value, 'requestBody', 'content')).slice(0, 1)) {
    const target = dereference(memberAt(media, 'schema'), document);
    names.push(
      ...jsonMembers(target?.['properties']).flatMap(([name, property]) => [
        name,
        ...listAllowedWords(property, document),
      ]),
    );
  }
  return shorten(names.slice(0, 200).join(' '), MAX_NAMES_LENGTH);
}

function listAllowedWords(schema: Json | undefined, document: JsonObject): readonly string[] {
  return jsonTexts(dereference(schema, document)?.['enum']).slice(0, MAX_ALLOWED_WORDS);
}
