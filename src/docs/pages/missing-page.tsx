import { CHANGES_ADDRESS } from '../reference/reference.ts';
import type { Html } from './html.ts';
import { Layout } from './layout.tsx';
import { type RenderContext, toPageUrl } from './render-context.ts';
import { toDocumentText } from './render-page.tsx';

/** Renders the page at an address that has none. */
export function renderMissingPage(context: RenderContext): Promise<string> {
  return toDocumentText(<MissingPage context={context} />);
}

function MissingPage({ context }: { readonly context: RenderContext }): Html {
  const { root } = context;
  return (
    <Layout context={context} page={undefined} extra="" titles={['No such page']}>
      <h1>There is no such page</h1>
      <p>
        A page goes when the site stops publishing its operations.{' '}
        <a href={`${root}docs/${CHANGES_ADDRESS}`}>Changes</a> lists what was removed.
      </p>
      <p>
        The <a href={toPageUrl(root, undefined)}>overview</a> lists all pages, and the search finds operations
        by their words.
      </p>
    </Layout>
  );
}
