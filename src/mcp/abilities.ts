import { readLimitedBody } from '../discovery/client.ts';
import { AnchoredOperation } from '../docs/reference.ts';
import { toSearchedWords } from '../docs/search.ts';
import { EXTENSION_NAMES } from '../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, memberAt, parseJson } from '../json.ts';
import { Operation } from '../openapi/operations.ts';
import type { AgentSite } from './agent-site.ts';
import type { Catalog, ListedOperation } from './catalog.ts';

/** Routes that list abilities, and those that run one: of WordPress 6.9, and of the example site. */
const INTERFACES = [
  ['/wp-abilities/v1/abilities', '/wp-abilities/v1/abilities/{name}/run'],
  ['/ext-a/v1/chat/tools', '/ext-a/v1/abilities/{namespace}/{ability}/run'],
] as const;

const MAX_BYTES = 1024 * 1024;
const NAME = /^[a-z0-9-]{1,80}\/[a-z0-9-]{1,80}$/;

/** The id of an ability, a function that a plugin offers by name: `ability:content/create-draft`. */
const PREFIX = 'ability:';

export function isAbilityId(id: string): boolean {
  return id.startsWith(PREFIX);
}

/** Reads the abilities that the agent's user can see, as operations that run them. A site has none for visitors. */
export async function readAbilities(site: AgentSite): Promise<readonly ListedOperation[]> {
  const { catalog, signal } = site;
  if (site.authorization === '') return [];
  const lists = INTERFACES.map(async ([list, run]) => {
    if (catalog.findByPath('GET', list) === undefined) return [];
    const [resolved] = site.resolve('GET', list);
    const target = `${resolved?.target}?per_page=100`;
    const response = await site.send({ method: 'GET', target, headers: [], body: null }, signal);
    const read = await readLimitedBody(response, MAX_BYTES, signal);
    const abilities = response.ok && read.kind === 'read' ? jsonItems(parseJson(read.body.bytes())) : [];
    return abilities.slice(0, 500).flatMap((ability) => createRunOperation(ability, run, catalog));
  });
  return (await Promise.all(lists)).flat();
}

/** The operation that runs one ability: its input has the schema of the ability. */
function createRunOperation(ability: Json, path: string, catalog: Catalog): readonly ListedOperation[] {
  if (!isJsonObject(ability)) return [];
  const { description = '', input_schema: input = {}, label = '', name, title = label } = ability;
  if (typeof name !== 'string' || !NAME.test(name)) return [];
  const annotations = memberAt(ability, 'meta', 'annotations');
  const isMarked = (mark: string): boolean => memberAt(annotations, mark) === true;
  // WP_REST_Abilities_V1_Run_Controller::check_ability_permissions() asks for these methods.
  const method = isMarked('readonly') ? 'GET' : isMarked('destructive') ? 'DELETE' : 'POST';
  const run = catalog.findByPath(method, path)?.operation;
  if (run === undefined) return [];
  const schema = { type: 'object', properties: { input } };
  const takes: JsonObject =
    method === 'POST'
      ? { requestBody: { content: { 'application/json': { schema } } } }
      : { parameters: [{ name: 'input', in: 'query', schema: input }] };
  const id = PREFIX + name;
  const declared = {
    operationId: id,
    summary: title,
    description,
    [EXTENSION_NAMES.route]: run.pattern ?? '',
  };
  const filled = path.replace(/\{name\}|\{namespace\}\/\{ability\}/, name);
  const operation = new Operation({
    ...run.source,
    path: filled,
    pathItem: {},
    shared: { ...declared, ...takes },
  });
  return [{ id, operation: new AnchoredOperation(operation, '') }];
}

/** Finds abilities by words of their names and titles, the best first. */
export function searchAbilities(
  abilities: readonly ListedOperation[],
  query: string,
): readonly ListedOperation[] {
  const wanted = toSearchedWords(query).map((word) => word.replace(/s$/, ''));
  const scoreOf = ({ id, operation }: ListedOperation): number => {
    const words = toSearchedWords(`${id.slice(PREFIX.length)} ${operation.title}`);
    return wanted.filter((word) => words.some((each) => each.startsWith(word))).length;
  };
  return abilities
    .filter((ability) => scoreOf(ability) > 0)
    .toSorted((one, other) => scoreOf(other) - scoreOf(one));
}
