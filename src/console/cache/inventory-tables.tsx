import { countOf, formatNumber } from '../../count-of.ts';
import { shorten } from '../../docs/details/plain-text.ts';
import type { Html } from '../../docs/pages/html.ts';
import { formatShare, withUnit } from '../shell/number-format.ts';

/** Stored responses that have a route or a tag in common. */
export interface StoredGroup {
  readonly name: string;
  readonly responses: number;
  readonly bytes: number;
  readonly fresh: number;
  /** Seconds. */
  readonly youngest: number;
  readonly oldest: number;
  /** Freshness lifetimes in seconds. */
  readonly shortestLifetime: number;
  readonly longestLifetime: number;
}

/** The store as a whole. */
export interface StoreFigures {
  readonly bytes: number;
  readonly maxBytes: number;
  readonly responses: number;
  /** Responses of the site. */
  readonly siteResponses: number;
  readonly siteBytes: number;
  readonly isShared: boolean;
  /** What writes have purged and left. */
  readonly writes: number;
  readonly purged: number;
  readonly kept: number;
}

/** The memory of the store. */
export function StoreSummary({ figures }: { readonly figures: StoreFigures }): Html {
  const { bytes, isShared, kept, maxBytes, purged, responses, siteBytes, siteResponses, writes } = figures;
  return (
    <>
      <dl class="figures">
        <div>
          <dt>Memory</dt>
          <dd>
            <b>{formatBytes(bytes)}</b>{' '}
            <small>{`of ${formatBytes(maxBytes)} (${formatShare(maxBytes === 0 ? null : bytes / maxBytes)}), all sites`}</small>
          </dd>
        </div>
        <div>
          <dt>Responses</dt>
          <dd>
            <b>{formatNumber(siteResponses)}</b>{' '}
            <small>{`of this site, ${formatBytes(siteBytes)}; ${formatNumber(responses)} of all sites`}</small>
          </dd>
        </div>
        <div>
          <dt>Writes</dt>
          <dd>
            <b>{formatNumber(writes)}</b>{' '}
            <small>{`through the gateway: ${countOf(purged, 'response')} purged, ${formatNumber(kept)} kept`}</small>
          </dd>
        </div>
      </dl>
      {isShared ? (
        <p>
          The store is shared with other gateways. What this page shows is in the memory of this one; a purge
          concerns all of them.
        </p>
      ) : null}
    </>
  );
}

/** Stored responses by route or by tag. */
export function GroupTable({
  groups,
  count,
  noun,
  toUrl,
  toExplainUrl = () => null,
  describe = () => '',
}: {
  readonly groups: readonly StoredGroup[];
  /** Number of all groups. */
  readonly count: number;
  readonly noun: string;
  /** Address that the name of a group leads to; `null` for none. */
  readonly toUrl: (name: string) => string | null;
  /** Address of the explanation of a group; `null` for none. */
  readonly toExplainUrl?: (name: string) => string | null;
  /** Tells in words what a group has in common; empty for nothing. */
  readonly describe?: (name: string) => string;
}): Html {
  if (groups.length === 0) return <p>Nothing of this site is stored.</p>;
  return (
    <>
      <section class="scroll" aria-label={`Stored responses by ${noun}`} tabindex={0}>
        <table class="operation-traffic">
          <thead>
            <tr>
              <th scope="col">{noun}</th>
              {['responses', 'fresh', 'memory', 'age', 'fresh for'].map((heading) => (
                <th scope="col" class="number">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <GroupRow
                group={group}
                url={toUrl(group.name)}
                explainUrl={toExplainUrl(group.name)}
                words={describe(group.name)}
              />
            ))}
          </tbody>
        </table>
      </section>
      {count > groups.length ? <p>{`The first ${groups.length} of ${formatNumber(count)}.`}</p> : null}
    </>
  );
}

function GroupRow({
  explainUrl,
  group,
  url,
  words,
}: {
  readonly group: StoredGroup;
  readonly words: string;
  readonly url: string | null;
  readonly explainUrl: string | null;
}): Html {
  const { bytes, fresh, longestLifetime, name, oldest, responses, shortestLifetime, youngest } = group;
  const text = shorten(name, 120);
  return (
    <tr>
      <th scope="row">
        <code>{url === null ? text : <a href={url}>{text}</a>}</code>
        {explainUrl === null ? null : (
          <>
            {' '}
            <a href={explainUrl}>explain</a>
          </>
        )}
        {words === '' ? null : <small>{words}</small>}
      </th>
      <td class="number">{formatNumber(responses)}</td>
      <td class="number">{formatNumber(fresh)}</td>
      <td class="number">{formatBytes(bytes)}</td>
      <td class="number">{formatRange(youngest, oldest)}</td>
      <td class="number">{formatRange(shortestLifetime, longestLifetime)}</td>
    </tr>
  );
}

function formatRange(least: number, most: number): string {
  return formatSeconds(least) + (most - least < 1 ? '' : ` to ${formatSeconds(most)}`);
}

/** Formats bytes as the configuration does: `1.5 MiB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  const power = bytes < 1_024 ? 0 : Math.min(3, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1_024 ** power;
  const digits = value >= 100 || power === 0 ? Math.round(value) : value.toFixed(1);
  return withUnit(digits, units[power] ?? '');
}

/** Formats seconds: `45 s`, `12 min`, `3 h`, `2 days`. */
export function formatSeconds(seconds: number): string {
  const rounded = Math.max(0, Math.round(seconds));
  if (rounded < 120) return withUnit(rounded, 's');
  if (rounded < 7_200) return withUnit(Math.round(rounded / 60), 'min');
  if (rounded < 172_800) return withUnit(Math.round(rounded / 3_600), 'h');
  return withUnit(Math.round(rounded / 86_400), 'days');
}
