import { countOf } from '../count-of.ts';
import type { OwnAddresses } from '../router/target.ts';
import { PageShell, toDocumentText } from '../ui/page.tsx';
import { LinkList } from '../ui/parts.tsx';
import { shorten, toPlainText } from '../ui/text.ts';
import type { PageAssets } from './layout.tsx';
import { listDocuments } from './pages.tsx';

export interface SiteSummary {
  /** Name of its mount: `content`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operations: number;
  readonly routes: number;
  readonly state: 'ready' | 'not ready';
  /** Whether it has a document, and so documentation. */
  readonly isDocumented: boolean;
  readonly hasTools: boolean;
  readonly addresses: OwnAddresses;
}

export function renderSitesPage(
  sites: readonly SiteSummary[],
  { licencesName, styleName }: Pick<PageAssets, 'styleName' | 'licencesName'>,
): Promise<string> {
  const [first] = sites;
  // Each mount serves the same assets.
  const assets = first === undefined ? './docs/assets/' : `./${first.name}${first.addresses.docs}/assets/`;
  return toDocumentText(
    <PageShell titles={['Sites']} assetFolder={assets} styles={[styleName]} licences={licencesName}>
      <main class="sites" id="content" tabindex={-1}>
        <h1>Sites</h1>
        <p class="lead">{countOf(sites.length, 'site')} on this gateway.</p>
        {sites.map(({ addresses, description, hasTools, isDocumented, name, routes, state, title }) => (
          <section class="site">
            <h2>
              {isDocumented ? (
                <a href={`./${name}${addresses.docs}`}>{shorten(title, 100)}</a>
              ) : (
                shorten(title, 100)
              )}
            </h2>
            <p>{toPlainText(description, 500)}</p>
            <p>
              <code>/{name}</code> <span class={state === 'ready' ? 'state good' : 'state'}>{state}</span>
              {state === 'ready' ? <small> {countOf(routes, 'route')}</small> : null}
            </p>
            {hasTools ? (
              <p>
                Tools for agents (MCP):{' '}
                <code>
                  /{name}
                  {addresses.mcp}
                </code>
              </p>
            ) : null}
            {isDocumented ? (
              <LinkList
                links={[
                  ['Documentation', `./${name}${addresses.docs}`],
                  ...listDocuments(addresses, `./${name}`),
                ]}
              />
            ) : null}
          </section>
        ))}
      </main>
    </PageShell>,
  );
}
