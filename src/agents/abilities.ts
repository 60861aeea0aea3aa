import { isJsonObject, type Json, jsonItems, jsonTexts, memberAt, toJsonObject } from '../base/json.ts';
import { typesOf } from '../generator/model/schema/keywords.ts';
import { Normalizer } from '../generator/model/schema/normalizer.ts';
import { Operation } from '../generator/openapi/operations.ts';
import { AnchoredOperation } from '../generator/reference/reference.ts';
import { toSearchedWords } from '../generator/reference/search.ts';
import { type AgentSite, explainRefusal, type ListedOperation } from './agent-site.ts';
import { readJson } from './read-response.ts';

/** Of WordPress 6.9. */
const LIST = '/wp-abilities/v1/abilities';
const RUN = `${LIST}/{name}/run`;

const MAX_PAGES = 5;
const NAME = /^[a-z0-9-]{1,80}\/[a-z0-9-]{1,80}$/;

/** The id of an ability, a function that a plugin offers by name: `ability:content/create-draft`. */
const PREFIX = 'ability:';

/** Lists the abilities that the agent's user can see, as operations that run them. A site has none for visitors. */
export async function readAbilities(site: AgentSite): Promise<readonly ListedOperation[]> {
  const { authorization, catalog, reads, writes } = site;
  if (authorization === '') return [];
  const isNamed = [...reads, ...writes].some((name) => name.startsWith(PREFIX));
  const listed = catalog.byRoute.get(`GET ${LIST}`);
  const isAllowed = listed !== undefined && (isNamed || explainRefusal(listed, 'read', site) === undefined);
  const known = catalog.abilities.get(authorization);
  if (known !== undefined || !isAllowed) return known ?? [];
  const read = await readList(site);
  catalog.abilities.set(authorization, read);
  return read;
}

async function readList(site: AgentSite): Promise<readonly ListedOperation[]> {
  const [resolved] = site.resolve('GET', LIST);
  const found: ListedOperation[] = [];
  for (let page = 1, pages = 1; page <= Math.min(pages, MAX_PAGES); page += 1) {
    const target = `${resolved?.target}?per_page=100&page=${page}`;
    const response = await site.send({ method: 'GET', target, headers: [], body: null }, site.signal);
    const abilities = jsonItems(await readJson(response, site)).slice(0, 100);
    found.push(...abilities.flatMap((ability) => createRunOperation(ability, site)));
    pages = Number(response.headers.get('x-wp-totalpages') ?? 1);
  }
  return found;
}

function createRunOperation(
  ability: Json,
  { abilities: trusted, catalog }: AgentSite,
): readonly ListedOperation[] {
  if (!isJsonObject(ability)) return [];
  const { description = '', input_schema = {}, label = '', name, title = label } = ability;
  if (typeof name !== 'string' || !NAME.test(name)) return [];
  const { destructive, idempotent, readonly } = toJsonObject(memberAt(ability, 'meta', 'annotations'));
  // WP_REST_Abilities_V1_Run_Controller::check_ability_permissions() asks for these methods.
  const method = readonly === true ? 'GET' : destructive === true && idempotent === true ? 'DELETE' : 'POST';
  const run = catalog.byRoute.get(`${method} ${RUN}`)?.operation;
  if (run === undefined) return [];
  const input = new Normalizer(() => {}).normalizeSchema(input_schema, { route: '', pointer: '' });
  const types = typesOf(input);
  // WordPress takes an absent input as null, so an object that needs no member is sent empty.
  const isNullable = types.length === 0 || types.includes('null') || input['default'] !== undefined;
  const isEmptied = !isNullable && types.includes('object') && jsonTexts(input['required']).length === 0;
  const isRequired = !isNullable && !isEmptied;
  const parameter = { name: 'input', in: 'query', schema: input, required: isRequired };
  const schema = { type: 'object', properties: { input }, required: isRequired ? ['input'] : [] };
  const requestBody = { content: { 'application/json': { schema } } };
  const takes = method === 'POST' ? { parameters: [], requestBody } : { parameters: [parameter] };
  const id = PREFIX + name;
  const operation = new Operation({
    ...run.source,
    path: RUN.replace('{name}', name),
    pathItem: {},
    shared: { ...run.shared, operationId: id, summary: title, description, ...takes },
  });
  return [
    {
      id,
      operation: new AnchoredOperation(operation, ''),
      ...(isEmptied && { defaults: { [method === 'POST' ? 'body' : 'query']: { input: {} } } }),
      // Nobody checks what a plugin declares. A destructive ability can install and publish, too.
      level: method === 'GET' && trusted.includes(name.replace(/\/.*/, '')) ? 'read' : 'manage',
    },
  ];
}

/** Up to three, the best first. `isMeant` says whether an ability has all of the words. */
export async function searchAbilities(
  query: string,
  site: AgentSite,
): Promise<readonly { readonly ability: ListedOperation; readonly isMeant: boolean }[]> {
  const wanted = toSearchedWords(query).map((word) => word.replace(/s$/, ''));
  const scored = (await readAbilities(site)).map((ability) => {
    const words = toSearchedWords(`${ability.id.slice(PREFIX.length)} ${ability.operation.title}`);
    return { ability, score: wanted.filter((word) => words.some((each) => each.startsWith(word))).length };
  });
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, 3)
    .map(({ ability, score }) => ({ ability, isMeant: score === wanted.length }));
}
