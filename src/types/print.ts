import { toTsDoc } from './comments.ts';
import type { ParsedType, TypeMember } from './compile.ts';
import { toPropertyKey, toStringLiteral } from './names.ts';
import type { TypeNode } from './shape.ts';

type CompositeType = ParsedType & { readonly kind: 'union' | 'intersection' };

export const LINE_WIDTH = 100;

/** A union of more literals than this is printed several to a line. */
const MAX_STACKED_LITERALS = 12;

/**
 * Prints the type after `name:`, with the leading space or line end.
 *
 * @param indent indentation of the line that contains `name`
 * @param column column at which the type would begin on that line
 */
export function printType(node: ParsedType, shape: TypeNode, indent: string, column: number): string {
  const inline = printIfFits(node, shape, column);
  if (inline !== undefined) return ` ${inline}`;
  return isComposite(node) ? printComposite(node, shape, indent) : ` ${printMultiline(node, shape, indent)}`;
}

/** Prints the members of an object, each on separate lines below its comment. */
export function printMembers(members: readonly TypeMember[], shape: TypeNode, indent: string): string {
  return members
    .map((member) => {
      const head = `${indent}${printKey(member.key, shape)}${member.optional ? '?' : ''}:`;
      const type = printType(member.type, shape, indent, head.length + 1);
      return `${toTsDoc(commentOf(member, shape), indent)}${head}${type};\n`;
    })
    .join('');
}

function printMultiline(node: ParsedType, shape: TypeNode, indent: string): string {
  const deeper = `${indent}  `;
  switch (node.kind) {
    case 'object':
      return `{\n${printMembers(node.members, shape, deeper)}${indent}}`;
    case 'array':
      return isComposite(node.of)
        ? `${modifierOf(shape)}(${printComposite(node.of, shape, indent)}\n${indent})[]`
        : printArray(node.of, printMultiline(node.of, shape, indent), shape);
    case 'tuple': {
      const items = [
        ...node.items.map((item) => ['', item] as const),
        ...(node.rest ? [['...', arrayOf(node.rest)] as const] : []),
      ];
      return `[\n${items.map(([dots, item]) => `${deeper}${dots}${printType(item, shape, deeper, deeper.length).trimStart()},\n`).join('')}${indent}]`;
    }
    case 'atom':
      return printAtom(node.text, shape);
    default:
      return printComposite(node, shape, indent).trimStart();
  }
}

/** Prints a union or an intersection on several lines. */
function printComposite(node: CompositeType, shape: TypeNode, indent: string): string {
  const members = flatten(node);
  const operator = node.kind === 'union' ? '|' : '&';
  const deeper = `${indent}  `;
  const short = members.map((member) => printIfFits(member, shape, deeper.length + 2));
  const long = members.filter((_, at) => short[at] === undefined);
  if (long.length === 1 && members.length <= 3) {
    const texts = members.map((member, at) =>
      parenthesize(member, short[at] ?? printMultiline(member, shape, indent)),
    );
    return ` ${texts.join(` ${operator} `)}`;
  }
  if (members.length > MAX_STACKED_LITERALS && long.length === 0) {
    return `\n${fillLines(short, operator, deeper)}`;
  }
  const texts = members.map((member, at) =>
    parenthesize(member, short[at] ?? printMultiline(member, shape, `${deeper}  `)),
  );
  return texts.map((text) => `\n${deeper}${operator} ${text}`).join('');
}

