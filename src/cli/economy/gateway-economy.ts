import { formatNumber } from '../../count-of.ts';
import type { Described } from '../../json.ts';
import EVIDENCE from '../evidence.json' with { type: 'json' };
import { alignColumns } from '../io.ts';
import { toPercentage, toRatio } from './format.ts';

type SiteEconomy = Described<typeof EVIDENCE.economy>;

/** Maximum rows of a table. `--json` prints more. */
const MAX_ROWS = 20;
const TITLES = ['write', 'writes', 'marked', 'compared', 'changed', 'evidence', 'needed', 'kept'];

export function formatEconomy(economy: SiteEconomy): string {
  const { kinds, site, total, traffic, unrelated, varying, writes } = economy;
  const { hitRatio, reads, siteRequests, siteRequestsPerRead } = traffic;
  const rows = kinds
    .slice(0, MAX_ROWS)
    .map(({ changed, compared, kept, marked, needed, same, write, writes: count }) => [
      onOneLine(write),
      ...[count, marked, compared, changed, same, needed, kept].map(String),
    ]);
  const examples = kinds
    .flatMap(({ dependents }) => dependents)
    .flatMap(({ example, read }) =>
      example === null ? [] : [`  ${onOneLine(`${read}: ${example.page} was changed by ${example.write}`)}`],
    );
  return `${[
    `${site}: ${toPercentage(hitRatio)} hits of ${formatNumber(reads)} reads, ${toRatio(siteRequestsPerRead)} requests at the site per read (${formatNumber(siteRequests)})`,
    `  ${formatNumber(writes.writes)} writes marked ${formatNumber(writes.purged + writes.softPurged)} stored responses and kept ${formatNumber(writes.kept)}`,
    ...(rows.length === 0 ? [] : alignColumns([TITLES, ...rows]).map((line) => `  ${line}`)),
    ...(total > rows.length ? [`  ${total - rows.length} more: --json`] : []),
    ...listed('Counter-examples', examples),
    ...listed(
      'Pages that change without a write',
      varying.map(
        ({ changed, compared, places, read }) =>
          `  ${onOneLine(read)}: ${changed} of ${compared}, ${places} places`,
      ),
    ),
    ...listed(
      'Pages that show no item',
      unrelated.map(({ read, responses }) => `  ${onOneLine(read)}: ${responses}`),
    ),
  ].join('\n')}\n`;
}

function listed(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`  ${heading}:`, ...lines.slice(0, MAX_ROWS).map((line) => `  ${line}`)];
}

/** Names of routes are the site's. A line break in one would look like a row of the table. */
function onOneLine(name: string): string {
  return name.replace(/[\n\t]/g, ' ');
}
