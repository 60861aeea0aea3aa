import { toPlainText } from '../details/plain-text.ts';
import { toMarkdownCode, toMarkdownText } from '../markdown/escape.ts';
import type { RenderContext } from '../pages/render-context.ts';
import { CHANGES_LEAD } from './changes-page.tsx';
import {
  formatUtc,
  NAMED_OPERATIONS,
  type SeenChange,
  summarizeVersion,
  writeClause,
} from './seen-version.ts';

type ChangeLogContext = Pick<RenderContext, 'reference' | 'source' | 'listVersions'>;

/** Renders `/docs/changes.md`. */
export function renderChangesMarkdown({ listVersions, reference, source }: ChangeLogContext): string {
  const sections = listVersions().flatMap((version) => [
    `## ${formatUtc(version.seenAt)}`,
    '',
    `${summarizeVersion(version)}.`,
    '',
    ...(version.changes?.listed ?? []).map((change) => formatChangeLine(change, source.localize)),
    '',
  ]);
  const title = `# ${toMarkdownText(reference.title)}: changes`;
  return `${[title, '', CHANGES_LEAD, '', ...sections].join('\n').trimEnd()}\n`;
}

function formatChangeLine(change: SeenChange, localize: (text: string) => string): string {
  const { operationCount, operations, severity } = change;
  const named = operations.slice(0, NAMED_OPERATIONS).map((name) => toMarkdownCode(toPlainText(name, 160)));
  const more = operationCount > named.length ? [`and ${operationCount - named.length} more`] : [];
  const clause = writeClause(change);
  const suffix = severity === 'breaking' ? ' (breaking)' : '';
  return `- ${[...named, ...more, toMarkdownText(toPlainText(localize(clause), 600))].join(' ')}${suffix}`;
}

/** Renders `/docs/changes.json`. Times are those of RFC 3339. */
export function renderChangesJson({ listVersions, source }: ChangeLogContext): string {
  const versions = listVersions().map(({ changes, operations, seenAt }) => ({
    seenAt: new Date(seenAt).toISOString(),
    operations,
    changes:
      changes === null
        ? null
        : {
            ...changes,
            listed: changes.listed.map((change) => ({
              ...change,
              subject: source.localize(change.subject),
              text: source.localize(change.text),
            })),
          },
  }));
  return `${JSON.stringify({ versions })}\n`;
}
