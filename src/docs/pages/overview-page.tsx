import { countOf } from '../../count-of.ts';
import { readOperationDetails } from '../details/operation-details.ts';
import { shorten, toPlainText } from '../details/plain-text.ts';
import { groupEquivalents, listShown } from '../reference/equivalents.ts';
import { describeOperationCount } from '../reference/operation-count.ts';
import { CHANGES_ADDRESS, type NamespacePage, type ResourcePage } from '../reference/reference.ts';
import type { Html } from './html.ts';
import { findLargestShare } from './largest-share.ts';
import { Breadcrumbs, Layout } from './layout.tsx';
import { listResponseComponents, ObjectsSection } from './objects-section.tsx';
import { OperationSection } from './operation-section.tsx';
import { OperationLinks } from './parts.tsx';
import { type RenderContext, toPageUrl } from './render-context.ts';

/** Namespaces with more operations list their resources alone. */
const MAX_LISTED_OPERATIONS = 400;

/** Resources that the overview lists. Of a larger document, each namespace has a share; its page lists all. */
const MAX_LISTED_RESOURCES = 400;
const MIN_SHARE = 12;

/** The page at `/docs`: all namespaces with their resources. */
export function OverviewPage({ context }: { readonly context: RenderContext }): Html {
  const { reference, root } = context;
  const { namespaces } = reference;
  const share = findLargestShare(
    namespaces.map(({ children }) => children.length),
    MAX_LISTED_RESOURCES,
    MIN_SHARE,
  );
  return (
    <Layout context={context} page={undefined} titles={['REST API']}>
      <h1>{shorten(reference.title, 120)}</h1>
      <p class="lead">{context.source.localize(toPlainText(reference.description))}</p>
      <p>
        {describeOperationCount(reference)} in {countOf(namespaces.length, 'namespace')}. Base URL:{' '}
        <code>{context.requestUrl}</code>
      </p>
      <p>
        Requests without credentials read what is public. Other requests need an application password (HTTP
        Basic), or the cookie of a signed-in user together with a nonce in <code>X-WP-Nonce</code>.
      </p>
      <ul class="inline-list">
        <li>
          <a href={`${root}openapi.json`}>OpenAPI 3.1 (JSON)</a>
        </li>
        <li>
          <a href={`${root}openapi.yaml`}>OpenAPI 3.1 (YAML)</a>
        </li>
        <li>
          <a href={`${root}openapi.json?openapi=3.0`}>OpenAPI 3.0</a>
        </li>
        <li>
          <a href={`${root}types.ts`}>TypeScript types</a>
        </li>
        <li>
          <a href={`${root}docs.md`}>Markdown</a>
        </li>
        <li>
          <a href={`${root}docs/llms.txt`}>llms.txt</a>
        </li>
        <li>
          <a href={`${root}docs/${CHANGES_ADDRESS}`}>Changes</a>
        </li>
      </ul>
      {namespaces.map((namespace) => (
        <section class="namespace">
          <h2>
            <a href={toPageUrl(root, namespace)}>{shorten(namespace.title, 80)}</a>{' '}
            <small>{countOf(namespace.operationCount, 'operation')}</small>
          </h2>
          <ul class="cards">
            {namespace.children.slice(0, share).map((child) => (
              <li>
                <a href={toPageUrl(root, child)}>{shorten(child.title, 60)}</a>{' '}
                <small>{child.operationCount}</small>
              </li>
            ))}
          </ul>
          {namespace.children.length <= share ? null : (
            <p>
              <a href={toPageUrl(root, namespace)}>
                All {countOf(namespace.children.length, 'resource')} of {shorten(namespace.title, 60)}
              </a>
            </p>
          )}
        </section>
      ))}
    </Layout>
  );
}

/** The page of a namespace: its resources with their operations, and the operations of the namespace itself. */
export function NamespaceView({
  context,
  page,
}: {
  readonly context: RenderContext;
  readonly page: NamespacePage;
}): Html {
  const { root } = context;
  const namespaceQuery = page.name === '' ? '' : `?namespace=${encodeURIComponent(page.name)}`;
  const groups = groupEquivalents(page.operations).map((group) => ({
    ...group,
    details: readOperationDetails(group.operation, context.source),
  }));
  const isListing = page.operationCount <= MAX_LISTED_OPERATIONS;
  return (
    <Layout context={context} page={page} titles={[shorten(page.title, 80)]}>
      <Breadcrumbs context={context} page={page} />
      <h1>{shorten(page.title, 120)}</h1>
      <p class="lead">
        {countOf(page.operationCount, 'operation')}
        {page.children.length === 0 ? '' : ` in ${countOf(page.children.length, 'resource')}`}
        {page.name === '' ? ', outside all namespaces' : ''}.
      </p>
      {namespaceQuery === '' ? null : (
        <ul class="inline-list">
          <li>
            <a href={`${root}openapi.json${namespaceQuery}`}>OpenAPI of this namespace</a>
          </li>
          <li>
            <a href={`${toPageUrl(root, page)}.md`}>Markdown</a>
          </li>
        </ul>
      )}
      {page.children.map((child) => (
        <ResourceSummary context={context} resource={child} isListing={isListing} level={2} />
      ))}
      {groups.map((group) => (
        <OperationSection context={context} {...group} />
      ))}
      <ObjectsSection
        context={context}
        components={listResponseComponents(groups.map(({ details }) => details))}
      />
    </Layout>
  );
}

interface ResourceSummaryProps {
  readonly context: RenderContext;
  readonly resource: ResourcePage;
  readonly isListing: boolean;
  readonly level: 2 | 3;
}

/** The operations of a resource and of those below it, as links. */
export function ResourceSummary({ context, isListing, level, resource }: ResourceSummaryProps): Html {
  const url = toPageUrl(context.root, resource);
  const title = (
    <>
      <a href={url}>{shorten(resource.title, 80)}</a>{' '}
      <small>{countOf(resource.operationCount, 'operation')}</small>
    </>
  );
  return (
    <section class="summary">
      {level === 2 ? <h2>{title}</h2> : <h3>{title}</h3>}
      {isListing ? <OperationLinks operations={listShown(resource)} url={url} /> : null}
      {resource.children.map((child) => (
        <ResourceSummary context={context} resource={child} isListing={isListing} level={3} />
      ))}
    </section>
  );
}
