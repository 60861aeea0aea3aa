import { shorten } from '../../base/text.ts';
import { toSchemaReference } from '../../generator/openapi/document-references.ts';
import type { OperationDetails } from '../../generator/reference/operation-details.ts';
import { toSchemaAnchor } from '../../generator/reference/reference.ts';
import {
  createSchemaTree,
  type SchemaFact,
  type SchemaSource,
  type SchemaTree,
} from '../../generator/reference/schema-tree.ts';
import type { Html } from '../ui/page.tsx';
import { Enumeration, Paragraph } from '../ui/parts.tsx';

/** A request shows required members, a response the ones that might be absent. */
type MessageKind = 'request' | 'response';

/** Title and URL of the operation that returns what a member names by its id. */
export type MemberLinks = ReadonlyMap<string, readonly [title: string, url: string]>;

export function schemaView(
  { children, description, facts, type }: SchemaTree,
  use: MessageKind,
  links?: MemberLinks,
): Html {
  if (children.length > 0) return schemaChildren(children, 0, use, links);
  return (
    <p class="schema-type">
      {typeName(type)} <bdi>{description}</bdi>
      {factList(facts)}
    </p>
  );
}

function schemaChildren(
  nodes: readonly SchemaTree[],
  depth: number,
  use: MessageKind,
  links?: MemberLinks,
): Html {
  const firstChoice = nodes.findIndex(({ name }) => name === '');
  const isPresenceKnown = nodes.some(({ isRequired }) => isRequired);
  const presenceOf = ({ isRequired }: SchemaTree): string | undefined => {
    if (use === 'request') return isRequired ? 'required' : undefined;
    return isPresenceKnown && !isRequired ? 'can be absent' : undefined;
  };
  return (
    <ul class="schema">
      {nodes.map((child, index) => {
        return (
          <li>
            {schemaProperty(child, index - firstChoice, presenceOf(child), links?.get(child.name))}
            {child.children.length > 0 ? (
              <details open={depth === 0 && child.children.length <= 3 ? true : undefined}>
                <summary>
                  {child.name === '' ? 'Its properties' : `Properties of ${child.name}`} (
                  {child.children.length})
                </summary>
                {schemaChildren(child.children, depth + 1, use)}
              </details>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

function schemaProperty(
  node: SchemaTree,
  index: number,
  presence: string | undefined,
  link: readonly [title: string, url: string] | undefined,
): Html {
  const { contexts, description, isCut, isDeprecated, isReadOnly, name } = node;
  const flags = [
    ...(presence === undefined ? [] : [presence]),
    ...(isReadOnly ? ['read only'] : []),
    ...(isDeprecated ? ['deprecated'] : []),
    ...(contexts.length === 1 ? [`${contexts.join('')} only`] : []),
  ];
  return (
    <div class="property">
      {name === '' ? <span class="choice">Choice {index + 1}:</span> : fieldName(name)} {typeName(node.type)}
      {link === undefined ? null : (
        <>
          {' of '}
          <a href={link[1]}>{link[0]}</a>
        </>
      )}
      {flags.map((flag) => (
        <span class={flag === 'required' ? 'flag required' : 'flag'}>{flag}</span>
      ))}
      <Paragraph text={description} />
      {factList(node.facts)}
      {isCut ? <p class="cut">Further properties are in the document.</p> : null}
    </div>
  );
}

function fieldName(name: string): Html {
  return (
    <code class="name" translate="no">
      {name}
    </code>
  );
}

/** A type as a link to its object on the page. A type of several objects names them; they follow on the page. */
export function linkedType(type: string, components: readonly string[]): Html {
  const [component, ...others] = components;
  if (component === undefined || others.length > 0) return typeName(type);
  return <a href={`#${toSchemaAnchor(component)}`}>{typeName(type)}</a>;
}

function typeName(type: string): Html {
  return <span class="type">{type}</span>;
}

function factList(facts: readonly SchemaFact[]): Html {
  return (
    <>
      {facts.map(({ label, omitted, values }) => (
        <span class="fact">
          {label}: <Enumeration last=", " parts={values.map((value) => <code>{value}</code>)} />
          {omitted > 0 ? ` and ${omitted} more` : ''}
        </span>
      ))}
    </>
  );
}

const MAX_COMPONENTS = 24;

export function objectsSection(
  source: SchemaSource,
  operations: readonly OperationDetails[],
  links: MemberLinks,
): Html | null {
  const components = operations.flatMap(({ responses }) =>
    responses.flatMap(({ contents }) => contents.flatMap((content) => content.components)),
  );
  if (components.length === 0) return null;
  return (
    <section class="objects">
      <h2 id="objects">Objects</h2>
      {[...new Set(components)].slice(0, MAX_COMPONENTS).map((component, index) => (
        <details open={index === 0 ? true : undefined}>
          <summary>
            <h3>{shorten(component, 80)}</h3>
          </summary>
          <div id={toSchemaAnchor(component)}>
            {schemaView(createSchemaTree({ $ref: toSchemaReference(component) }, source), 'response', links)}
          </div>
        </details>
      ))}
    </section>
  );
}