export function fillLines(texts: readonly (string | undefined)[], operator: string, indent: string): string {
  const lines: string[] = [];
  let line = indent;
  for (const text of texts.filter((text) => text !== undefined)) {
    if (line !== indent && line.length + text.length + 3 > LINE_WIDTH) {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += `${operator} ${text} `;
  }
  return [...lines, line.trimEnd()].join('\n');
}

/** The text of a type if it fits on the rest of a line. */
function printIfFits(node: ParsedType, shape: TypeNode, column: number): string | undefined {
  const text = printInline(node, shape);
  return text !== undefined && column + text.length < LINE_WIDTH ? text : undefined;
}

/** The text of a type without a line end; `undefined` if a comment or several members need separate lines. */
function printInline(node: ParsedType, shape: TypeNode): string | undefined {
  switch (node.kind) {
    case 'atom':
      return printAtom(node.text, shape);
    case 'array': {
      const of = printInline(node.of, shape);
      return of === undefined ? undefined : printArray(node.of, of, shape);
    }
    case 'tuple': {
      const items = printAllInline(node.items, shape);
      const rest = node.rest === undefined ? [] : printAllInline([arrayOf(node.rest)], shape);
      return items && rest && `[${[...items, ...rest.map((text) => `...${text}`)].join(', ')}]`;
    }
    case 'object': {
      const [only, ...others] = node.members;
      const type =
        only === undefined || others.length > 0 || commentOf(only, shape) !== ''
          ? undefined
          : printInline(only.type, shape);
      return only && type && `{ ${printKey(only.key, shape)}${only.optional ? '?' : ''}: ${type} }`;
    }
    default: {
      const members = flatten(node);
      const texts = printAllInline(members, shape);
      const operator = node.kind === 'union' ? ' | ' : ' & ';
      return texts && members.map((member, at) => parenthesize(member, texts[at] ?? '')).join(operator);
    }
  }
}

/** Prints a list. The modifier `readonly` of the items' type needs parentheses. */
function printArray(of: ParsedType, text: string, shape: TypeNode): string {
  const nested = isComposite(of) || (shape.hasReadonlyLists && (of.kind === 'array' || of.kind === 'tuple'));
  return `${modifierOf(shape)}${nested ? `(${text})` : text}[]`;
}

function modifierOf({ hasReadonlyLists }: TypeNode): string {
  return hasReadonlyLists ? 'readonly ' : '';
}

function printAllInline(nodes: readonly ParsedType[], shape: TypeNode): string[] | undefined {
  const texts = nodes.flatMap((node) => printInline(node, shape) ?? []);
  return texts.length === nodes.length ? texts : undefined;
}

function flatten(node: CompositeType): ParsedType[] {
  return node.members.flatMap((member) =>
    isComposite(member) && member.kind === node.kind ? flatten(member) : [member],
  );
}

function parenthesize(member: ParsedType, text: string): string {
  return isComposite(member) ? `(${text})` : text;
}

function isComposite(node: ParsedType): node is CompositeType {
  return node.kind === 'union' || node.kind === 'intersection';
}

function arrayOf(node: ParsedType): ParsedType {
  return { kind: 'array', of: node };
}

function printAtom(text: string, shape: TypeNode): string {
  if (text.startsWith('"')) return toStringLiteral(String(JSON.parse(text)));
  return /^R\d+$/.test(text) ? (shape.typeNames[Number(text.slice(1))] ?? 'unknown') : text;
}

function printKey(token: string, shape: TypeNode): string {
  const number = propertyNumber(token);
  return number === undefined ? token : toPropertyKey(shape.propertyNames[number] ?? '');
}

function commentOf({ key }: TypeMember, shape: TypeNode): string {
  const number = propertyNumber(key);
  return number === undefined ? '' : (shape.propertyComments[number] ?? '');
}

function propertyNumber(token: string): number | undefined {
  return token.startsWith('k') ? Number(token.slice(1)) : undefined;
}

/** Prints a banner and the sections that have a text, each below its heading. The text is created in parts. */
export function* printSections(
  banner: string,
  sections: readonly (readonly [title: string, parts: Iterable<string>])[],
): Generator<string> {
  yield banner;
  for (const [title, parts] of sections) {
    let heading = `\n${printHeading(title)}\n`;
    for (const part of parts) {
      if (part === '') continue;
      yield heading + part;
      heading = '';
    }
  }
}

/** A section heading as wide as a line: `// ── title ───…`. */
function printHeading(title: string): string {
  const start = `// ── ${title} `;
  return `${start}${'─'.repeat(Math.max(3, LINE_WIDTH - start.length))}\n`;
}
