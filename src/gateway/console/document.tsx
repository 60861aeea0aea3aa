import { ChangeLog } from '../../docs/changes.tsx';
import { type Clock, endsWithin } from '../../ports.ts';
import type { Html } from '../../ui/page.tsx';
import { LinkList, Time } from '../../ui/parts.tsx';
import { toPlainText } from '../../ui/text.ts';
import type { MountedSite } from '../mounted-site.ts';
import type { DocumentVersion } from '../snapshot/document-history.ts';
import { note } from './layout.tsx';
import { type ConsoleContext, type ConsolePage, createSitePage, liveSection, section } from './page.ts';
import WORDS from './words.json' with { type: 'json' };

/** The page of a site's document: its discovery, and the last changes. */
export function createDocumentPage(context: ConsoleContext): ConsolePage {
  const { clock, toSiteUrl } = context;
  return createSitePage(context, 'document', 'Document', async (site, request) => {
    const url = toSiteUrl(request, site);
    const version = await readVersion(site, clock);
    return [
      liveSection('discovery', '', () => discovery(site, url, version, clock.now())),
      section('versions', '', () => versionLog(site)),
    ];
  });
}

/** Milliseconds for which a page waits for the version of a document. To render one of tens of megabytes takes seconds. */
const MAX_WAIT = 20;

/** The version of the document at present, as its entity tag states it; `null` without a document, and while it is rendered. */
export async function readVersion({ runtime }: MountedSite, clock: Clock): Promise<string | null> {
  const rendering = runtime.snapshot?.representations?.get({ format: 'json', namespaces: [] });
  if (rendering === undefined || !(await endsWithin(MAX_WAIT, rendering, clock))) return null;
  return (await rendering).etag.replaceAll('"', '');
}

function discovery({ runtime }: MountedSite, url: string | null, version: string | null, now: number): Html {
  const { history, lastDiscoveredAt, lastDiscoveryError, nextDiscoveryAt } = runtime;
  return (
    <>
      {note(lastDiscoveryError && toPlainText(lastDiscoveryError.message, 2_000))}
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
        <LinkList
          links={[
            ['Documentation', `${url}/docs`],
            ['OpenAPI', `${url}/openapi.json`],
            ['Types', `${url}/types.ts`],
            ['Changes for readers', `${url}/docs/changes`],
          ]}
        />
      )}
    </>
  );
}

const CAUSES: Readonly<Record<DocumentVersion['cause'], string>> = WORDS.documentCauses;

function versionLog({ runtime: { history, snapshot } }: MountedSite): Html {
  if (history.count === 0) {
    return (
      <p>
        {snapshot === null || snapshot.isProvisional
          ? 'The site has not been read yet.'
          : 'The site is served without a document.'}
      </p>
    );
  }
  const versions = history.versions.map((version) => ({ ...version, note: CAUSES[version.cause] }));
  return <ChangeLog versions={versions} localize={(text) => text} />;
}
