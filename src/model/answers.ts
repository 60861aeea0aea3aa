import { singularize } from 'inflection';
import type { IndexEndpoint } from '../discovery/site.ts';
import type { Answer, Resource } from './site.ts';

/**
 * What an operation answers. The index gives one schema a route, that of a single resource, and does not say which
 * methods answer one, many, or something about one: this is read from the facts around it. Where a route has no schema
 * nothing is said.
 */
export function answerOf(
  method: string,
  endpoint: IndexEndpoint,
  place: Place,
  resource: Resource | undefined,
): Answer {
  if (method === 'POST' && isBatch(endpoint, place)) return { kind: 'batch' };
  if (resource === undefined) return { kind: 'open' };
  const collection = collectionKind(place);
  const read = { resource, ...contextOf(endpoint) };
  // WordPress's controllers answer what they wrote in the context `edit`, whatever was asked for.
  const written = { resource, paged: false, context: 'edit', chooses: false };
  switch (method) {
    case 'GET':
    case 'HEAD': {
      const paged = isPaged(endpoint);
      return { kind: paged ? 'list' : (collection ?? 'item'), paged, ...read };
    }
    case 'POST':
      return { kind: collection === null ? 'updated' : 'created', ...written };
    case 'PUT':
    case 'PATCH':
      return { kind: 'updated', ...written };
    case 'DELETE':
      return { kind: 'deleted', ...written };
    default:
      // OPTIONS describes the route; what a plugin's own methods answer is theirs to know.
      return { kind: 'open' };
  }
}

function contextOf(endpoint: IndexEndpoint): { readonly context: string; readonly chooses: boolean } {
  const declared = endpoint.args.find(({ name }) => name === 'context')?.declaration;
  const context = declared?.['default'];
  return { context: typeof context === 'string' ? context : 'view', chooses: declared !== undefined };
}

/** Where an operation stands among the site's routes. */
export interface Place {
  /** The path template with its parameters' names erased: `/wp/v2/posts/{}`. */
  readonly shape: string;
  /** The title of the route's schema; empty where it has none. */
  readonly title: string;
  /** Whether the site has a route one parameter below this one whose schema has the same title. */
  readonly hasItems: boolean;
}

/**
 * Collections that WordPress answers as an object keyed by name, though the index cannot say so: seen on 6.x and 7.1.
 * By the title of the schema, because the namespace is another on sites that renamed theirs.
 */
const KEYED_BY_NAME: ReadonlySet<string> = new Set(['type', 'status', 'taxonomy', 'menu-location']);

/** `WP_REST_Controller::get_collection_params` gives these two to every collection that counts its pages. */
function isPaged(endpoint: IndexEndpoint): boolean {
  const names = new Set(endpoint.args.map(({ name }) => name));
  return names.has('per_page') || (names.has('page') && names.has('offset'));
}

function collectionKind({ shape, title, hasItems }: Place): 'list' | 'keyed' | null {
  if (hasItems && KEYED_BY_NAME.has(title)) return 'keyed';
  return hasItems || namesMany(shape, title) ? 'list' : null;
}

/** `/block-patterns/categories` with the schema of a `block-pattern-category`: the path says the plural of the title. */
function namesMany(shape: string, title: string): boolean {
  const last = lastWord(shape.slice(shape.lastIndexOf('/') + 1));
  const one = lastWord(title);
  return last !== '' && last !== one && singularize(last) === one;
}

function lastWord(text: string): string {
  return /[a-z0-9]+$/.exec(text.toLowerCase())?.[0] ?? '';
}

function isBatch(endpoint: IndexEndpoint, { shape }: Place): boolean {
  return shape === '/batch/v1' && endpoint.args.some(({ name }) => name === 'requests');
}
