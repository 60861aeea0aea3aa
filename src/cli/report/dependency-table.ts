import { alignColumns } from './align-columns.ts';
import type { DependencyEvidence } from './fetch-evidence.ts';

/** Maximum pairs in the table. `--json` prints more. */
const MAX_PAIRS = 20;
const TITLES = ['write', 'read', 'state', 'unchanged', 'changed'];

/** Formats what was learned about writes and reads of a site; empty if nothing was. */
export function formatDependencies({ pairs, total, writes }: DependencyEvidence): string {
  if (total === 0) return '';
  const shown = pairs.slice(0, MAX_PAIRS);
  const lines = alignColumns([
    TITLES,
    ...shown.map(({ changes, observations, read, state, write }) => [
      onOneLine(write),
      onOneLine(read),
      state,
      String(observations),
      String(changes),
    ]),
  ]);
  const heading = `Dependencies learned from ${writes.writes} writes, which kept ${writes.kept} stored responses and purged ${writes.purged}:`;
  const more = total > shown.length ? [`${total - shown.length} more: --json`] : [];
  return `\n  ${[heading, ...lines.map((line) => `  ${line}`), ...more.map((line) => `  ${line}`)].join('\n  ')}`;
}

/** Names of routes are the site's. A line break in one would look like a row of the table. */
function onOneLine(name: string): string {
  return name.replace(/[\n\t]/g, ' ');
}
