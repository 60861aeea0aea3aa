import type { Html } from '../pages/html.ts';
import { Layout } from '../pages/layout.tsx';
import { type RenderContext, toPageUrl } from '../pages/render-context.ts';
import { toDocumentText } from '../pages/render-page.tsx';
import { CHANGES_ADDRESS } from '../reference/reference.ts';
import { ChangeLog } from './change-log.tsx';

export const CHANGES_LEAD =
  'Operations, parameters and schemas that were added, removed or changed, as far as the gateway has seen it since its last start.';

/** Renders `/docs/changes`. */
export function renderChangesPage(context: RenderContext): Promise<string> {
  return toDocumentText(<ChangesPage context={context} />);
}

function ChangesPage({ context }: { readonly context: RenderContext }): Html {
  const { listVersions, root, source } = context;
  const url = `${root}docs/${CHANGES_ADDRESS}`;
  return (
    <Layout context={context} page={undefined} extra={CHANGES_ADDRESS} titles={['Changes']}>
      <nav class="crumbs" aria-label="Breadcrumb">
        <ol>
          <li>
            <a href={toPageUrl(root, undefined)}>Overview</a>
          </li>
          <li aria-current="page">Changes</li>
        </ol>
      </nav>
      <h1>Changes</h1>
      <p class="lead">{CHANGES_LEAD}</p>
      <ul class="inline-list">
        <li>
          <a href={`${url}.md`}>Markdown</a>
        </li>
        <li>
          <a href={`${url}.json`}>JSON</a>
        </li>
      </ul>
      <ChangeLog versions={listVersions()} localize={source.localize} findUrl={createUrlFinder(context)} />
    </Layout>
  );
}

/** Creates a function that finds the operations that still exist. */
function createUrlFinder({ reference, root }: RenderContext): (operation: string) => string | undefined {
  const urls = new Map<string, string>(
    reference.pages.flatMap((page) =>
      page.operations.map(
        ({ anchor, method, path }) => [`${method} ${path}`, `${toPageUrl(root, page)}#${anchor}`] as const,
      ),
    ),
  );
  return (operation) => urls.get(operation);
}
