import { shorten } from '../details/plain-text.ts';
import type { SchemaFact } from '../details/schema-facts.ts';
import type { SchemaTree } from '../details/schema-tree.ts';
import { toAnchor } from '../reference/slugs.ts';
import { DescriptionText } from './description-text.tsx';
import type { Html } from './html.ts';

/** What a schema describes. A request needs to know what is required; a reader of a response, what may be absent. */
export type MessageKind = 'request' | 'response';

/** The properties of a schema as a list. Properties with properties of their own fold. */
export function SchemaView({
  node,
  use = 'request',
}: {
  readonly node: SchemaTree;
  readonly use?: MessageKind;
}): Html {
  if (node.children.length === 0) {
    return (
      <p class="schema-type">
        <Type type={node.type} /> {node.description}
        <Facts facts={node.facts} />
      </p>
    );
  }
  return <SchemaChildren nodes={node.children} depth={0} use={use} />;
}

function SchemaChildren({
  depth,
  nodes,
  use,
}: {
  readonly nodes: readonly SchemaTree[];
  readonly depth: number;
  readonly use: MessageKind;
}): Html {
  // Of an object that states no required properties nothing is known.
  const isPresenceKnown = nodes.some(({ isRequired }) => isRequired);
  const presenceOf = ({ isRequired }: SchemaTree): string | undefined => {
    if (use === 'request') return isRequired ? 'required' : undefined;
    return isPresenceKnown && !isRequired ? 'may be absent' : undefined;
  };
  return (
    <ul class="schema">
      {nodes.map((child, index) => (
        <li>
          <SchemaProperty node={child} index={index} presence={presenceOf(child)} />
          {child.children.length > 0 ? (
            <details open={depth === 0 && child.children.length <= 3 ? true : undefined}>
              <summary>
                {child.name === '' ? 'Its properties' : `Properties of ${child.name}`} (
                {child.children.length})
              </summary>
              <SchemaChildren nodes={child.children} depth={depth + 1} use={use} />
            </details>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

interface SchemaPropertyProps {
  readonly node: SchemaTree;
  readonly index: number;
  /** `required`, `may be absent` */
  readonly presence: string | undefined;
}

function SchemaProperty({ index, node, presence }: SchemaPropertyProps): Html {
  return (
    <div class="property">
      {node.name === '' ? (
        <span class="choice">Choice {index + 1}:</span>
      ) : (
        <code class="name">{node.name}</code>
      )}{' '}
      <NodeType node={node} />
      {presence === undefined ? null : (
        <span class={presence === 'required' ? 'flag required' : 'flag'}>{presence}</span>
      )}
      {node.isReadOnly ? <span class="flag">read only</span> : null}
      {node.isDeprecated ? <span class="flag">deprecated</span> : null}
      {node.contexts.length === 1 ? <span class="flag">{node.contexts.join('')} only</span> : null}
      {node.description === '' ? null : (
        <p>
          <DescriptionText text={node.description} />
        </p>
      )}
      <Facts facts={node.facts} />
      {node.isCut ? <p class="cut">Further properties are in the document.</p> : null}
    </div>
  );
}

function NodeType({ node: { links, type } }: { readonly node: SchemaTree }): Html {
  const [first = ''] = links;
  if (links.length === 0) return <Type type={type} />;
  if (links.length === 1) return <ComponentLink component={first} text={type} />;
  return (
    <>
      {links.map((component, index) => (
        <>
          {index === 0 ? '' : ' or '}
          <ComponentLink component={component} text={shorten(component, 80)} />
        </>
      ))}
    </>
  );
}

/** A link to an object of the page. */
export function ComponentLink({
  component,
  text,
}: {
  readonly component: string;
  readonly text: string;
}): Html {
  return (
    <a href={`#${toSchemaAnchor(component)}`}>
      <Type type={text} />
    </a>
  );
}

/** The anchor of a component on a page. */
export function toSchemaAnchor(component: string): string {
  return `schema-${toAnchor(component)}`;
}

/** The name of a type. */
export function Type({ type }: { readonly type: string }): Html {
  return <span class="type">{type}</span>;
}

/** Default, allowed values and bounds. */
export function Facts({ facts }: { readonly facts: readonly SchemaFact[] }): Html {
  return (
    <>
      {facts.map(({ label, omitted, values }) => (
        <span class="fact">
          {label}:{' '}
          {values.map((value, index) => (
            <>
              {index === 0 ? '' : ', '}
              <code>{value}</code>
            </>
          ))}
          {omitted > 0 ? ` and ${omitted} more` : ''}
        </span>
      ))}
    </>
  );
}
