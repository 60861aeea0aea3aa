import { countOf } from '../../count-of.ts';
import { shorten, toPlainText } from '../details/plain-text.ts';
import type { Html } from './html.ts';
import { PageShell } from './page-shell.tsx';
import type { PageAssets } from './render-context.ts';
import { toDocumentText } from './render-page.tsx';

/** A mounted site, as the start page of the gateway shows it. */
export interface SiteSummary {
  /** Name of its mount: `content`. */
  readonly name: string;
  /** Title of its document; empty while it is unknown. */
  readonly title: string;
  readonly description: string;
  readonly operations: number;
  /** Paths of its document. */
  readonly routes: number;
  readonly state: 'ready' | 'not ready';
  /** Whether it has a document, and so documentation and types. */
  readonly isDocumented: boolean;
}

/** Renders the start page of a gateway: the mounted sites, with links to their documentation. */
export async function renderSitesPage(
  sites: readonly SiteSummary[],
  { licencesName, styleName }: Pick<PageAssets, 'styleName' | 'licencesName'>,
): Promise<string> {
  const [first] = sites;
  // Each mount serves the same assets.
  const assets = `./${first === undefined ? '' : `${first.name}/`}docs/assets/`;
  return toDocumentText(
    <PageShell titles={['Sites']} assetFolder={assets} styles={[styleName]} licences={licencesName}>
      <main class="sites" id="content" tabindex={-1}>
        <h1>Sites</h1>
        <p class="lead">{countOf(sites.length, 'site')} on this gateway.</p>
        {sites.map((site) => (
          <Site site={site} />
        ))}
      </main>
    </PageShell>,
  );
}

function Site({ site }: { readonly site: SiteSummary }): Html {
  const { description, isDocumented, name, routes, state, title } = site;
  const url = (path: string): string => `./${name}/${path}`;
  return (
    <section class="site">
      <h2>{isDocumented ? <a href={url('docs')}>{shorten(title, 100)}</a> : shorten(title, 100)}</h2>
      <p>{toPlainText(description, 500)}</p>
      <p>
        <code>/{name}</code> <span class={`state state-${state.replace(' ', '-')}`}>{state}</span>
        {state === 'ready' ? <small> {countOf(routes, 'route')}</small> : null}
      </p>
      {isDocumented ? (
        <ul class="inline-list">
          <li>
            <a href={url('docs')}>Documentation</a>
          </li>
          <li>
            <a href={url('openapi.json')}>OpenAPI (JSON)</a>
          </li>
          <li>
            <a href={url('openapi.yaml')}>OpenAPI (YAML)</a>
          </li>
          <li>
            <a href={url('types.ts')}>TypeScript types</a>
          </li>
          <li>
            <a href={url('docs/llms.txt')}>llms.txt</a>
          </li>
        </ul>
      ) : null}
    </section>
  );
}
