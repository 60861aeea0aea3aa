import { type DocumentChange, SEVERITIES, SEVERITY_TITLES } from '../changes/index.ts';
import { countOf, formatNumber } from '../count-of.ts';
import { formatUtc } from '../ui/format.ts';
import type { Html } from '../ui/page.tsx';
import { List } from '../ui/parts.tsx';
import { shorten, toMarkdownCode, toMarkdownText, toPlainText } from '../ui/text.ts';

export interface SeenVersion {
  /** When it replaced the one before, in milliseconds since the epoch. */
  readonly seenAt: number;
  readonly operations: number;
  /** Why it was read, for operators. */
  readonly note?: string;
  /** Changes since the version before; `null` for the first one. */
  readonly changes: {
    readonly breaking: number;
    readonly added: number;
    readonly removed: number;
    readonly total: number;
    /** The first changes, the breaking ones first. */
    readonly listed: readonly SeenChange[];
  } | null;
}

/** A change between two versions. Its texts come from the site, and of its operations it has the first. */
interface SeenChange extends Pick<DocumentChange, 'operations' | 'severity' | 'subject' | 'text'> {
  readonly operationCount: number;
}

interface ChangeLogProps {
  /** The latest first. */
  readonly versions: readonly SeenVersion[];
  /** Replaces the addresses of the site in texts of the document. */
  readonly localize: (text: string) => string;
  /** Returns the URL of an operation: `GET /wp/v2/posts`; `undefined` if it has none. */
  readonly findUrl?: (operation: string) => string | undefined;
}

export function ChangeLog({ findUrl = () => undefined, localize, versions }: ChangeLogProps): Html {
  const toLine = (change: SeenChange): Html => {
    const { more, named } = nameOperations(change);
    return (
      <>
        {named.map((name) => (
          <>{operationName(name, findUrl(name))} </>
        ))}
        {more.map((text) => `${text} `)}
        {toPlainText(localize(writeClause(change)), 600)}
      </>
    );
  };
  const toGroup = (title: string, changes: readonly SeenChange[], isOpen: boolean): Html => (
    <details open={isOpen}>
      <summary>
        {title} <small>{changes.length}</small>
      </summary>
      <List look="changes" items={changes.map(toLine)} />
    </details>
  );
  return (
    <>
      {versions.map((version, index) => {
        const { changes, note, seenAt } = version;
        const { listed = [], total = 0 } = changes ?? {};
        return (
          <section class="version">
            <h2>
              <time datetime={new Date(seenAt).toISOString()}>{formatUtc(seenAt)}</time>
            </h2>
            <p>
              {summarizeVersion(version)}.{note === undefined ? null : ` ${note}`}
            </p>
            {SEVERITIES.map((severity) => {
              const members = listed.filter((change) => change.severity === severity);
              if (members.length === 0) return null;
              return toGroup(SEVERITY_TITLES[severity], members, index === 0 && severity !== 'cosmetic');
            })}
            {total > listed.length ? (
              <p class="aside">And {formatNumber(total - listed.length)} more.</p>
            ) : null}
          </section>
        );
      })}
    </>
  );
}

function operationName(name: string, url: string | undefined): Html {
  const code = <code>{shorten(toPlainText(name), 160)}</code>;
  return url === undefined ? code : <a href={url}>{code}</a>;
}

export const CHANGES_LEAD =
  'Operations, parameters and schemas that were added, removed or changed, as far as the gateway has seen it.';

/** Renders `/docs/changes.md`. */
export function renderChangesMarkdown(title: string, { localize, versions }: ChangeLogProps): string {
  const toLine = (change: SeenChange): string => {
    const { severity } = change;
    const { more, named } = nameOperations(change);
    const names = named.map((name) => toMarkdownCode(toPlainText(name, 160)));
    const clause = toMarkdownText(toPlainText(localize(writeClause(change)), 600));
    const mark = severity === 'breaking' || severity === 'risky' ? ` (${severity})` : '';
    return `- ${[...names, ...more, clause].join(' ')}${mark}`;
  };
  const sections = versions.flatMap((version) => [
    `## ${formatUtc(version.seenAt)}`,
    '',
    `${summarizeVersion(version)}.`,
    '',
    ...(version.changes?.listed ?? []).map(toLine),
    '',
  ]);
  const head = [`# ${toMarkdownText(title)}: changes`, '', CHANGES_LEAD, ''];
  return `${[...head, ...sections].join('\n').trimEnd()}\n`;
}

/** Renders `/docs/changes.json`. Times are those of RFC 3339. */
export function renderChangesJson({ localize, versions }: ChangeLogProps): string {
  const localized = versions.map(({ changes, operations, seenAt }) => ({
    seenAt: new Date(seenAt).toISOString(),
    operations,
    changes: changes && {
      ...changes,
      listed: changes.listed.map((change) => ({
        ...change,
        subject: localize(change.subject),
        text: localize(change.text),
      })),
    },
  }));
  return `${JSON.stringify({ versions: localized })}\n`;
}

const NAMED_OPERATIONS = 3;

/** The operations that a line names, and how many others there are: `and 12 more:`, before a clause with a subject of its own. */
function nameOperations({ operationCount, operations, subject }: SeenChange): {
  readonly named: readonly string[];
  readonly more: readonly string[];
} {
  const named = operations.slice(0, NAMED_OPERATIONS);
  const rest = operationCount - named.length;
  return { named, more: rest > 0 ? [`and ${formatNumber(rest)} more${subject === '' ? '' : ':'}`] : [] };
}

/** Describes a change after the names of its operations: `was removed`, `query parameter "order": the value "desc" was removed`. */
function writeClause({ operationCount, subject, text }: SeenChange): string {
  if (subject !== '') return `${subject}: ${text}`;
  // The clause is about one operation: `it was removed`.
  const predicate = /^it (was )?(.*)$/s.exec(text);
  if (predicate === null || operationCount === 0) return text;
  const [, was = '', rest = ''] = predicate;
  return `${was === '' ? '' : operationCount === 1 ? 'was ' : 'were '}${rest}`;
}

/** Summarizes a version: `258 operations; 2 added, 1 removed. 3 changes, 1 of them breaking`. */
function summarizeVersion({ changes, operations }: SeenVersion): string {
  const count = countOf(operations, 'operation');
  if (changes === null) return `${count}, the first version that the gateway has seen`;
  const [added, removed, breaking] = [changes.added, changes.removed, changes.breaking].map(formatNumber);
  return `${count}; ${added} added, ${removed} removed. ${countOf(changes.total, 'change')}, ${breaking} of them breaking`;
}
