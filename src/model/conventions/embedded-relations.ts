import { groupBy } from '../../group-by.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';
import type { EmbeddedRelation, SiteResource } from '../site.ts';
import type { EmbeddableRelation } from './resource-conventions.ts';

/** A resource whose embedded relations are not resolved yet. */
export interface DraftResource {
  readonly resource: Omit<SiteResource, 'embedded'> & { embedded: readonly EmbeddedRelation[] };
  /** The normalized schema with the properties of all contexts. */
  readonly schema: JsonObject;
  readonly namespace: string;
  /** The template of the first route that states the schema, without parameter names. */
  readonly anonymousTemplate: string;
}

/** Maximum number of resources of one relation. The values of a relation with more are left open. */
const MAX_TARGETS = 8;

/** Sets the embedded relations of resources by the conventions, once all resources of the site are known. */
export function resolveEmbeddedRelations(drafts: readonly DraftResource[]): void {
  const byKind = groupBy(drafts, ({ resource }) => resource.convention?.kind);
  for (const draft of drafts) {
    const links = draft.resource.convention?.links;
    if (links === undefined || links === 'none') continue;
    draft.resource.embedded = links.embeddable.map((relation) => ({
      relation: relation.relation,
      isCollection: relation.isCollection,
      resources: findTargets(relation, draft, byKind),
    }));
  }
}

function findTargets(
  { target }: EmbeddableRelation,
  source: DraftResource,
  byKind: ReadonlyMap<string | undefined, readonly DraftResource[]>,
): readonly SiteResource[] {
  if (target === 'same') return [source.resource];
  const kinds = target === 'terms' ? ['term'] : target;
  const candidates = kinds.flatMap((kind) => byKind.get(kind) ?? []);
  const nearby = candidates.filter(({ namespace }) => namespace === source.namespace);
  const found = (nearby.length === 0 ? candidates : nearby).filter(
    (candidate) => target !== 'terms' || hasProperty(source, lastSegment(candidate.anonymousTemplate)),
  );
  return found.length > MAX_TARGETS ? [] : found.map(({ resource }) => resource);
}

/** A post has a property for each of its taxonomies, which has the name of the taxonomy's route. */
function hasProperty({ schema }: DraftResource, name: string): boolean {
  const { properties } = schema;
  return isJsonObject(properties) && Object.hasOwn(properties, name);
}

function lastSegment(template: string): string {
  return template.slice(template.lastIndexOf('/') + 1);
}
