import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonTypeOf,
  memberAt,
  parseJson,
  toJsonObject,
} from '../base/json.ts';
import { isLevel } from '../generator/openapi/operation-levels.ts';
import { readAbilities, searchAbilities } from './abilities.ts';
import {
  type AgentSite,
  CALL_TOOLS,
  explainRefusal,
  type ListedOperation,
  refuse,
  type Tool,
  type ToolResult,
} from './agent-site.ts';
import { callOperation } from './call-operation.ts';
import { describeOperation } from './describe-operation.ts';
import { estimateTokens } from './read-response.ts';
import { toLine } from './site-text.ts';
import TOOLS from './tools.json' with { type: 'json' };

/** Arguments of single calls in a list. */
const OWN = /^(?:path|query|body|edit_text|restore|if_match)$/;
const MAX_CALLS = 50;

type DeclaredTool = Omit<Tool, 'inputSchema' | 'name'> & { readonly inputSchema: JsonObject };

const ALL: readonly Tool[] = Object.entries<DeclaredTool>(TOOLS).map(([name, tool]) => ({
  ...{ name, ...tool },
  inputSchema: { type: 'object', ...tool.inputSchema },
}));

/** Lists the tools that a client can use. A named operation can be a deletion, so that `delete_operation` is one of them. */
export function listTools({ writes }: Pick<AgentSite, 'writes'>): readonly Tool[] {
  const canDelete = !writes.every((name) => isLevel(name) && name !== 'delete');
  return ALL.filter(
    ({ name }) =>
      (name !== CALL_TOOLS.write || writes.length > 0) && (name !== CALL_TOOLS.delete || canDelete),
  );
}

/** Added by clients, e.g. `toolCallId` by n8n. */
const OF_CLIENTS = /^(?:_.*|action|chatInput|sessionId|tool_?call.*)$/i;

/** Reads arguments, some of which clients write as texts. @returns what is wrong with them, or themselves */
function readArguments({ inputSchema, name }: Tool, args: JsonObject): string | JsonObject {
  const declared = toJsonObject(inputSchema['properties']);
  const read: [string, Json][] = [];
  for (const [key, value] of Object.entries(args)) {
    // A body of a tool that reads is refused later, with the level that would allow the write.
    const type = key === 'body' ? 'object' : memberAt(declared, key, 'type');
    if (value === null || (type === undefined && OF_CLIENTS.test(key))) continue;
    if (type === undefined)
      return `${name} takes ${Object.keys(declared).join(', ')}, and no ${JSON.stringify(toLine(key, 60))}.`;
    const isText = typeof value === 'string' && type !== 'string';
    const typed = isText ? (parseJson(value) ?? (type === 'array' ? value.split(',') : value)) : value;
    // A body can be a list, and PHP writes an empty object as one.
    const isList = type === 'object' && Array.isArray(typed) && (key === 'body' || typed.length === 0);
    if (jsonTypeOf(typed) !== type && !isList) return `"${key}" must be of the type ${type}.`;
    if (hasRoundedNumber(typed))
      return `a number of "${key}" is beyond 2^53, where digits are lost. Write it as a text.`;
    read.push([key, typed]);
  }
  return Object.fromEntries(read);
}

/** Reads the arguments of each call. @returns what is wrong with them, or themselves */
function readList(tool: Tool, { calls, ...shared }: JsonObject): string | readonly JsonObject[] {
  if (calls === undefined) return [shared];
  const list: JsonObject[] = [];
  for (const own of jsonItems(calls).slice(0, MAX_CALLS + 1)) {
    if (!isJsonObject(own)) return 'each of "calls" must be an object.';
    const args = readArguments(tool, own);
    if (typeof args === 'string') return args;
    if (Object.keys(own).some((name) => !OWN.test(name)))
      return 'a call of "calls" takes path, query, body, edit_text, restore and if_match.';
    list.push({ ...shared, ...args });
  }
  return list.length > 0 && list.length <= MAX_CALLS ? list : `"calls" must have 1 to ${MAX_CALLS} calls.`;
}

function hasRoundedNumber(value: Json): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hasRoundedNumber);
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** @returns an error for wrong arguments, which the model can correct */
export async function runTool(tool: Tool, given: JsonObject, site: AgentSite): Promise<ToolResult> {
  const { name } = tool;
  const args = readArguments(tool, given);
  if (typeof args === 'string') return refuse(args);
  if (name === 'search_operations') return searchOperations(args, site);
  const { id } = args;
  if (typeof id !== 'string') return refuse('"id" must be the id of a search result.');
  const listed = site.catalog.byId.get(id) ?? (await readAbilities(site)).find((each) => each.id === id);
  if (listed === undefined) return refuse('the site has no operation of this id. Search it.');
  const called = Object.values(CALL_TOOLS).find((each) => each === name);
  if (called !== undefined) {
    const list = readList(tool, args);
    return typeof list === 'string' ? refuse(list) : callOperation(listed, list, site, called);
  }
  site.note({ operation: listed.id });
  return { text: SITE_NOTE, content: describeOperation(listed, site) };
}

const SITE_NOTE = 'As the site describes it:';

async function searchOperations(args: JsonObject, site: AgentSite): Promise<ToolResult> {
  const { query } = args;
  if (typeof query !== 'string') return refuse('"query" must be a text.');
  const abilities = await searchAbilities(query, site);
  const found = await site.catalog.search(query);
  const select = (isMeant: boolean): ListedOperation[] =>
    abilities.flatMap((each) => (each.isMeant === isMeant ? [each.ability] : []));
  const all = [...select(true), ...found.slice(0, 3), ...select(false), ...found.slice(3)];
  if (all.length === 0) return { text: 'Nothing was found. Use English words, or fewer of them.' };
  const isAllowed = (each: ListedOperation): boolean => explainRefusal(each, each.level, site) === undefined;
  const best = all.slice(0, MAX_RESULTS);
  const lines = [...best.filter(isAllowed), ...best.filter((each) => !isAllowed(each))].map((listed) =>
    describeResult(listed, isAllowed(listed), site),
  );
  // Ids and paths of a hostile index are long.
  while (lines.length > 1 && estimateTokens(lines.join('\n')) > MAX_SEARCH_TOKENS) lines.pop();
  return {
    text: `${lines.length} of ${all.length} operations, ${SITE_NOTE.toLowerCase()}`,
    content: lines.join('\n'),
  };
}

const MAX_RESULTS = 6;
const MAX_SEARCH_TOKENS = 400;

function describeResult(listed: ListedOperation, isAllowed: boolean, site: AgentSite): string {
  const { method, path, shared } = listed.operation;
  const mark = ` (${listed.level}${isAllowed ? '' : ', not allowed'})`;
  // The last paragraph of a generated description repeats the route.
  const [first = ''] = String(shared.description ?? '')
    .split('\n\n')
    .filter((paragraph) => !/^Routes?: /.test(paragraph));
  const address = `${listed.id}: ${toLine(method, 20)} ${toLine(path, 150)}${mark}`;
  if (!isAllowed) return address;
  const texts = [address, toLine(listed.operation.title, 80), toLine(site.localize(first), 50)];
  return texts.filter((text) => text !== '').join(' - ');
}
