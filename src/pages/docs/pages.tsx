import { countOf, formatUtc, shorten, toPlainText } from '../../base/text.ts';
import { type DocsRequest, MAX_REPLACEMENTS } from '../../gateway/surfaces.ts';
import { groupEquivalents, listShown } from '../../generator/openapi/operations.ts';
import { readOperationDetails } from '../../generator/reference/operation-details.ts';
import { CHANGES_ADDRESS, GUIDE_ADDRESS, type ReferencePage } from '../../generator/reference/reference.ts';
import { type Html, LinkList, Paragraph, Table, toDocumentText } from '../ui/page.tsx';
import { GUIDE, type GuidePart, writeGuide } from './guide.ts';
import {
  CHANGES_TITLE,
  EXTRA_PAGES,
  Layout,
  olderMark,
  operationLinks,
  type RenderContext,
  toPageUrl,
  UNNAMED,
} from './layout.tsx';
import { codeList, commonParameters, highlightedCode, OperationSection } from './operation-section.tsx';
import { type MemberLinks, objectsSection } from './schema-view.tsx';

export function renderReferencePage(context: RenderContext, page?: ReferencePage): Promise<string> {
  return toDocumentText(page === undefined ? overviewPage(context) : referencePage(context, page));
}

const MAX_LISTED_OPERATIONS = 400;
const MAX_LISTED_RESOURCES = 60;

export const CREDENTIALS_LEAD =
  'Requests without credentials read what is public. Other requests need an application password (HTTP Basic), or the cookie of a signed-in user together with a nonce in `X-WP-Nonce`.';

export function listDocuments(
  { docs, openapi }: DocsRequest['addresses'],
  mount: string,
): readonly (readonly [title: string, url: string])[] {
  return [
    ['OpenAPI 3.1', mount + openapi],
    ['Markdown', `${mount}${docs}.md`],
  ];
}

