import { toPlainText } from '../details/plain-text.ts';
import type { RenderContext } from '../pages/render-context.ts';
import { describeOperationCount } from '../reference/operation-count.ts';
import { toMarkdownText } from './escape.ts';
import { listPages } from './resource-markdown.ts';

/** Renders `/docs.md`: how the interface is used, and links to the Markdown of all pages. */
export function renderOverviewMarkdown(context: RenderContext): string {
  const { baseUrl, reference, requestUrl } = context;
  return `${[
    ...renderHead(context),
    `Base URL: ${requestUrl}`,
    '',
    'Requests without credentials read what is public. Other requests need an application password (HTTP Basic), or the cookie of a signed-in user together with a nonce in `X-WP-Nonce`.',
    '',
    `The whole document: ${baseUrl}/openapi.json. TypeScript types: ${baseUrl}/types.ts.`,
    '',
    '## Resources',
    '',
    ...listPages(context, reference.namespaces, 0),
  ].join('\n')}\n`;
}

/** Renders `/llms.txt` (llmstxt.org): a title, a summary, and lists of links. */
export function renderLlmsText(context: RenderContext): string {
  const { baseUrl, reference } = context;
  const sections = reference.namespaces.flatMap((namespace) => [
    `## ${toMarkdownText(namespace.title)}`,
    '',
    ...listPages(context, [namespace], 0),
    '',
  ]);
  return `${[
    ...renderHead(context),
    '## Documents',
    '',
    `- [OpenAPI 3.1](${baseUrl}/openapi.json): the interface as a document for programs`,
    `- [TypeScript types](${baseUrl}/types.ts): the types of requests and responses`,
    `- [How to use the interface](${baseUrl}/docs.md): base URL and credentials`,
    '',
    ...sections,
  ]
    .join('\n')
    .trimEnd()}\n`;
}

function renderHead({ reference, source }: RenderContext): readonly string[] {
  const description = toMarkdownText(source.localize(toPlainText(reference.description)));
  const count = `REST interface with ${describeOperationCount(reference)}.`;
  return [
    `# ${toMarkdownText(reference.title)}`,
    '',
    `> ${[description, count].filter((text) => text !== '').join('. ')}`,
    '',
  ];
}
