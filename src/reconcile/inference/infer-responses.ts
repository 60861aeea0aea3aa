import { EXTENSION_NAMES } from '../../document-extensions.ts';
import { type Json, type JsonObject, jsonMembers } from '../../json.ts';
import { LINK_SCHEMA } from '../../model/conventions/known-response-schemas.ts';
import type { JsonLocation } from '../../openapi/document-references.ts';
import type { OpenApiDocument } from '../../openapi/index.ts';
import { FORCED_VARIANT, mergeResponses, type SeenResponses } from '../../validation/shapes/index.ts';
import { createInferenceAction, type OverlayAction } from '../overlay-action.ts';
import { createComponentActions } from './component-actions.ts';
import { inferComponents, type UntypedResponse } from './components.ts';
import { contextReferences } from './context-references.ts';
import { createShapeSchema, type InferenceOptions } from './create-schema.ts';
import { createDeletionComponent } from './deletions.ts';
import { describeSharedOperations } from './shared-operations.ts';
import { countAllResponses, listUntypedOperations, type UntypedOperation } from './untyped-operations.ts';

const LINK_NAME = 'Link';
/** Reference to the schema of a link, in documents that have it and in those that get it. */
export const LINK_REFERENCE: JsonObject = { $ref: `#/components/schemas/${LINK_NAME}` };

/**
 * Creates the actions that describe the responses of operations without a schema: references to components that all
 * responses match, new components for resources, and schemas in place for the rest.
 */
export function inferResponses(
  document: OpenApiDocument,
  shapes: readonly SeenResponses[],
): readonly OverlayAction[] {
  const untyped = listUntypedOperations(document, shapes);
  const responses = untyped.flatMap(({ operation: { method, path }, variants }) =>
    Array.from(variants, ([variant, { shape }]): UntypedResponse => ({ method, path, variant, shape })),
  );
  const components = inferComponents(responses, document, LINK_REFERENCE);
  const deletions = untyped.flatMap(({ operation, variants }) => {
    const forced = variants.get(FORCED_VARIANT);
    return forced === undefined
      ? []
      : [{ operation, ...createDeletionComponent(operation, forced, components) }];
  });
  const forcedNames = new Map(deletions.map(({ name, operation }) => [operation, name]));
  const described = untyped.flatMap((each) =>
    describeOperation(each, components.options, forcedNames.get(each.operation)),
  );
  const shared = describeSharedOperations(document, described);
  const schemas = new Map([
    ...components.schemas,
    ...deletions.map(({ name, schema }): [string, JsonObject] => [name, schema]),
    [LINK_NAME, LINK_SCHEMA],
  ]);
  return [
    ...createComponentActions(document, schemas, [...described, ...shared], untyped),
    ...described,
    ...shared,
  ];
}

/** @param forcedName name of the component of a deletion for good */
function describeOperation(
  untyped: UntypedOperation,
  componentOptions: InferenceOptions,
  forcedName: string | undefined,
): readonly OverlayAction[] {
  const { operation, variants } = untyped;
  const { content, id, isAlternative, location, method, path } = operation;
  const options = path.includes('{') ? componentOptions : { ...componentOptions, requiredEvidence: 1 };
  const forced = forcedName === undefined ? undefined : { $ref: `#/components/schemas/${forcedName}` };
  const toSchema = ({ shape, variant }: SeenResponses): JsonObject =>
    variant === FORCED_VARIANT && forced !== undefined ? forced : createShapeSchema(shape, options);
  const responses = [...variants.values()];
  const evidence = { kind: 'inferred', responses: countAllResponses(responses), operations: [id] } as const;
  const describe = (at: JsonLocation, change: JsonObject, what: string): OverlayAction =>
    createInferenceAction(at, change, `${what}, inferred from samples.`, evidence);
  if (responses.every(({ shape }) => shape.count === 0)) {
    const statuses = new Set(responses.flatMap((response) => [...response.statuses.keys()]));
    const empty = Array.from(statuses, (status) => [
      String(status),
      { description: 'Success, without content.' },
    ]);
    return isAlternative
      ? []
      : [describe([...location, 'responses'], Object.fromEntries(empty), 'The status')];
  }
  const contexts = isAlternative ? undefined : contextReferences(untyped, toSchema);
  const schema = createResponseSchema(method, variants, contexts !== undefined, toSchema);
  if (isAlternative) return [describe(location, { response: schema }, 'The response')];
  return [
    describe(
      [...location, 'responses'],
      createResponses(content['responses'], responses, schema),
      'The response',
    ),
    ...(contexts === undefined
      ? []
      : [describe(location, { [EXTENSION_NAMES.contexts]: contexts }, 'The component of each context')]),
    ...(forced === undefined
      ? []
      : [describe(location, { [EXTENSION_NAMES.forced]: { schema: forced } }, 'The response to force=true')]),
  ];
}

/** Creates the schema of an operation: in its default context, or in all of them if it names none. */
function createResponseSchema(
  method: string,
  variants: ReadonlyMap<string, SeenResponses>,
  hasContexts: boolean,
  toSchema: (response: SeenResponses) => JsonObject,
): JsonObject {
  const usual = variants.get('');
  if (usual !== undefined && (hasContexts || variants.size === 1)) return toSchema(usual);
  const responses = [...variants.values()];
  if (method === 'DELETE') {
    const schemas = responses.map(toSchema);
    return schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: schemas };
  }
  const [first, ...others] = responses;
  return first === undefined ? {} : toSchema(others.reduce(mergeResponses, first));
}

/** Puts the schema to every successful status that the document states or that was seen with a body. */
function createResponses(
  stated: Json | undefined,
  shapes: readonly SeenResponses[],
  schema: JsonObject,
): JsonObject {
  const known = jsonMembers(stated).filter(([status]) => /^2(?:\d\d|XX)$/.test(status) && status !== '204');
  const seen = shapes.flatMap(({ statuses }) =>
    [...statuses.keys()].filter((status) => status !== 204).map(String),
  );
  const content = { 'application/json': { schema } };
  return Object.fromEntries(
    [...new Set([...known.map(([status]) => status), ...seen])]
      .sort()
      .map((status): [string, Json] => [
        status,
        known.some(([other]) => other === status) ? { content } : { description: 'Success.', content },
      ]),
  );
}
