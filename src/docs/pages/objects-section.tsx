import { toSchemaReference } from '../../openapi/document-references.ts';
import type { OperationDetails } from '../details/operation-details.ts';
import { shorten } from '../details/plain-text.ts';
import { createSchemaTree } from '../details/schema-tree.ts';
import type { Html } from './html.ts';
import type { RenderContext } from './render-context.ts';
import { toSchemaAnchor } from './response-section.tsx';
import { SchemaView } from './schema-view.tsx';

/** The objects that the operations of a page return. Links of the responses lead to them. */
export function ObjectsSection({
  components,
  context,
}: {
  readonly context: RenderContext;
  readonly components: readonly string[];
}): Html | null {
  if (components.length === 0) return null;
  return (
    <section class="objects">
      <h2 id="objects">Objects</h2>
      {components.map((component, index) => (
        <details id={toSchemaAnchor(component)} open={index === 0 ? true : undefined}>
          <summary>
            <h3>{shorten(component, 80)}</h3>
          </summary>
          <SchemaView node={createSchemaTree({ $ref: toSchemaReference(component) }, context.source)} />
        </details>
      ))}
    </section>
  );
}

/** Maximum number of objects on a page. */
const MAX_COMPONENTS = 24;

/** Lists the objects that operations return, each once. */
export function listResponseComponents(operations: readonly OperationDetails[]): readonly string[] {
  const components = operations.flatMap(({ responses }) =>
    responses.flatMap(({ contents }) => contents.flatMap((content) => content.components)),
  );
  return [...new Set(components)].slice(0, MAX_COMPONENTS);
}
