import type { Child } from 'hono/jsx';
import type { HtmlEscapedString } from 'hono/utils/html';
import { formatNumber, formatUtc, shorten, toMethodClass } from '../../base/text.ts';
import type { PackagedFile } from './packaged-assets.ts';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export function PageShell(props: {
  readonly titles: readonly string[];
  readonly assetFolder: string;
  readonly icon?: string | undefined;
  readonly styles: readonly string[];
  readonly script?: Pick<PackagedFile, 'file' | 'integrity'>;
  readonly licences?: string;
  readonly data?: Readonly<Record<`data-${string}`, string>>;
  readonly children: Child;
}): Html {
  const { assetFolder, children, data = {}, icon = 'data:,', licences, script, styles, titles } = props;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{titles.join(' · ')}</title>
        <link rel="icon" href={icon} />
        {styles.map((name) => (
          <link rel="stylesheet" href={assetFolder + name} />
        ))}
        {licences === undefined ? null : <link rel="license" href={assetFolder + licences} />}
        {script === undefined ? null : (
          <script type="module" src={assetFolder + script.file} integrity={script.integrity}></script>
        )}
      </head>
      <body {...data}>
        <a class="skip" href="#content">
          Skip to content
        </a>
        {children}
      </body>
    </html>
  );
}

export function Frame(props: {
  readonly header: Child;
  /** Accessible name of the navigation, which also folds it on a small screen. */
  readonly label: string;
  readonly navigation: Child;
  readonly children: Child;
}): Html {
  const { children, header, label, navigation } = props;
  return (
    <>
      <header class="top">{header}</header>
      <div class="frame">
        <nav class="tree" aria-label={label}>
          <details open class="tree-fold">
            <summary>{label}</summary>
            {navigation}
          </details>
        </nav>
        <main id="content" tabindex={-1}>
          {children}
        </main>
      </div>
    </>
  );
}

export async function toDocumentText(root: Html): Promise<string> {
  return `<!doctype html>\n${(await root).toString()}\n`;
}

/** The relative path from a page to its root. @param path of the page below the root */
export function toRoot(path: string): string {
  const slashes = path.split('/').length - 1;
  return slashes === 0 ? './' : '../'.repeat(slashes);
}

/**
 * Response headers of a page. Only the script with this hash runs: `'self'` would allow the site's uploads and JSONP responses,
 * which have the same origin with `passthrough`. @param scriptIntegrity `sha256-…`
 */
export function createDocsPageHeaders(scriptIntegrity: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'",
    `form-action 'none'; frame-ancestors 'self'; worker-src 'self'; script-src '${scriptIntegrity}'`,
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}

type Link = readonly [text: string, url: string | undefined];

export function List(props: { readonly items: readonly Child[]; readonly look?: string }): Html {
  return (
    <ul class={props.look}>
      {props.items.map((item) => (
        <li>{item}</li>
      ))}
    </ul>
  );
}

export function LinkList({ links }: { readonly links: readonly Link[] }): Html {
  const items = links.map(([text, url]) => <a href={url}>{text}</a>);
  return <List look="inline-list" items={items} />;
}

export function Definition({ children, name }: { readonly name: Child; readonly children: Child }): Html {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Method({ method }: { readonly method: string }): Html {
  return <b class={toMethodClass(method)}>{shorten(method, 20)}</b>;
}

/** E.g. `a, b or c`. @param last stands before the last part. @default ' or ' */
export function Enumeration({ last = ' or ', parts }: { last?: string; parts: readonly Child[] }): Html {
  return (
    <>
      {parts.map((part, index) => (
        <>
          {index === 0 ? '' : index === parts.length - 1 ? last : ', '}
          {part}
        </>
      ))}
    </>
  );
}

export function DescriptionText({ text }: { readonly text: string }): Html {
  const parts = text.split(/`([^`\n]{1,200})`/);
  return <>{parts.map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>))}</>;
}

export function Paragraph({ text }: { readonly text: string }): Html | null {
  return text === '' ? null : (
    <p dir="auto">
      <DescriptionText text={text} />
    </p>
  );
}

/** The time, and the date unless it's today. A script shows local time. */
export function Clock({ at, now }: { readonly at: number; readonly now: number }): Html {
  const utc = formatUtc(at);
  const isClose = at <= now ? now - at < 86_400_000 : utc.slice(0, 10) === formatUtc(now).slice(0, 10);
  return (
    <time datetime={new Date(at).toISOString()} title={utc} data-clock>
      {isClose ? utc.slice(11) : utc}
    </time>
  );
}

export interface Column<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => Child;
  readonly isNumber?: boolean;
  readonly rank?: (row: Row) => number | null;
}

export function numbers<Row>(
  heading: string,
  rank: (row: Row) => number | null,
  format: (value: number) => string = formatNumber,
): Column<Row> {
  const cell = (row: Row): string => {
    const value = rank(row);
    return value === null ? '–' : format(value);
  };
  return { heading, cell, rank, isNumber: true };
}

/** A table that scrolls sideways, so the keyboard can focus it. On small screens, rows are cards. */
export function Table<Row>(props: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly empty?: string;
  readonly max?: number;
  /** The page's query, whose `sort` names a column, and the table's anchor. */
  readonly sorting?: readonly [query: URLSearchParams, anchor: string];
}): Html {
  const { columns, empty, label, max, rows, sorting } = props;
  if (rows.length === 0 && empty !== undefined) return <p>{empty}</p>;
  const [query, anchor] = sorting ?? [];
  const sorted = columns.find(({ heading, rank }) => rank !== undefined && heading === query?.get('sort'));
  const rank = (row: Row): number => sorted?.rank?.(row) ?? -1;
  const shown = rows.toSorted((one, other) => rank(other) - rank(one)).slice(0, max);
  const head = (column: Column<Row>): Child => {
    if (query === undefined || column.rank === undefined) return column.heading;
    const url = new URLSearchParams({ ...Object.fromEntries(query), sort: column.heading });
    return <a href={`?${url}#${anchor}`}>{column.heading + (column === sorted ? '\u00a0↓' : '')}</a>;
  };
  const toClass = ({ isNumber = false }: Column<Row>) => (isNumber ? 'number' : undefined);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a region is a landmark, of which a page would have many, and a fieldset is for fields. */}
      <div class="scroll" role="group" aria-label={label} tabindex={0}>
        <table class="folding">
          <thead>
            <tr>
              {columns.map((column) => (
                <th scope="col" class={toClass(column)}>
                  {head(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr>
                {columns.map((column, index) =>
                  index === 0 ? (
                    <th scope="row">{column.cell(row)}</th>
                  ) : (
                    <td class={toClass(column)} data-name={column.heading}>
                      {column.cell(row)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > shown.length ? (
        <p>{`The first ${shown.length} of ${formatNumber(rows.length)}.`}</p>
      ) : null}
    </>
  );
}