function overviewPage(context: RenderContext): Html {
  const { addresses, docs, reference, root } = context;
  const { namespaces } = reference;
  return (
    <Layout context={context} page={undefined} titles={[UNNAMED]}>
      <h1 dir="auto">{shorten(reference.title, 120)}</h1>
      <p class="lead">{context.source.localize(toPlainText(reference.description))}</p>
      <p>
        {reference.extent}. Base URL: <code>{context.requestUrl}</code>
      </p>
      <Paragraph text={CREDENTIALS_LEAD} />
      <LinkList
        links={[
          ...EXTRA_PAGES.map(([title, address]) => [title, `${docs}/${address}`] as const),
          ...listDocuments(addresses, root.slice(0, -1)),
        ]}
      />
      {namespaces.map((namespace) => (
        <section class="namespace">
          <h2>
            <a href={toPageUrl(docs, namespace)}>{shorten(namespace.title, 80)}</a>{' '}
            <small>{countOf(namespace.operationCount, 'operation')}</small> {olderMark(namespace)}
          </h2>
          <ul class="cards">
            {namespace.children.slice(0, MAX_LISTED_RESOURCES).map((child) => (
              <li>
                <a href={toPageUrl(docs, child)}>{shorten(child.title, 60)}</a>{' '}
                <small>{child.operationCount}</small>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Layout>
  );
}

function referencePage(context: RenderContext, page: ReferencePage): Html {
  const { ancestors, children, operationCount } = page;
  const titles = [page, ...ancestors.toReversed()].map(({ title }) => shorten(title, 60));
  const isListing = operationCount <= MAX_LISTED_OPERATIONS;
  return (
    <Layout context={context} page={page} titles={titles}>
      <LinkList links={ancestors.map((each) => [shorten(each.title, 60), toPageUrl(context.docs, each)])} />
      <h1 dir="auto">{shorten(page.title, 120)}</h1>
      {ancestors.length === 0 ? (
        namespaceLead(context, page)
      ) : (
        <nav class="contents" aria-label="On this page">
          {operationLinks(listShown(page.operations), '')}
        </nav>
      )}
      {successorNote(context, page)}
      {children.map((child) => resourceSummary(context, child, isListing, 2))}
      {operationSections(context, page)}
    </Layout>
  );
}

function namespaceLead({ addresses, root }: RenderContext, page: ReferencePage): Html {
  const { children, namespace: name, operationCount } = page;
  const document = `${root.slice(0, -1)}${addresses.openapi}?namespace=${encodeURIComponent(name)}`;
  return (
    <>
      <p class="lead">
        {countOf(operationCount, 'operation')}
        {children.length === 0 ? '' : ` in ${countOf(children.length, 'resource')}`}
        {name === '' ? ', outside all namespaces' : ''}.
      </p>
      {name === '' ? null : <LinkList links={[['OpenAPI of this namespace', document]]} />}
    </>
  );
}

function successorNote(
  { docs, reference }: RenderContext,
  { namespace, successor }: ReferencePage,
): Html | null {
  if (successor === undefined) return null;
  const current = reference.namespaces.find((each) => each.namespace === successor);
  return (
    <p class="note">
      {shorten(namespace, 60)} is an older version. New programs should call{' '}
      <a href={toPageUrl(docs, current)}>{shorten(successor, 60)}</a>.
    </p>
  );
}

function operationSections(context: RenderContext, { operations }: ReferencePage): Html {
  const { reference, source } = context;
  const groups = groupEquivalents(operations).map((group) => ({
    ...group,
    details: readOperationDetails(group.operation, source),
  }));
  const all = groups.map(({ details }) => details);
  const linked = all.flatMap(({ links }) => [...links]);
  const links: MemberLinks = new Map(
    linked.flatMap(([member, operationId]): [string, readonly [string, string]][] => {
      const target = reference.findOperation(operationId);
      if (target === undefined) return [];
      const [page, { anchor }] = target;
      return [[member, [shorten(page.title, 60), `${toPageUrl(context.docs, page)}#${anchor}`]]];
    }),
  );
  return (
    <>
      {commonParameters(all)}
      {groups.map((group) => (
        <OperationSection context={context} links={links} {...group} />
      ))}
      {objectsSection(source, all, links)}
    </>
  );
}

function resourceSummary(
  context: RenderContext,
  resource: ReferencePage,
  isListing: boolean,
  level: 2 | 3,
): Html {
  const url = toPageUrl(context.docs, resource);
  const title = (
    <>
      <a href={url}>{shorten(resource.title, 80)}</a>{' '}
      <small>{countOf(resource.operationCount, 'operation')}</small>
    </>
  );
  return (
    <section class="summary">
      {level === 2 ? <h2>{title}</h2> : <h3>{title}</h3>}
      {isListing ? operationLinks(listShown(resource.operations), url) : null}
      {resource.children.map((child) => resourceSummary(context, child, isListing, 3))}
    </section>
  );
}

export function renderGuidePage(context: RenderContext): Promise<string> {
  const { title } = GUIDE;
  return toDocumentText(
    <Layout context={context} page={undefined} extra={GUIDE_ADDRESS} titles={[title]}>
      <h1>{title}</h1>
      <div class="guide">{writeGuide(context).map(guidePart)}</div>
    </Layout>,
  );
}

function guidePart(part: GuidePart): Html {
  switch (part.kind) {
    case 'text':
      return <Paragraph text={part.text} />;
    case 'heading':
      return <h2>{part.text}</h2>;
    case 'code':
      return highlightedCode(part.text, 'Example');
    default:
      return codeList(part.codes, true);
  }
}

const LEAD = `Differences between the documents that this gateway has served, as waygate diff finds them. Breaking: a program that worked, or compiled, can fail. Risky: a program fails if it cannot handle what it does not know. Texts are not compared. The last ${MAX_REPLACEMENTS} replacements of the document are listed.`;

const NONE =
  'The document has not changed yet. If an update of WordPress or of a plugin changes the interface, the differences are listed here.';

type Change = DocsRequest['changes'][number]['changes'][number];

function countOthers({ others }: Change): string {
  return others > 0 ? ` and ${countOf(others, 'other operation')}` : '';
}

function countMore({ more }: DocsRequest['changes'][number]): string {
  return more > 0 ? `${countOf(more, 'further change')}, most of them of less effect.` : '';
}

export function renderChangesPage(context: RenderContext): Promise<string> {
  const { changes, docs, reference, source } = context;
  const urls = new Map(
    reference.pages.flatMap((page) =>
      page.operations.map(({ anchor, method, path }) => [
        `${method} ${path}`,
        `${toPageUrl(docs, page)}#${anchor}`,
      ]),
    ),
  );
  const operations = (change: Change): Html | string =>
    change.operations.length === 0 ? (
      'The document'
    ) : (
      <>
        {change.operations.map((operation) => (
          <>
            <a href={urls.get(operation)}>
              <code translate="no">{operation}</code>
            </a>{' '}
          </>
        ))}
        {countOthers(change)}
      </>
    );
  return toDocumentText(
    <Layout context={context} page={undefined} extra={CHANGES_ADDRESS} titles={[CHANGES_TITLE]}>
      <h1>{CHANGES_TITLE}</h1>
      <p class="lead">{changes.length === 0 ? NONE : LEAD}</p>
      {changes.map((each) => (
        <section>
          <h2>
            <time datetime={new Date(each.time).toISOString()}>{formatUtc(each.time)}</time>
          </h2>
          <p>{each.summary}.</p>
          <Table
            label={formatUtc(each.time)}
            rows={each.changes}
            columns={[
              { heading: 'Operations', cell: operations },
              {
                heading: 'Effect',
                cell: ({ severity }) => <span class={`flag ${severity}`}>{severity}</span>,
              },
              { heading: 'Change', cell: ({ text }) => <p>{source.localize(text)}</p> },
            ]}
          />
          <p>{countMore(each)}</p>
        </section>
      ))}
    </Layout>,
  );
}
