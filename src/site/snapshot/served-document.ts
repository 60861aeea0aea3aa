import type { SiteAddress } from '../../discovery/site.ts';
import { EXTENSION_NAMES, extensionOf } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { expandSchema } from '../../model/conventions/schema-notation.ts';
import { withServers } from '../../openapi/index.ts';
import type { Steps } from '../../steps.ts';
import declared from './problem-schema.json' with { type: 'json' };

const problemSchema = expandSchema(declared);

export interface ServedDocumentOptions {
  readonly publicPath: string;
  readonly passthrough: boolean;
  readonly address: SiteAddress;
  readonly connectUrl?: string | undefined;
}

/** Makes the gateway the server: the document contains no address of the site. */
export function* toServedDocument(document: JsonObject, options: ServedDocumentOptions): Steps<JsonObject> {
  const { address } = options;
  const site = extensionOf(document, 'site');
  const local = yield* replaceSiteUrls({ ...document, [EXTENSION_NAMES.site]: null }, options);
  const { info } = local;
  const title = isJsonObject(info) ? { info: { ...info, title: toPublicTitle(info['title'], address) } } : {};
  return {
    ...withProblemResponses(withGatewayServers({ ...local, ...title }, options)),
    [EXTENSION_NAMES.site]: isJsonObject(site) ? { ...site, site: toRelativeAddress(address) } : {},
  };
}

function withGatewayServers(document: JsonObject, options: ServedDocumentOptions): JsonObject {
  const { publicPath, passthrough, address } = options;
  const description = 'This gateway';
  const served = { ...document, servers: [{ url: publicPath === '' ? '/' : publicPath, description }] };
  if (!passthrough) return served;
  // With passthrough the mount is the site's front page, and the root index is at `/wp-json`.
  return withServers(served, '/', [{ url: `${publicPath}/${address.prefix}`, description }]);
}

/** A site without a name is titled by its host, which clients must not learn. */
export function toPublicTitle(title: Json | undefined, { base }: SiteAddress): string {
  return typeof title !== 'string' || title === '' || title === new URL(base).host ? 'REST API' : title;
}

function* replaceSiteUrls(document: JsonObject, options: ServedDocumentOptions): Steps<JsonObject> {
  const { pattern, mayContain } = createSiteUrlPattern(options);
  const replacement = JSON.stringify(options.publicPath).slice(1, -1);
  const replace = (value: Json): Json => {
    const text = JSON.stringify(value);
    return mayContain(text) ? JSON.parse(text.replace(pattern, () => replacement)) : value;
  };
  function* visit(value: JsonObject, depth: number): Steps<JsonObject> {
    const members: [string, Json][] = [];
    for (const [name, member] of Object.entries(value)) {
      const isLeaf = depth === 0 || !isJsonObject(member);
      members.push([String(replace(name)), isLeaf ? replace(member) : yield* visit(member, depth - 1)]);
      yield;
    }
    return Object.fromEntries(members);
  }
  return yield* visit(document, 2);
}

export function createTextLocalizer(options: ServedDocumentOptions): (text: string) => string {
  const { pattern, mayContain } = createSiteUrlPattern(options);
  return (text) => (mayContain(text) ? text.replace(pattern, () => options.publicPath) : text);
}

function createSiteUrlPattern({ address, connectUrl }: ServedDocumentOptions): {
  readonly pattern: RegExp;
  readonly mayContain: (text: string) => boolean;
} {
  const { base, aliases = [], root } = address;
  const bases = [base, ...aliases, ...(connectUrl === undefined ? [] : [connectUrl])].map(withoutScheme);
  const origins = [...bases, withoutScheme(root)].map((url) => url.replace(/[/?].*/, ''));
  // The longest first, so that the path of a site is removed together with its origin.
  const places = [...new Set([...bases, ...origins])].sort((one, other) => other.length - one.length);
  const escaped = places.map((place) => place.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  // A longer host name or another port is another site.
  const pattern = new RegExp(`(?:https?:)?//(?:${escaped.join('|')})(?![\\w:-]|\\.\\w)`, 'gi');
  return { pattern, mayContain: (text) => origins.some((origin) => text.includes(origin)) };
}

function toRelativeAddress({ base, root, spelling, prefix }: SiteAddress): JsonObject {
  const { pathname, search } = new URL(root);
  const relative = root.startsWith(base) ? `./${root.slice(base.length)}` : pathname + search;
  return { base: './', root: relative, spelling, prefix };
}

/** `example.com/blog`, of a URL with or without a slash at the end. */
function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//i, '').replace(/\/$/, '');
}

/** Adds `application/problem+json` beside the site's JSON to error responses. */
function withProblemResponses(document: JsonObject): JsonObject {
  const { components } = document;
  if (!isJsonObject(components)) return document;
  const { responses, schemas } = components;
  if (!isJsonObject(responses)) return document;
  const known = isJsonObject(schemas) ? schemas : {};
  const name = freeName(known);
  const problem: JsonObject = { schema: { $ref: `#/components/schemas/${name}` } };
  const described = Object.entries(responses).map(([key, response]): [string, Json] => {
    const content = isJsonObject(response) ? response['content'] : undefined;
    if (!isJsonObject(response) || !isJsonObject(content)) return [key, response];
    return [key, { ...response, content: { ...content, 'application/problem+json': problem } }];
  });
  const sorted = Object.entries({ ...known, [name]: problemSchema }).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...document,
    components: {
      ...components,
      schemas: Object.fromEntries<Json>(sorted),
      responses: Object.fromEntries(described),
    },
  };
}

/** A site can have a resource of the name `Problem`. */
function freeName(schemas: JsonObject): string {
  const text = JSON.stringify(problemSchema);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'Problem' : `Problem${number}`;
    if (!Object.hasOwn(schemas, name) || JSON.stringify(schemas[name]) === text) return name;
  }
}
