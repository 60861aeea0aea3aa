import {
  changeMembers,
  isJsonObject,
  type Json,
  type JsonObject,
  memberAt,
  unescapePointerToken,
} from '../../base/json.ts';
import { systemClock } from '../../base/ports.ts';
import { runInSlices, type Steps } from '../../base/steps.ts';
import { decodeText, extractJson } from './classify-response.ts';
import type { DiscoveryClient, FetchedResponse } from './client.ts';
import { MAX_DEPTH, type RuleReporter } from './index-values.ts';
import { decodeComponent, type IndexRoute } from './site.ts';

const MAX_DOCUMENTS = 5;
/** Values that a route takes from what its schemas refer to. */
const MAX_TAKEN = 10_000;
/** References within references. A schema that contains itself ends at the second time. */
const MAX_CHAIN = 8;
const MAX_NAMED = 10;
/** Members that hold values, not schemas. */
const VALUE_KEYWORDS: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);

/** What references of a value lead to: its own members, or a document of the site. */
interface Source {
  readonly url: string;
  readonly document: Json;
}

/**
 * Puts what `$ref` names in the place of the reference: a part of the schema itself, or of another document at the site, such as
 * `https://example.com/wp-json/tec/v1/docs#/components/schemas/Event`. What can't be read is left open, and reported.
 */
export async function resolveReferences(
  routes: readonly IndexRoute[],
  root: string,
  client: DiscoveryClient,
  report: RuleReporter,
): Promise<readonly IndexRoute[]> {
  const documents = new Map<string, Json>();
  const resolver = new ReferenceResolver(root, documents);
  const run = (): Promise<readonly IndexRoute[]> =>
    runInSlices(resolver.resolveAll(routes), systemClock, client.signal);
  let resolved = await run();
  // A document can refer to another one.
  while (resolver.wanted.size > 0 && documents.size < MAX_DOCUMENTS) {
    for (const url of [...resolver.wanted].slice(0, MAX_DOCUMENTS - documents.size)) {
      const outcome = await client.request(new URL(url));
      const document =
        outcome.kind === 'failure'
          ? null
          : await runInSlices(readDocument(outcome.response), systemClock, client.signal);
      documents.set(url, document);
    }
    resolved = await run();
  }
  const lost = [...resolver.lost].sort();
  if (lost.length > 0)
    report('reference-unread', { pointer: '/routes' }, `${lost.slice(0, MAX_NAMED).join(', ')}.`);
  return resolved;
}

function* readDocument({ body, status }: FetchedResponse): Steps<Json> {
  const json = yield* extractJson(yield* decodeText(body), isJsonObject);
  return status === 200 && json.ok && isJsonObject(json.value) ? json.value : null;
}

class ReferenceResolver {
  /** Documents of the site that are not read yet, without fragments. */
  readonly wanted = new Set<string>();
  /** References that lead to nothing. */
  readonly lost = new Set<string>();
  readonly #root: string;
  readonly #documents: ReadonlyMap<string, Json>;
  #left = 0;

  constructor(root: string, documents: ReadonlyMap<string, Json>) {
    this.#root = root;
    this.#documents = documents;
  }

  *resolveAll(routes: readonly IndexRoute[]): Steps<readonly IndexRoute[]> {
    this.wanted.clear();
    this.lost.clear();
    const resolved: IndexRoute[] = [];
    for (const route of routes) {
      resolved.push(this.#resolveRoute(route));
      yield;
    }
    return resolved;
  }

  #resolveRoute({ endpoints, schema, ...route }: IndexRoute): IndexRoute {
    this.#left = MAX_TAKEN;
    const resolve = (value: JsonObject): JsonObject =>
      this.#visitObject(value, { url: this.#root, document: value }, 0, []);
    return {
      ...route,
      endpoints: endpoints.map((endpoint) => ({
        ...endpoint,
        args: endpoint.args.map(({ declaration, name }) => ({ name, declaration: resolve(declaration) })),
      })),
      ...(schema !== undefined && { schema: resolve(schema) }),
    };
  }

  #visit(value: Json, source: Source, depth: number, chain: readonly string[]): Json {
    if (chain.length > 0) this.#left -= 1;
    if (typeof value !== 'object' || value === null) return value;
    if (depth > MAX_DEPTH || this.#left < 0) return {};
    if (isJsonObject(value)) return this.#visitObject(value, source, depth, chain);
    return value.map((item) => this.#visit(item, source, depth + 1, chain));
  }

  #visitObject(object: JsonObject, source: Source, depth: number, chain: readonly string[]): JsonObject {
    const { $ref } = object;
    const isReference = typeof $ref === 'string';
    const own = changeMembers(object, (member, name) => {
      if (isReference && name === '$ref') return undefined;
      return VALUE_KEYWORDS.has(name) ? member : this.#visit(member, source, depth + 1, chain);
    });
    return isReference ? { ...this.#follow($ref, source, depth, chain), ...own } : own;
  }

  #follow(reference: string, source: Source, depth: number, chain: readonly string[]): JsonObject {
    const url = URL.canParse(reference, source.url) ? new URL(reference, source.url) : null;
    const pointer = url?.hash.slice(1) ?? '';
    if (url === null) return this.#lose(reference);
    url.hash = '';
    const isLocal = reference.startsWith('#');
    if (!isLocal && !this.#documents.has(url.href) && url.origin === new URL(this.#root).origin)
      this.wanted.add(url.href);
    const document = isLocal ? source.document : (this.#documents.get(url.href) ?? null);
    const tokens = pointer
      .split('/')
      .slice(1)
      .map((token) => unescapePointerToken(decodeComponent(token)));
    const target = memberAt(document, ...tokens);
    if (!isJsonObject(target)) return this.#lose(reference);
    const place = `${isLocal ? source.url : url.href}#${pointer}`;
    if (chain.includes(place) || chain.length >= MAX_CHAIN) return {};
    const next = isLocal ? source : { url: url.href, document };
    return this.#visitObject(target, next, depth + 1, [...chain, place]);
  }

  #lose(reference: string): JsonObject {
    this.lost.add(reference);
    return {};
  }
}
