import { countOf, formatNumber } from '../../count-of.ts';
import type { Diagnostic } from '../../diagnostics.ts';
import { ChangeLog } from '../../docs/changes.tsx';
import { groupBy } from '../../group-by.ts';
import { type Clock, endsWithin } from '../../ports.ts';
import type { Html } from '../../ui/page.tsx';
import { LinkList, Time } from '../../ui/parts.tsx';
import { toPlainText } from '../../ui/text.ts';
import type { MountedSite } from '../mounted-site.ts';
import type { DocumentVersion } from '../snapshot/document-history.ts';
import { note } from './layout.tsx';
import {
  type ConsoleContext,
  type ConsolePage,
  type ConsoleSection,
  createSitePage,
  liveSection,
  section,
} from './page.ts';
import WORDS from './words.json' with { type: 'json' };

/** The page of a site's document: its discovery, the versions that the gateway has seen, and remarks about the index. */
export function createDocumentPage(context: ConsoleContext): ConsolePage {
  const { clock, toSiteUrl } = context;
  return createSitePage(context, 'document', 'Document', async (site, request) => {
    const url = toSiteUrl(request, site);
    const version = await readVersion(site, clock);
    return [
      liveSection('discovery', '', () => discovery(site, url, version, clock.now())),
      section('versions', '', () => versionLog(site)),
      ...createRemarks(site),
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

function createRemarks({ runtime }: MountedSite): readonly ConsoleSection[] {
  const diagnostics = runtime.snapshot?.diagnostics ?? null;
  if (diagnostics === null) return [];
  const counts = Object.entries(diagnostics.counts).sort(([, one], [, other]) => other - one);
  return [section('remarks', 'Remarks about the index', () => indexRemarks(counts, diagnostics.listed))];
}

/** Remarks of different words that one rule shows. */
const MAX_SHOWN = 50;
/** Routes that a remark of the same words shows. */
const MAX_ROUTES = 12;

/**
 * The remarks about a site's index, folded by rule, those with warnings first, then the most frequent.
 *
 * @param counts number of all remarks by rule
 */
export function indexRemarks(
  counts: readonly (readonly [rule: string, count: number])[],
  remarks: readonly Diagnostic[],
): Html {
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const warnings = remarks.filter(({ severity }) => severity === 'warning');
  const warned = new Set(warnings.map(({ rule }) => rule));
  const sorted = counts.toSorted(([one], [other]) => Number(warned.has(other)) - Number(warned.has(one)));
  return (
    <>
      <p>
        {countOf(total, 'remark')} about the site's index: {countOf(warnings.length, 'warning')}, where the
        document may lack something or accept more than the site; the rest was repaired without loss.
      </p>
      {sorted.map(([rule, count]) => {
        const isWarning = warned.has(rule);
        const groups = groupByWords(remarks.filter((remark) => remark.rule === rule));
        const shown = groups.slice(0, MAX_SHOWN);
        const rest = count - shown.reduce((sum, group) => sum + group.length, 0);
        return (
          <details>
            <summary>
              <code>{rule}</code> {formatNumber(count)}{' '}
              {isWarning ? <b class="state warning">warning</b> : null}{' '}
              <small>{toPlainText(groups[0]?.[0]?.message, 120)}</small>
            </summary>
            <ul class="changes">
              {shown.map((group) => (
                <li>
                  {toPlainText(group[0]?.message, 400)} {toPlainText(group[0]?.action, 400)}
                  <small class="place">{describePlaces(group)}</small>
                </li>
              ))}
            </ul>
            {rest > 0 ? (
              <p class="aside">And {formatNumber(rest)} more: `waygate generate` lists all.</p>
            ) : null}
          </details>
        );
      })}
    </>
  );
}

/** Groups remarks of the same words, which are about several places, the most frequent first. */
function groupByWords(remarks: readonly Diagnostic[]): readonly (readonly Diagnostic[])[] {
  const groups = groupBy(remarks, ({ action, message }) => `${message}\n${action}`);
  return [...groups.values()].sort((one, other) => other.length - one.length);
}

/** The place of a remark, or the routes of several with their numbers. */
function describePlaces(remarks: readonly Diagnostic[]): string {
  const [first] = remarks;
  if (first !== undefined && remarks.length === 1) return toPlainText(first.pointer, 300);
  const counts = new Map<string, number>();
  for (const { pointer, route = pointer } of remarks) counts.set(route, (counts.get(route) ?? 0) + 1);
  const routes = [...counts].sort(([, one], [, other]) => other - one);
  const texts = routes
    .slice(0, MAX_ROUTES)
    .map(([route, count]) => toPlainText(route, 120) + (count === 1 ? '' : ` (${formatNumber(count)})`));
  const rest = routes.length - texts.length;
  return `${texts.join(', ')}${rest > 0 ? ` and ${countOf(rest, 'more route')}` : ''}`;
}
