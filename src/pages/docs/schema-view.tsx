import { shorten } from '../../base/text.ts';
import { UniqueNames } from '../../base/unique-names.ts';
import { toSchemaReference } from '../../generator/openapi/document-objects.ts';
import type { OperationDetails } from '../../generator/reference/operation-details.ts';
import { NUMBERED, toSchemaAnchor } from '../../generator/reference/reference.ts';
import {
  createSchemaTree,
  type SchemaFact,
  type SchemaSource,
  type SchemaTree,
} from '../../generator/reference/schema-tree.ts';
import { Enumeration, type Html, Paragraph } from '../ui/page.tsx';

/** A request shows required members, a response the ones that might be absent. */
type MessageKind = 'request' | 'response';

/** Title and URL of the operation that returns what a member names by its id. */
export type MemberLinks = ReadonlyMap<string, readonly [title: string, url: string]>;

export function schemaView(
  { children, description, facts, type }: SchemaTree,
  use: MessageKind,
  prefix?: string,
  links?: MemberLinks,
): Html {
  if (children.length > 0) return schemaChildren(children, 0, use, prefix, links);
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
  prefix: string | undefined,
  links?: MemberLinks,
): Html {
  const firstChoice = nodes.findIndex(({ name }) => name === '');
  const segments = new UniqueNames([], NUMBERED);
  const isPresenceKnown = nodes.some(({ isRequired }) => isRequired);
  const presenceOf = ({ isRequired }: SchemaTree): string | undefined => {
    if (use === 'request') return isRequired ? 'required' : undefined;
    return isPresenceKnown && !isRequired ? 'can be absent' : undefined;
  };
  return (
    <ul class="schema">
      {nodes.map((child, index) => {
        const name = toSegment(child.name || String(index));
        const address = prefix && prefix + segments.claim(name);
        return (
          <li>
            {schemaProperty(child, index - firstChoice, presenceOf(child), address, links?.get(child.name))}
            {child.children.length > 0 ? (
              <details open={depth === 0 && child.children.length <= 3 ? true : undefined}>
                <summary>
                  {child.name === '' ? 'Its properties' : `Properties of ${child.name}`} (
                  {child.children.length})
                </summary>
                {schemaChildren(child.children, depth + 1, use, address && `${address}.`)}
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
  address: string | undefined,
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
      {name === '' ? <span class="choice">Choice {index + 1}:</span> : fieldName(name, address)}{' '}
      {typeName(node.type)}
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

/** Name of a parameter or property. The script makes it a link: nine hundred links would take 6 kB. */
function fieldName(name: string, address: string | undefined): Html {
  const code = (
    <code class="name" translate="no">
      {name}
    </code>
  );
  if (address === undefined) return code;
  return (
    // biome-ignore lint/a11y/useValidAnchor: the script gives it an address.
    <a class="permalink" id={address}>
      {code}
    </a>
  );
}

function toSegment(name: string): string {
  return name.replace(/[^\w-]+/g, '-').slice(0, 80);
}

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
            {schemaView(
              createSchemaTree({ $ref: toSchemaReference(component) }, source),
              'response',
              `${toSchemaAnchor(component)}.`,
              links,
            )}
          </div>
        </details>
      ))}
    </section>
  );
}
