import { createBodyTags, type ShownBy } from '../../cache/wordpress/body-tags.ts';
import { cardTags } from '../../cache/wordpress/embed-cards.ts';
import { headerTags } from '../../cache/wordpress/header-tags.ts';
import { addressTags } from '../../cache/wordpress/list-tags.ts';
import type { DeclaredParameter, QueryMeaning } from '../../cache/wordpress/meaning.ts';
import { createResources, type Located, type Resources } from '../../cache/wordpress/resources.ts';
import { createLinkReader } from '../../cache/wordpress/roots.ts';
import { OPAQUE } from '../../cache/wordpress/tag-names.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import { latin1 } from '../../http/latin1.ts';
import { memoizeByString } from '../../memoize.ts';
import type { ServedOperation } from '../../openapi/index.ts';
import { isJsonContentType } from '../../php/content-type.ts';
import type { Snapshot } from '../snapshot.ts';
import { declaredParameters } from './declared.ts';

/** What the store needs to know of a site, made from its document once. */
export interface SiteSide {
  /** What tells the site's keys and tags from those of others in one store. */
  readonly name: string;
  readonly resources: Resources;
  declared(operation: ServedOperation): ReadonlyMap<string, DeclaredParameter>;
  /** Tags as they are in the store: with the name of the site before them. */
  scoped(tags: Iterable<string>): readonly string[];
  /** With what the site itself calls an answer. */
  namedTags(fixed: readonly string[], head: ResponseHead): readonly string[];
  /** @param fixed the tags that the answer has by its address */
  tagsOf(
    shown: ShownBy,
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
export function createSiteSide(snapshot: Snapshot, rewrites: boolean): SiteSide {
  const { address, judges } = snapshot;
  const name = address.base.replace(/^https?:\/\//, '');
  const declared = new WeakMap<ServedOperation, ReadonlyMap<string, DeclaredParameter>>();
  const resources = createResources(
    [...(judges?.operations() ?? [])].map(({ operation, route }) => ({
      namespace: route.namespace,
      template: operation.path,
      method: operation.method,
      parameters: operation.parameters.map((parameter) => parameter.name),
    })),
  );
  const readers = new Map<string, ReturnType<typeof createBodyTags>>();

  function bodyTagsFor(publicBase: string): ReturnType<typeof createBodyTags> {
    const key = rewrites ? publicBase : '';
    const known = readers.get(key);
    if (known !== undefined) return known;
    const made = createBodyTags(resources, createLinkReader(address, rewrites ? [publicBase] : []));
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
      const shows = isReadable(head) ? bodyTagsFor(publicBase)(latin1(body), shown) : JUST_OPAQUE;
      return withScoped(fixed, shows, headerTags(head));
    },
  };
}

const JUST_OPAQUE: readonly string[] = [OPAQUE];

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
  at: Located,
  { values }: QueryMeaning,
  declared: ReadonlyMap<string, DeclaredParameter>,
  resources: Resources,
): readonly string[] {
  const query = { values, defaultOrder: declared.get('orderby')?.default };
  return [...addressTags(at, query, resources), ...cardTags(at.path, values)];
}
