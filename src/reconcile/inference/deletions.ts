import type { JsonObject } from '../../json.ts';
import type { SeenResponses } from '../../validation/shapes/index.ts';
import type { OperationEntry } from '../document-operations.ts';
import { pathResourceName } from './component-names.ts';
import type { InferredComponents } from './components.ts';
import { createShapeSchema } from './create-schema.ts';

/** A component for the response to a deletion for good. */
export interface DeletionComponent {
  readonly name: string;
  readonly schema: JsonObject;
}

/**
 * Creates the component of `{ deleted: true, previous }`, the response to `force=true`. `previous` is the resource, which
 * has no links any more.
 */
export function createDeletionComponent(
  { path }: Pick<OperationEntry, 'path'>,
  { shape }: SeenResponses,
  components: InferredComponents,
): DeletionComponent {
  const previous = shape.objects?.members.get('previous');
  const resource = previous?.objects ? components.findWithoutLinks(previous.objects) : null;
  const schema =
    resource?.schema ?? (previous === undefined ? {} : createShapeSchema(previous, components.options));
  return {
    name: `Deleted${resource?.name ?? pathResourceName(path)}`,
    schema: {
      type: 'object',
      properties: { deleted: { const: true }, previous: schema },
      required: ['deleted', 'previous'],
    },
  };
}
