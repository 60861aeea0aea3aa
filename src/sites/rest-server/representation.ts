import { isJsonObject, type Json } from '../../base/json.ts';
import { getOrCreate } from '../../base/memoize.ts';
import type { RequestValues, RestResponse } from './declarations.ts';
import { toList } from './params.ts';
import { respondWith, wrapInEnvelope } from './responses.ts';

type FieldTree = Map<string, FieldTree | true>;

/** `rest_filter_response_fields()` */
export function filterFields(body: Json, parameter: Json): Json {
  const fields = parseNames(parameter).map((name) => name.trim());
  if (fields.length === 0) return body;
  const tree = buildFieldTree(fields);
  if (Array.isArray(body)) return body.map((item) => pickFields(item, tree));
  return pickFields(body, tree);
}

function parseNames(parameter: Json): readonly string[] {
  return toList(parameter).filter((item) => typeof item === 'string');
}

function buildFieldTree(fields: readonly string[]): FieldTree {
  const root: FieldTree = new Map();
  for (const field of fields) {
    let node: FieldTree | true = root;
    const parts = field.split('.');
    for (const [index, part] of parts.entries()) {
      if (node === true) break;
      const last = index === parts.length - 1;
      const next: FieldTree | true = last ? true : (node.get(part) ?? new Map());
      node.set(part, next);
      node = next;
    }
  }
  return root;
}

function pickFields(value: Json, tree: FieldTree): Json {
  if (Array.isArray(value)) {
    // In PHP the index of a list item is its name.
    const picked = value.flatMap((item, index) => pickMember(String(index), item, tree));
    const contiguous = picked.every(([name], index) => name === String(index));
    return contiguous ? picked.map(([, item]) => item) : Object.fromEntries(picked);
  }
  if (!isJsonObject(value)) return value;
  const picked = Object.entries(value).flatMap(([name, member]) => pickMember(name, member, tree));
  return picked.length === 0 ? [] : Object.fromEntries(picked);
}

function pickMember(name: string, member: Json, tree: FieldTree): [string, Json][] {
  const subtree = tree.get(name);
  if (subtree === undefined) return [];
  return [[name, subtree === true ? member : pickFields(member, subtree)]];
}

type EmbeddedRelations = 'all' | ReadonlySet<string>;

/** `rest_parse_embed_param()` */
function parseEmbed(parameter: Json): EmbeddedRelations {
  const names = parseNames(parameter);
  return names.length === 0 || ['0', 'true', '1'].some((all) => all === parameter) ? 'all' : new Set(names);
}

type LinkFetcher = (href: string) => Promise<Json | null>;

/** Applies `_embed` and `_envelope`, which WordPress reads from the query only. */
export async function representResponse(
  response: RestResponse,
  query: RequestValues,
  fetch: LinkFetcher,
): Promise<RestResponse> {
  const body = await embedLinks(response.body, query.get('_embed'), fetch);
  return query.has('_envelope') ? respondWith(200, wrapInEnvelope(response, body)) : { ...response, body };
}

async function embedLinks(body: Json, parameter: Json | undefined, fetch: LinkFetcher): Promise<Json> {
  if (parameter === undefined) return body;
  const relations = parseEmbed(parameter);
  const fetched = new Map<string, Promise<Json | null>>();
  const fetchOnce: LinkFetcher = (href) => getOrCreate(fetched, href, fetch);
  if (!Array.isArray(body)) return embedItem(body, relations, fetchOnce);
  const items: Json[] = [];
  for (const item of body) items.push(await embedItem(item, relations, fetchOnce));
  return items;
}

async function embedItem(item: Json, relations: EmbeddedRelations, fetch: LinkFetcher): Promise<Json> {
  const links = isJsonObject(item) ? item['_links'] : undefined;
  if (!isJsonObject(item) || !isJsonObject(links)) return item;
  const embedded: [string, Json][] = [];
  for (const [relation, targets] of Object.entries(links)) {
    if (relations !== 'all' && !relations.has(relation)) continue;
    if (!Array.isArray(targets)) continue;
    const found: Json[] = [];
    for (const target of targets) found.push(await fetchTarget(target, fetch));
    // A target that can't be embedded leaves an empty list, unless all are empty.
    if (found.some((one) => !Array.isArray(one) || one.length > 0)) embedded.push([relation, found]);
  }
  return embedded.length === 0 ? item : { ...item, _embedded: Object.fromEntries(embedded) };
}

const NOT_EMBEDDED: Json = [];

async function fetchTarget(target: Json, fetch: LinkFetcher): Promise<Json> {
  if (!isJsonObject(target) || target['embeddable'] !== true) return NOT_EMBEDDED;
  const { href } = target;
  return typeof href === 'string' ? ((await fetch(href)) ?? NOT_EMBEDDED) : NOT_EMBEDDED;
}
