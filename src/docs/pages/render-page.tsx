import type { ReferencePage } from '../reference/reference.ts';
import type { Html } from './html.ts';
import { NamespaceView, OverviewPage } from './overview-page.tsx';
import type { RenderContext } from './render-context.ts';
import { ResourceView } from './resource-page.tsx';

/**
 * Renders a page of the reference as HTML.
 *
 * @param page `undefined` for the overview
 */
export async function renderReferencePage(
  context: RenderContext,
  page: ReferencePage | undefined,
): Promise<string> {
  return toDocumentText(selectView(context, page));
}

function selectView(context: RenderContext, page: ReferencePage | undefined): Html {
  if (page === undefined) return <OverviewPage context={context} />;
  return page.kind === 'namespace' ? (
    <NamespaceView context={context} page={page} />
  ) : (
    <ResourceView context={context} page={page} />
  );
}

/** Renders the root element of a page with the document type. */
export async function toDocumentText(root: Html): Promise<string> {
  return `<!doctype html>\n${(await root).toString()}\n`;
}
