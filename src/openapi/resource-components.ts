import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { LINK_SCHEMA } from '../model/conventions/known-response-schemas.ts';
import type { EmbeddedRelation, ResourceContext, SiteResource } from '../model/site.ts';
import type { ComponentRegistry } from './component-registry.ts';
import { registerError } from './errors.ts';

/**
 * Registers the component of a resource in one context, with its links and, except in the context `embed`, with the
 * resources that `_embed` adds.
 *
 * @returns a reference to the component
 */
export function registerResource(
  resource: SiteResource,
  context: ResourceContext,
  components: ComponentRegistry,
): JsonObject {
  // Contexts with equal schemas share one component, so it is described by the first of them.
  const shared = resource.contexts.find(({ name }) => name === context.name) ?? context;
  return components.registerSchemaOf(shared, shared.name, () => addLinks(resource, shared, components));
}

/** The schema of a resource in one context without links, as the response to a forced deletion contains it. */
export function createUnlinkedSchema(
  resource: SiteResource,
  context: ResourceContext,
  components: ComponentRegistry,
): JsonObject {
  const links = resource.convention?.links;
  const isLinked = links !== undefined && links !== 'none' && links.always.length > 0;
  return isLinked ? context.schema : registerResource(resource, context, components);
}

function addLinks(
  resource: SiteResource,
  { context, schema }: ResourceContext,
  components: ComponentRegistry,
): JsonObject {
  const { properties, required } = schema;
  const links = resource.convention?.links;
  const canHaveLinks = isJsonObject(properties) && !Object.hasOwn(properties, '_links');
  if (!canHaveLinks || links === 'none') return schema;
  const added: { [name: string]: Json } = { _links: createLinksReference(resource, components) };
  if (context !== 'embed' && resource.embedded.length > 0 && !Object.hasOwn(properties, '_embedded')) {
    added['_embedded'] = createEmbeddedReference(resource, components);
  }
  const isAlwaysLinked = links !== undefined && links.always.length > 0;
  const names = Array.isArray(required) ? required : [];
  const all = { ...schema, properties: { ...properties, ...added } };
  return isAlwaysLinked ? { ...all, required: [...names, '_links'] } : all;
}

/** The resources whose links are alike share a component: those of one convention. */
function createLinksReference({ convention }: SiteResource, components: ComponentRegistry): JsonObject {
  const links = convention?.links;
  if (convention === undefined || links === undefined || links === 'none') {
    return registerAnyLinks(components);
  }
  const { always, sometimes = [], embeddable = [] } = links;
  const others = [...sometimes, ...embeddable.map(({ relation }) => relation)];
  const name = convention.kind.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return components.registerSchemaOf(links, `${name}Links`, () =>
    createLinksSchema('The links of the resource by relation.', always, others, components),
  );
}

const ANY_LINKS = {};

function registerAnyLinks(components: ComponentRegistry): JsonObject {
  return components.registerSchemaOf(ANY_LINKS, 'Links', () =>
    createLinksSchema('The links of a resource by relation.', [], [], components),
  );
}

function createLinksSchema(
  description: string,
  always: readonly string[],
  sometimes: readonly string[],
  components: ComponentRegistry,
): JsonObject {
  const link = components.registerSchema('Link', LINK_SCHEMA);
  const list: JsonObject = { type: 'array', items: link };
  const relations = [...new Set([...always, ...sometimes])];
  return {
    description,
    type: 'object',
    ...(always.length > 0 ? { required: always } : {}),
    ...(relations.length > 0
      ? { properties: Object.fromEntries(relations.map((relation) => [relation, list])) }
      : {}),
    additionalProperties: list,
  };
}

/** `_embedded`: each relation has a value for each of its links; a resource that cannot be read is an error. */
function createEmbeddedReference(resource: SiteResource, components: ComponentRegistry): JsonObject {
  return components.registerSchemaOf(resource.embedded, `${resource.name}Embedded`, () => ({
    description: 'The linked resources that `_embed` requests, by relation. An unreadable one is an error.',
    type: 'object',
    properties: Object.fromEntries(
      resource.embedded.map((relation) => [relation.relation, createRelationSchema(relation, components)]),
    ),
  }));
}

function createRelationSchema(
  { isCollection, resources }: EmbeddedRelation,
  components: ComponentRegistry,
): JsonObject {
  const targets = resources.flatMap((target) => {
    const context = target.contexts.find((each) => each.context === 'embed') ?? target.contexts[0];
    return context === undefined ? [] : [registerResource(target, context, components)];
  });
  const known = [...new Map(targets.map((target) => [target['$ref'], target])).values()];
  const distinct = known.length > 0 ? known : [registerAnyResource(components)];
  const error = registerError(components);
  if (!isCollection) return { type: 'array', items: { anyOf: [...distinct, error] } };
  const [only, ...others] = distinct;
  const items: JsonObject = others.length === 0 ? (only ?? {}) : { anyOf: distinct };
  return { type: 'array', items: { anyOf: [{ type: 'array', items }, error] } };
}

const ANY_RESOURCE = {};

/** The resource of a relation whose route the site does not have, or does not describe. */
function registerAnyResource(components: ComponentRegistry): JsonObject {
  return components.registerSchemaOf(ANY_RESOURCE, 'EmbeddedResource', () => ({
    description: 'A resource that the site does not describe.',
    type: 'object',
    properties: { _links: registerAnyLinks(components) },
    additionalProperties: true,
  }));
}
