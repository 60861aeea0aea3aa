import { type BodyScope, createBodyTagger } from '../../cache/wordpress/body-tags.ts';
import type { CanonicalQuery, DeclaredParameter } from '../../cache/wordpress/canonical-query.ts';
import { headerTags } from '../../cache/wordpress/header-tags.ts';
import { createLinkParser } from '../../cache/wordpress/link-parser.ts';
import { routeTags } from '../../cache/wordpress/list-tags.ts';
import { oembedResponseTags } from '../../cache/wordpress/oembed.ts';
import {
  createResourceMap,
  type ResourceLocation,
  type ResourceMap,
} from '../../cache/wordpress/resource-map.ts';
import { OPAQUE_TAG } from '../../cache/wordpress/tag-names.ts';
import { decodeLatin1 } from '../../http/body.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import { memoizeByString } from '../../memoize.ts';
import type { ServedOperation } from '../../openapi/index.ts';
import { isJsonContentType } from '../../php/content-type.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { declaredParameters } from './declared-parameters.ts';

/** What the store needs to know of a site, made from its document once. */
export interface SiteCacheProfile {
  /** What tells the site's keys and tags from those of others in one store. */
  readonly name: string;
  readonly resources: ResourceMap;
  declared(operation: ServedOperation): ReadonlyMap<string, DeclaredParameter>;
  /** Tags as they are in the store: with the name of the site before them. */
  scoped(tags: Iterable<string>): readonly string[];
  /** With what the site itself calls an answer. */
  namedTags(fixed: readonly string[], head: ResponseHead): readonly string[];
  /** @param fixed the tags that the answer has by its address */
  tagsOf(
    shown: BodyScope,
    fixed: readonly string[],
    head: ResponseHead,
    body: Uint8Array,
    publicBase: string,
  ): readonly string[];
}

const NO_PARAMETERS: ReadonlyMap<string, DeclaredParameter> = new Map();

/** How many public addresses of the gateway links are looked for by. */
const MOST_ADDRESSES = 16;

/** @param rewrites whether links in bodies are the gateway's instead of the site's */
export function createSiteCacheProfile(snapshot: Snapshot, rewrites: boolean): SiteCacheProfile {
  const { address, judges } = snapshot;
  const name = address.base.replace(/^https?:\/\//, '');
  const declared = new WeakMap<ServedOperation, ReadonlyMap<string, DeclaredParameter>>();
  const resources = createResourceMap(
    [...(judges?.operations() ?? [])].map(({ operation, route }) => ({
      namespace: route.namespace,
      template: operation.path,
      method: operation.method,
      queryParameters: operation.parameters.map((parameter) => parameter.name),
    })),
  );
  const readers = new Map<string, ReturnType<typeof createBodyTagger>>();

  function bodyTagsFor(publicBase: string): ReturnType<typeof createBodyTagger> {
    const key = rewrites ? publicBase : '';
    const known = readers.get(key);
    if (known !== undefined) return known;
    const made = createBodyTagger(resources, createLinkParser(address, rewrites ? [publicBase] : []));
    if (readers.size < MOST_ADDRESSES) readers.set(key, made);
    return made;
  }

  const ours = memoizeByString((tag) => `${name} ${tag}`);

  function scoped(tags: Iterable<string>): readonly string[] {
    return withScoped([], tags);
  }

  function withScoped(fixed: readonly string[], ...more: readonly Iterable<string>[]): readonly string[] {
    const all = fixed.slice();
    for (const tags of more) for (const tag of tags) all.push(ours(tag));
    return all;
  }

  return {
    name,
    resources,
    scoped,
    declared(operation) {
      if (judges === null) return NO_PARAMETERS;
      const known = declared.get(operation);
      if (known !== undefined) return known;
      const made = declaredParameters(operation, judges.resolve);
      declared.set(operation, made);
      return made;
    },
    namedTags: (fixed, head) => withScoped(fixed, headerTags(head)),
    tagsOf(shown, fixed, head, body, publicBase) {
      const shows = isReadable(head) ? bodyTagsFor(publicBase)(decodeLatin1(body), shown) : JUST_OPAQUE;
      return withScoped(fixed, shows, headerTags(head));
    },
  };
}

const JUST_OPAQUE: readonly string[] = [OPAQUE_TAG];

/** Text that can be searched: JSON, and not compressed. */
function isReadable({ headers }: ResponseHead): boolean {
  const coding = fieldValue(headers, 'content-encoding');
  return (
    (coding === undefined || coding === 'identity') &&
    isJsonContentType(fieldValue(headers, 'content-type') ?? null)
  );
}

/** The tags that an answer has by what was asked for. */
export function fixedTags(
  at: ResourceLocation,
  { values }: CanonicalQuery,
  declared: ReadonlyMap<string, DeclaredParameter>,
  resources: ResourceMap,
): readonly string[] {
  const query = { values, defaultOrder: declared.get('orderby')?.default };
  return [...routeTags(at, query, resources), ...oembedResponseTags(at.path, values)];
}
