import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { splitPhpList } from '../../validation/wordpress/php-types.ts';

/** The link relations to embed: all, or the named ones. */
type EmbeddedRelations = 'all' | ReadonlySet<string>;

/** `rest_parse_embed_param()` */
export function parseEmbed(parameter: Json): EmbeddedRelations {
  const names =
    typeof parameter === 'string'
      ? splitPhpList(parameter)
      : typeof parameter === 'object' && parameter !== null
        ? Object.values<Json>(parameter).filter((name) => typeof name === 'string')
        : [];
  return names.length === 0 || ['0', 'true', '1'].includes(String(parameter)) ? 'all' : new Set(names);
}

/** Fetches a REST URL in the context `embed`; `null` if the URL is not one of the site. */
type LinkFetcher = (href: string) => Promise<Json | null>;

/** Adds `_embedded` to an item or to each item of a list. Each URL is fetched once. */
export async function embedLinks(
  body: Json,
  relations: EmbeddedRelations,
  fetch: LinkFetcher,
): Promise<Json> {
  const fetched = new Map<string, Promise<Json | null>>();
  const fetchOnce: LinkFetcher = (href) => {
    const found = fetched.get(href) ?? fetch(href);
    fetched.set(href, found);
    return found;
  };
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
    // A target that cannot be embedded leaves an empty list in its position, unless all are empty.
    if (found.some((one) => one !== NOT_EMBEDDED)) embedded.push([relation, found]);
  }
  return embedded.length === 0 ? item : withMember(item, '_embedded', Object.fromEntries(embedded));
}

const NOT_EMBEDDED: Json = [];

async function fetchTarget(target: Json, fetch: LinkFetcher): Promise<Json> {
  if (!isJsonObject(target) || target['embeddable'] !== true) return NOT_EMBEDDED;
  const { href } = target;
  return typeof href === 'string' ? ((await fetch(href)) ?? NOT_EMBEDDED) : NOT_EMBEDDED;
}

function withMember(item: JsonObject, name: string, value: Json): JsonObject {
  return Object.fromEntries([...Object.entries(item), [name, value]]);
}
