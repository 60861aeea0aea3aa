import { ChangeLog } from '../docs/changes.tsx';
import type { MountedSite } from '../site/mounted-site.ts';
import type { DocumentVersion } from '../site/snapshot/document-history.ts';
import type { Html } from '../ui/page.tsx';
import { LinkList, Time } from '../ui/parts.tsx';
import { toPlainText } from '../ui/text.ts';
import { note, Section } from './layout.tsx';
import type { SitePage } from './page.ts';
import WORDS from './words.json' with { type: 'json' };

/** The page of a site's document: its discovery, and the last changes. */
export const documentPage: SitePage = ({ clock, toSiteUrl }, site, request) => (
  <>
    <Section id="discovery" isLive>
      {discovery(site, toSiteUrl(request, site), clock.now())}
    </Section>
    <Section id="versions">{versionLog(site)}</Section>
  </>
);

function discovery({ runtime }: MountedSite, url: string | null, now: number): Html {
  const { history, isRead, lastDiscoveredAt, lastDiscoveryError, nextDiscoveryAt } = runtime;
  return (
    <>
      {note(lastDiscoveryError && toPlainText(lastDiscoveryError.message, 2_000))}
      <p>
        {isRead ? (
          <>
            Last discovery:{' '}
            {lastDiscoveredAt === null ? 'none yet' : <Time at={lastDiscoveredAt} now={now} />}. Next:{' '}
            {nextDiscoveryAt === null ? 'on request' : <Time at={nextDiscoveryAt} now={now} />}.{' '}
          </>
        ) : (
          'The configuration states the document. '
        )}
        Versions seen since the start of the gateway: {history.count}.
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
