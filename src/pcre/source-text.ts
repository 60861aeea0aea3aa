import { childrenOf, type PcreNode } from './ast.ts';

/** Returns the text of a node in its pattern, which was parsed by bytes; for a group, the text in its parentheses. */
export function getSourceText(node: PcreNode, pattern: string): string {
  if (node.kind === 'group') return node.source;
  const span = sourceSpan(node);
  if (span === null) return '';
  return new TextDecoder().decode(new TextEncoder().encode(pattern).slice(span[0], span[1]));
}

function sourceSpan(node: PcreNode): readonly [number, number] | null {
  if (node.span !== undefined) return node.span;
  const spans = childrenOf(node)
    .map(sourceSpan)
    .filter((span) => span !== null);
  const [first] = spans;
  const last = spans.at(-1);
  return first === undefined || last === undefined ? null : [first[0], last[1]];
}
