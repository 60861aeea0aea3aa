import { toSchemaReference } from '../../openapi/document-references.ts';
import { listComponentsBelow } from '../details/components.ts';
import type { OperationDetails } from '../details/operation-details.ts';
import { shorten } from '../details/plain-text.ts';
import { createSchemaTree } from '../details/schema-tree.ts';
import type { Html } from './html.ts';
import type { RenderContext } from './render-context.ts';
import { SchemaView, toSchemaAnchor } from './schema-view.tsx';

/** Maximum number of objects on a page. */
const MAX_COMPONENTS = 24;

/** The objects that the operations of a page return, and the objects in them. Links lead to them. */
export function ObjectsSection({
  components,
  context,
}: {
  readonly context: RenderContext;
  readonly components: readonly string[];
}): Html | null {
  if (components.length === 0) return null;
  const { source } = context;
  const listed = listComponentsBelow(components, source.document, MAX_COMPONENTS);
  const linked = new Set(listed);
  return (
    <section class="objects">
      <h2 id="objects">Objects</h2>
      {listed.map((component, index) => (
        <details id={toSchemaAnchor(component)} open={index === 0 ? true : undefined}>
          <summary>
            <h3>{shorten(component, 80)}</h3>
          </summary>
          <SchemaView
            node={createSchemaTree({ $ref: toSchemaReference(component) }, source, { linked })}
            use="response"
          />
        </details>
      ))}
    </section>
  );
}

/** Lists the objects that operations return, each once. */
export function listResponseComponents(operations: readonly OperationDetails[]): readonly string[] {
  const components = operations.flatMap(({ responses }) =>
    responses.flatMap(({ contents }) => contents.flatMap((content) => content.components)),
  );
  return [...new Set(components)];
}
