import type { IndexRoute } from '../discovery/site.ts';
import type { JsonObject } from '../json.ts';
import { contextsOf, inContext } from './contexts.ts';
import { pointerOf } from './endpoints.ts';
import { pascal, singularOf, wordsOf } from './naming/words.ts';
import type { Normalizer } from './schema/index.ts';
import type { Resource, ResourceContext } from './site.ts';

/** The resources of a site: one for all routes of a namespace that state the same schema. */
export interface Resources {
  /** The resource of a route, under a name that no other has; undefined where the route states no schema. */
  of(route: IndexRoute, shape: string): Resource | undefined;
}

export function createResources(normalizer: Normalizer): Resources {
  /** By namespace and normalised schema: the normaliser gives equal schemas the identical one. */
  const known = new Map<string, Map<JsonObject, Resource>>();
  const taken = new Set<string>();
  /** The next number for a name that many ask for: counting from the start each time would take ever longer. */
  const numbers = new Map<string, number>();
  /** The names of the schemas of a namespace: equal ones are one component, also when they are contexts of two resources. */
  const names = new Map<string, Map<string, string>>();

  return {
    of(route, shape) {
      const { schema, namespace, pattern } = route;
      if (schema === undefined) return undefined;
      const normal = normalizer.schema(schema, { route: pattern, pointer: `${pointerOf(route)}/schema` });
      const here = known.get(namespace) ?? new Map<JsonObject, Resource>();
      known.set(namespace, here);
      const before = here.get(normal);
      if (before !== undefined) return before;
      const all = contextsOf(schema);
      const schemas = all.map((context) => ({ context, schema: inContext(schema, normal, context, all) }));
      const made = named(
        schemas.length === 0 ? [{ context: '', schema: normal }] : schemas,
        wishes(route, shape, numbers),
        namespace,
      );
      here.set(normal, made);
      return made;
    },
  };

  /** Takes the first wish whose names are all free. */
  function named(
    schemas: readonly Omit<ResourceContext, 'name'>[],
    wanted: Iterable<string>,
    namespace: string,
  ): Resource {
    const before = names.get(namespace) ?? new Map<string, string>();
    names.set(namespace, before);
    const texts = schemas.map(({ schema }) => JSON.stringify(schema));
    for (const wish of wanted) {
      const fresh = new Map<string, string>();
      schemas.forEach(({ context }, index) => {
        const text = texts[index] ?? '';
        if (before.has(text) || fresh.has(text)) return;
        const name = index === 0 ? wish : wish + pascal(wordsOf(context));
        fresh.set(text, [...fresh.values()].includes(name) ? `${name}${index + 1}` : name);
      });
      if (taken.has(wish) || [...fresh.values()].some((name) => taken.has(name))) continue;
      taken.add(wish);
      for (const [text, name] of fresh) {
        taken.add(name);
        before.set(text, name);
      }
      const contexts = schemas.map((each, index) => ({
        ...each,
        name: before.get(texts[index] ?? '') ?? wish,
      }));
      return { name: wish, contexts };
    }
    throw new Error('unreachable: wishes do not end');
  }
}

/**
 * Names for a resource, the best first: its title, then the words of its path (two schemas of a namespace may have one
 * title: WordPress calls revisions and autosaves both `post-revision`), then with a number. As in the names of
 * operations, the site's own namespace goes without saying and any other is part of the name, so that a new one
 * cannot take a name that is in use.
 */
function* wishes(
  { schema, namespace }: IndexRoute,
  shape: string,
  numbers: Map<string, number>,
): Generator<string> {
  const own = namespace === '' || namespace === 'wp/v2' || namespace === 'core/v2';
  const prefix = own ? [] : wordsOf(namespace.replaceAll('/', '-'));
  const title = schema?.['title'];
  const ofTitle = typeof title === 'string' ? wordsOf(title) : [];
  const path =
    namespace !== '' && shape.startsWith(`/${namespace}`) ? shape.slice(namespace.length + 1) : shape;
  const ofPath = path.split('/').flatMap((literal) => singularOf(wordsOf(literal)));
  const fallback = ofPath.length === 0 ? ['resource'] : ofPath;
  const [best, next] = [ofTitle.length === 0 ? fallback : ofTitle, fallback].map((words) =>
    identifier([...prefix, ...words]),
  );
  if (best === undefined || next === undefined) return;
  yield best;
  if (next !== best) yield next;
  for (;;) {
    const number = numbers.get(best) ?? 2;
    numbers.set(best, number + 1);
    yield `${best}${number}`;
  }
}

function identifier(words: readonly string[]): string {
  const name = pascal(words).slice(0, 120);
  return /^[0-9]/.test(name) ? `Schema${name}` : name;
}
