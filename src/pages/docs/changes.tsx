import { countOf } from '../../base/count-of.ts';
import { formatUtc } from '../../base/format.ts';
import { type DocsRequest, MAX_REPLACEMENTS } from '../../gateway/surfaces.ts';
import { CHANGES_ADDRESS } from '../../generator/reference/reference.ts';
import { type Html, toDocumentText } from '../ui/page.tsx';
import { Table } from '../ui/table.tsx';
import { CHANGES_TITLE, Layout, type RenderContext, toPageUrl } from './layout.tsx';

const LEAD = `Differences between the documents that this gateway has served, as waygate diff finds them. Breaking: a program that worked, or compiled, can fail. Risky: a program fails if it cannot handle what it does not know. Texts are not compared. The last ${MAX_REPLACEMENTS} replacements of the document are listed.`;

const NONE =
  'The document has not changed yet. If an update of WordPress or of a plugin changes the interface, the differences are listed here.';

type Change = DocsRequest['changes'][number]['changes'][number];

function countOthers({ others }: Change): string {
  return others > 0 ? ` and ${countOf(others, 'other operation')}` : '';
}

function countMore({ more }: DocsRequest['changes'][number]): string {
  return more > 0 ? `${countOf(more, 'further change')}, most of them of less effect.` : '';
}

export function renderChangesPage(context: RenderContext): Promise<string> {
  const { changes, docs, reference, source } = context;
  const urls = new Map(
    reference.pages.flatMap((page) =>
      page.operations.map(({ anchor, method, path }) => [
        `${method} ${path}`,
        `${toPageUrl(docs, page)}#${anchor}`,
      ]),
    ),
  );
  const operations = (change: Change): Html | string =>
    change.operations.length === 0 ? (
      'The document'
    ) : (
      <>
        {change.operations.map((operation) => (
          <>
            <a href={urls.get(operation)}>
              <code translate="no">{operation}</code>
            </a>{' '}
          </>
        ))}
        {countOthers(change)}
      </>
    );
  return toDocumentText(
    <Layout context={context} page={undefined} extra={CHANGES_ADDRESS} titles={[CHANGES_TITLE]}>
      <h1>{CHANGES_TITLE}</h1>
      <p class="lead">{changes.length === 0 ? NONE : LEAD}</p>
      {changes.map((each) => (
        <section>
          <h2>
            <time datetime={new Date(each.time).toISOString()}>{formatUtc(each.time)}</time>
          </h2>
          <p>{each.summary}.</p>
          <Table
            label={formatUtc(each.time)}
            rows={each.changes}
            columns={[
              { heading: 'Operations', cell: operations },
              {
                heading: 'Effect',
                cell: ({ severity }) => <span class={`flag ${severity}`}>{severity}</span>,
              },
              { heading: 'Change', cell: ({ text }) => <p>{source.localize(text)}</p> },
            ]}
          />
          <p>{countMore(each)}</p>
        </section>
      ))}
    </Layout>,
  );
}
