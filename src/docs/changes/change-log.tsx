import { countOf, formatNumber } from '../../count-of.ts';
import { shorten, toPlainText } from '../details/plain-text.ts';
import type { Html } from '../pages/html.ts';
import {
  formatUtc,
  NAMED_OPERATIONS,
  type SeenChange,
  type SeenVersion,
  summarizeVersion,
  writeClause,
} from './seen-version.ts';

/** Properties of {@link ChangeLog}. */
export interface ChangeLogProps {
  /** The latest first. */
  readonly versions: readonly SeenVersion[];
  /** Replaces the addresses of the site in texts of the document. */
  readonly localize: (text: string) => string;
  /** Returns the URL of an operation: `GET /wp/v2/posts`; `undefined` if it has none. */
  readonly findUrl?: (operation: string) => string | undefined;
}

/** The versions of a document with their changes. */
export function ChangeLog({ findUrl, localize, versions }: ChangeLogProps): Html {
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
          <Changes version={version} localize={localize} findUrl={findUrl} isOpen={index === 0} />
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

interface TextProps extends Pick<ChangeLogProps, 'localize'> {
  readonly findUrl: ChangeLogProps['findUrl'] | undefined;
}

function Changes({
  findUrl,
  isOpen,
  localize,
  version: { changes },
}: TextProps & {
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
                  <ChangeLine change={change} localize={localize} findUrl={findUrl} />
                </li>
              ))}
            </ul>
          </details>
        );
      })}
      {total > listed.length ? <p class="aside">And {formatNumber(total - listed.length)} more.</p> : null}
    </>
  );
}

function ChangeLine({ change, findUrl, localize }: TextProps & { readonly change: SeenChange }): Html {
  const { operationCount, operations } = change;
  const clause = toPlainText(localize(writeClause(change)), 600);
  const names = operations.map((name) => <OperationName name={name} url={findUrl?.(name)} />);
  if (operationCount <= NAMED_OPERATIONS) {
    return (
      <>
        {names.map((name) => (
          <>{name} </>
        ))}
        {clause}
      </>
    );
  }
  return (
    <details>
      <summary>
        {countOf(operationCount, 'operation')}
        {clause.startsWith('were ') ? ' ' : ': '}
        {clause}
      </summary>
      <ul>
        {names.map((name) => (
          <li>{name}</li>
        ))}
        {operationCount > names.length ? (
          <li>and {formatNumber(operationCount - names.length)} more</li>
        ) : null}
      </ul>
    </details>
  );
}

function OperationName({ name, url }: { readonly name: string; readonly url: string | undefined }): Html {
  const code = <code>{shorten(toPlainText(name), 160)}</code>;
  return url === undefined ? code : <a href={url}>{code}</a>;
}
