import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { splitPhpList } from '../../validation/wordpress/php-types.ts';

/** Which relations to embed: all, or those named. */
export type Embedding = 'all' | ReadonlySet<string>;

/** `rest_parse_embed_param()` */
export function readEmbed(given: Json): Embedding {
  const names =
    typeof given === 'string'
      ? splitPhpList(given)
      : typeof given === 'object' && given !== null
        ? Object.values<Json>(given).filter((name) => typeof name === 'string')
        : [];
  return names.length === 0 || ['0', 'true', '1'].includes(String(given)) ? 'all' : new Set(names);
}

/** Gives what stands at an address of the interface, in the context `embed`; null where it is no address of it. */
export type Fetch = (href: string) => Promise<Json | null>;

/** Adds `_embedded` to an item, or to each item of a list. What several items name is fetched once. */
export async function embed(body: Json, embedding: Embedding, fetch: Fetch): Promise<Json> {
  const known = new Map<string, Promise<Json | null>>();
  const once: Fetch = (href) => {
    const found = known.get(href) ?? fetch(href);
    known.set(href, found);
    return found;
  };
  if (!Array.isArray(body)) return embedItem(body, embedding, once);
  const items: Json[] = [];
  for (const item of body) items.push(await embedItem(item, embedding, once));
  return items;
}

async function embedItem(item: Json, embedding: Embedding, fetch: Fetch): Promise<Json> {
  const links = isJsonObject(item) ? item['_links'] : undefined;
  if (!isJsonObject(item) || !isJsonObject(links)) return item;
  const embedded: [string, Json][] = [];
  for (const [relation, targets] of Object.entries(links)) {
    if (embedding !== 'all' && !embedding.has(relation)) continue;
    if (!Array.isArray(targets)) continue;
    const found: Json[] = [];
    for (const target of targets) found.push(await follow(target, fetch));
    // Places stay where nothing could be embedded, unless all of them are empty.
    if (found.some((one) => one !== EMPTY)) embedded.push([relation, found]);
  }
  return embedded.length === 0 ? item : withMember(item, '_embedded', Object.fromEntries(embedded));
}

const EMPTY: Json = [];

async function follow(target: Json, fetch: Fetch): Promise<Json> {
  if (!isJsonObject(target) || target['embeddable'] !== true) return EMPTY;
  const { href } = target;
  return typeof href === 'string' ? ((await fetch(href)) ?? EMPTY) : EMPTY;
}

function withMember(item: JsonObject, name: string, value: Json): JsonObject {
  return Object.fromEntries([...Object.entries(item), [name, value]]);
}
