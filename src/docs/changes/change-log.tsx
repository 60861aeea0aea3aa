import { shorten, toPlainText } from '../details/plain-text.ts';
import type { Html } from '../pages/html.ts';
import {
  formatUtc,
  NAMED_OPERATIONS,
  type SeenChange,
  type SeenVersion,
  summarizeVersion,
} from './seen-version.ts';

/** Properties of {@link ChangeLog}. */
export interface ChangeLogProps {
  /** The latest first. */
  readonly versions: readonly SeenVersion[];
  /** Replaces the addresses of the site in texts of the document. */
  readonly localize: (text: string) => string;
}

/** The versions of a document with their changes. */
export function ChangeLog({ localize, versions }: ChangeLogProps): Html {
  return (
    <>
      {versions.map((version, index) => (
        <section class="version">
          <h2 id={`version-${versions.length - index}`}>
            <time datetime={new Date(version.seenAt).toISOString()}>{formatUtc(version.seenAt)}</time>
          </h2>
          <p>
            {summarizeVersion(version)}.{version.note === undefined ? null : ` ${version.note}`}
          </p>
          <Changes version={version} localize={localize} isOpen={index === 0} />
        </section>
      ))}
    </>
  );
}

const GROUPS: readonly { readonly severity: SeenChange['severity']; readonly title: string }[] = [
  { severity: 'breaking', title: 'Breaking' },
  { severity: 'compatible', title: 'Compatible' },
  { severity: 'cosmetic', title: 'Texts only' },
];

function Changes({
  isOpen,
  localize,
  version: { changes },
}: Pick<ChangeLogProps, 'localize'> & {
  readonly version: SeenVersion;
  readonly isOpen: boolean;
}): Html | null {
  if (changes === null) return null;
  const { listed, total } = changes;
  return (
    <>
      {GROUPS.map(({ severity, title }) => {
        const members = listed.filter((change) => change.severity === severity);
        return members.length === 0 ? null : (
          <details open={isOpen && severity !== 'cosmetic'}>
            <summary>
              {title} <small>{members.length}</small>
            </summary>
            <ul class="changes">
              {members.map((change) => (
                <li>
                  <ChangeLine change={change} localize={localize} />
                </li>
              ))}
            </ul>
          </details>
        );
      })}
      {total > listed.length ? (
        <p class="aside">And {(total - listed.length).toLocaleString('en')} more.</p>
      ) : null}
    </>
  );
}

function ChangeLine({
  change: { operationCount, operations, subject, text },
  localize,
}: Pick<ChangeLogProps, 'localize'> & { readonly change: SeenChange }): Html {
  const named = operations.slice(0, NAMED_OPERATIONS);
  const clause = [subject, text].filter((part) => part !== '').join(': ');
  return (
    <>
      {named.map((name) => (
        <>
          <code>{shorten(toPlainText(name), 160)}</code>{' '}
        </>
      ))}
      {operationCount > named.length ? `and ${operationCount - named.length} more ` : ''}
      {toPlainText(localize(clause), 600)}
    </>
  );
}
