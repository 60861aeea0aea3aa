import { countOf } from '../../base/count-of.ts';
import { shorten, toMarkdownBlock, toMarkdownCode, toMarkdownText, toPlainText } from '../../base/text.ts';
import { toSchemaReference } from '../../generator/openapi/document-references.ts';
import { toAccessText } from '../../generator/openapi/operation-access.ts';
import { groupEquivalents, type OperationGroup } from '../../generator/openapi/shown-operations.ts';
import { createCodeSamples } from '../../generator/reference/code-samples.ts';
import { adviseOn, renderAdviceMarkdown } from '../../generator/reference/error-advice.ts';
import {
  type OperationDetails,
  readOperationDetails,
  toParameterTree,
} from '../../generator/reference/operation-details.ts';
import {
  createResponseSample,
  createSampleRequest,
  explainMissingSamples,
  findMainResponse,
} from '../../generator/reference/operation-samples.ts';
import type { AnchoredOperation, ReferencePage } from '../../generator/reference/reference.ts';
import { createSchemaTree, type SchemaFact, type SchemaTree } from '../../generator/reference/schema-tree.ts';
import { EXTRA_PAGES, type RenderContext } from './layout.tsx';
import { CREDENTIALS_LEAD, listDocuments } from './pages.tsx';

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
    '',
    ...EXTRA_PAGES.map(([title, address]) => `- [${title}](${baseUrl}${addresses.docs}/${address}.md)`),
    '',
    '## Namespaces',
    '',
    ...listPages(context, namespaces, 0),
  ].join('\n')}\n`;
}

export function renderPageMarkdown(context: RenderContext, page: ReferencePage): string {
  const ancestors = page.ancestors.map(({ title }) => toMarkdownText(title));
  const lines = [`# ${toMarkdownText(page.title)}`, ''];
  if (ancestors.length > 0) lines.push(`Part of ${ancestors.join(' / ')}.`, '');
  if (page.children.length > 0) {
    lines.push('Resources below:', '', ...listPages(context, page.children, 0), '');
  }
  const components = new Set<string>();
  for (const group of groupEquivalents(page.operations)) {
    const details = readOperationDetails(group.operation, context.source);
    for (const { contents } of details.responses) {
      for (const content of contents) for (const component of content.components) components.add(component);
    }
    lines.push(...renderOperation(context, group, details));
  }
  for (const component of [...components].slice(0, 24)) {
    const tree = createSchemaTree({ $ref: toSchemaReference(component) }, context.source);
    lines.push(`## ${toMarkdownText(component)}`, '', ...renderSchema(tree, 0), '');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function listPages(
  context: RenderContext,
  pages: readonly ReferencePage[],
  depth: number,
): readonly string[] {
  return pages.flatMap((page) => {
    return [
      `${'  '.repeat(depth)}- [${toMarkdownText(page.title)}](${context.baseUrl}${context.addresses.docs}/${page.address}.md): ${countOf(page.operationCount, 'operation')}`,
      ...listPages(context, page.children, depth + 1),
    ];
  });
}

function renderOperation(
  context: RenderContext,
  { equivalents, operation }: OperationGroup<AnchoredOperation>,
  details: OperationDetails,
): readonly string[] {
  const { method, path, title } = operation;
  const lines = [`## ${toMarkdownText(title)}`, '', toMarkdownCode(shorten(`${method} ${path}`, 500)), ''];
  if (details.isDeprecated) lines.push('Deprecated.', '');
  if (details.description !== '') lines.push(toMarkdownText(details.description), '');
  if (equivalents.length > 0) {
    lines.push(`The same with ${equivalents.map((other) => toMarkdownCode(other.method)).join(', ')}.`, '');
  }
  if (details.parameters.length > 0) {
    lines.push('Parameters:', '', ...renderSchema(toParameterTree(details.parameters), 0), '');
  }
  for (const { contentTypes, isRequired, tree } of details.bodies) {
    lines.push(
      `Body${isRequired ? ' (required)' : ''}, ${contentTypes.map(toMarkdownCode).join(' or ')}:`,
      '',
    );
    lines.push(...renderSchema(tree, 0), '');
  }
  lines.push('Responses:', '');
  for (const { contents, description, status } of details.responses) {
    const types = contents.map(
      ({ condition, type }) =>
        toMarkdownCode(type) + (condition === '' ? '' : ` (${toMarkdownText(condition)})`),
    );
    lines.push(`- ${toMarkdownCode(status)} ${toMarkdownText(description)} ${types.join(', ')}`.trimEnd());
  }
  if (details.access !== undefined) lines.push('', `Credentials: ${toAccessText(details.access)}`);
  if (details.level !== undefined) lines.push('', `Level for assistants: ${details.level}`);
  const codes = adviseOn(details.errorCodes);
  if (codes.length > 0) lines.push('', 'Error codes:', '', ...renderAdviceMarkdown(codes));
  const request = createSampleRequest(operation, details, context.requestUrl);
  const missing = explainMissingSamples(operation, details, request, context);
  if (missing !== undefined) return [...lines, '', toMarkdownText(missing), ''];
  const [curl] = createCodeSamples(request);
  lines.push('', toMarkdownBlock(curl?.code ?? '', 'sh'), '');
  const main = findMainResponse(details.responses);
  const response = main && createResponseSample(main, context);
  if (response !== undefined)
    lines.push(`${response.title} of the response:`, '', toMarkdownBlock(response.text, 'json'), '');
  return lines;
}

function describe(description: string, facts: readonly SchemaFact[]): string {
  const declared = facts.map(
    ({ label, omitted, values }) =>
      `${label}: ${values.map(toMarkdownCode).join(', ')}${omitted > 0 ? ` and ${omitted} more` : ''}.`,
  );
  return [toMarkdownText(shorten(description, 600)), ...declared].join(' ').trim();
}

function renderSchema({ children, facts, type }: SchemaTree, depth: number): readonly string[] {
  if (depth === 0 && children.length === 0)
    return [`- ${toMarkdownCode(type)} ${describe('', facts)}`.trimEnd()];
  const firstChoice = children.findIndex(({ name }) => name === '');
  return children.flatMap((child, index) => {
    const name = child.name === '' ? `Choice ${index - firstChoice + 1}` : toMarkdownCode(child.name);
    const flags = [
      child.type,
      ...(child.isRequired ? ['required'] : []),
      ...(child.isReadOnly ? ['read only'] : []),
    ];
    const line = `${'  '.repeat(depth)}- ${name} (${toMarkdownText(flags.join(', '))}) ${describe(child.description, child.facts)}`;
    return [line.trimEnd(), ...renderSchema(child, depth + 1)];
  });
}
