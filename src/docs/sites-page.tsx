import type { OwnAddresses } from '../router/target.ts';
import { PageShell, toDocumentText } from '../ui/page.tsx';
import { LinkList } from '../ui/parts.tsx';
import { shorten } from '../ui/text.ts';
import type { PageAssets } from './layout.tsx';
import { listDocuments } from './pages.tsx';

export interface SiteSummary {
  /** Name of its mount: `content`. */
  readonly name: string;
  readonly title: string;
  /** Whether it has a document, and so documentation. */
  readonly isDocumented: boolean;
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
      <main id="content" tabindex={-1}>
        <h1>Sites</h1>
        {sites.map(({ addresses, isDocumented, name, title }) => (
          <>
            <h2>{shorten(title, 100)}</h2>
            <code>/{name}</code>
            {isDocumented ? (
              <LinkList
                links={[
                  ['Documentation', `./${name}${addresses.docs}`],
                  ...listDocuments(addresses, `./${name}`),
                ]}
              />
            ) : null}
          </>
        ))}
      </main>
    </PageShell>,
  );
}
