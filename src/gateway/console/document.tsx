import type { ConsolePage, ConsoleSection } from '../../console/index.ts';
import { IndexRemarks } from '../../console/pages/document-page.tsx';
import { Time } from '../../console/shell/time.tsx';
import { ChangeLog } from '../../docs/changes/change-log.tsx';
import { toPlainText } from '../../docs/details/plain-text.ts';
import type { Html } from '../../docs/pages/html.ts';
import { findSiteByKey, siteKey } from '../admin/site-operations.ts';
import type { MountedSite } from '../mounted-site.ts';
import type { DocumentVersion } from '../snapshot/document-history.ts';
import type { ConsoleContext } from './console-context.ts';

/** The page of a site's document: its discovery, the versions that the gateway has seen, and remarks about the index. */
export function createDocumentPage({ clock, sites, toSiteUrl }: ConsoleContext): ConsolePage {
  return {
    path: 'sites/:site/document',
    async render({ params, root }) {
      const site = findSiteByKey(sites, params['site'] ?? '');
      if (site === undefined) return null;
      const url = toSiteUrl(root, site.mount);
      const version = await readVersion(site);
      return {
        title: 'Document',
        tab: 'document',
        site: siteKey(site),
        sections: [
          {
            id: 'discovery',
            isLive: true,
            content: () => <Discovery site={site} url={url} version={version} now={clock.now()} />,
          },
          { id: 'versions', content: () => <Versions site={site} /> },
          ...createRemarks(site),
        ],
      };
    },
  };
}

/** The version of the document at present, as its entity tag states it; `null` without a document. */
export async function readVersion({ runtime }: MountedSite): Promise<string | null> {
  const document = await runtime.snapshot?.representations?.get({ format: 'json', namespaces: [] });
  return document?.etag.replaceAll('"', '') ?? null;
}

function Discovery({
  now,
  site: { runtime },
  url,
  version,
}: {
  readonly now: number;
  readonly site: MountedSite;
  readonly url: string | null;
  readonly version: string | null;
}): Html {
  const { history, lastDiscoveredAt, lastDiscoveryError, nextDiscoveryAt } = runtime;
  return (
    <>
      {lastDiscoveryError === null ? null : (
        <p class="note">{toPlainText(lastDiscoveryError.message, 2_000)}</p>
      )}
      <p>
        {version === null ? null : (
          <>
            Version <code>{version.slice(0, 8)}</code>.{' '}
          </>
        )}
        Last discovery: {lastDiscoveredAt === null ? 'none yet' : <Time at={lastDiscoveredAt} now={now} />}.
        Next: {nextDiscoveryAt === null ? 'on request' : <Time at={nextDiscoveryAt} now={now} />}. Versions
        seen since the start of the gateway: {history.count}.
      </p>
      {url === null ? null : (
        <ul class="inline-list">
          <li>
            <a href={`${url}/docs`}>Documentation</a>
          </li>
          <li>
            <a href={`${url}/openapi.json`}>OpenAPI</a>
          </li>
          <li>
            <a href={`${url}/types.ts`}>Types</a>
          </li>
          <li>
            <a href={`${url}/docs/changes`}>Changes for readers</a>
          </li>
        </ul>
      )}
    </>
  );
}

const CAUSES: Readonly<Record<DocumentVersion['cause'], string>> = {
  stored: 'From the stored document.',
  start: 'Discovered at the start.',
  interval: 'Discovered on the interval.',
  request: 'Discovered on request.',
};

function Versions({ site }: { readonly site: MountedSite }): Html {
  const { history, snapshot } = site.runtime;
  if (history.count === 0) {
    return (
      <p>
        {snapshot === null ? 'The site has not been read yet.' : 'The site is served without a document.'}
      </p>
    );
  }
  const versions = history.versions.map((version) => ({ ...version, note: CAUSES[version.cause] }));
  return <ChangeLog versions={versions} localize={(text) => text} />;
}

function createRemarks({ runtime }: MountedSite): readonly ConsoleSection[] {
  const diagnostics = runtime.snapshot?.diagnostics ?? null;
  if (diagnostics === null) return [];
  const counts = Object.entries(diagnostics.counts).sort(([, one], [, other]) => other - one);
  return [
    {
      id: 'remarks',
      title: 'Remarks about the index',
      content: () => <IndexRemarks counts={counts} remarks={diagnostics.listed} />,
    },
  ];
}
