import { readOperationDetails } from '../details/operation-details.ts';
import { shorten } from '../details/plain-text.ts';
import { groupEquivalents } from '../reference/equivalents.ts';
import type { ResourcePage } from '../reference/reference.ts';
import type { Html } from './html.ts';
import { Breadcrumbs, Layout } from './layout.tsx';
import { listResponseComponents, ObjectsSection } from './objects-section.tsx';
import { OperationSection } from './operation-section.tsx';
import { ResourceSummary } from './overview-page.tsx';
import { OperationLinks } from './parts.tsx';
import type { RenderContext } from './render-context.ts';

/** The page of a resource: its operations, and the objects that they return. */
export function ResourceView({
  context,
  page,
}: {
  readonly context: RenderContext;
  readonly page: ResourcePage;
}): Html {
  const titles = [page, ...page.ancestors.toReversed()].map(({ title }) => shorten(title, 60));
  const groups = groupEquivalents(page.operations).map((group) => ({
    ...group,
    details: readOperationDetails(group.operation, context.source),
  }));
  const components = listResponseComponents(groups.map(({ details }) => details));
  return (
    <Layout context={context} page={page} titles={titles}>
      <Breadcrumbs context={context} page={page} />
      <h1>{shorten(page.title, 120)}</h1>
      <nav class="contents" aria-label="On this page">
        <OperationLinks operations={groups.map(({ operation }) => operation)} url="" />
      </nav>
      {page.children.map((child) => (
        <ResourceSummary
          context={context}
          resource={child}
          isListing={child.operationCount <= 60}
          level={2}
        />
      ))}
      {groups.map((group) => (
        <OperationSection context={context} {...group} />
      ))}
      <ObjectsSection context={context} components={components} />
    </Layout>
  );
}
