import { countOf } from '../../base/count-of.ts';
import { toMarkdownText, toPlainText } from '../../base/text.ts';
import { EXTRA_PAGES, type RenderContext } from './layout.tsx';
import { CREDENTIALS_LEAD, listDocuments } from './pages.tsx';

/** The overview for programs: `/docs.md`. */
export function renderOverviewMarkdown(context: RenderContext): string {
  const { addresses, baseUrl, reference, requestUrl, source } = context;
  const description = toMarkdownText(source.localize(toPlainText(reference.description)));
  const { namespaces, operationCount } = reference;
  const count = `REST interface with ${countOf(operationCount, 'operation')} in ${countOf(namespaces.length, 'namespace')}.`;
  return `${[
    `# ${toMarkdownText(reference.title)}`,
    '',
    `> ${[description, count].filter((text) => text !== '').join('. ')}`,
    '',
    `Base URL: ${requestUrl}`,
    '',
    CREDENTIALS_LEAD,
    '',
    '## Documents',
    '',
    ...listDocuments(addresses, baseUrl).map(([title, url]) => `- [${title}](${url})`),
    ...EXTRA_PAGES.map(([title, address]) => `- [${title}](${baseUrl}${addresses.docs}/${address})`),
    '',
    '## Documents by namespace',
    '',
    ...namespaces
      .filter(({ namespace }) => namespace !== '')
      .map(({ namespace, operationCount: operations, title }) => {
        const url = `${baseUrl}${addresses.openapi}?${new URLSearchParams({ namespace })}`;
        return `- [${toMarkdownText(title)}](${url}): ${countOf(operations, 'operation')}`;
      }),
  ].join('\n')}\n`;
}
