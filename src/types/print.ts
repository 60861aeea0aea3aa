import { comment } from './comment.ts';
import { propertyKey, quoted } from './names.ts';
import type { Shape } from './shape.ts';
import type { TypeMember, TypeNode } from './type-text.ts';

type TypeSet = TypeNode & { readonly kind: 'union' | 'intersection' };

/** Columns that a line of the module may take. */
export const lineWidth = 100;

/** More literals than this are laid in lines, not below each other. */
const longestColumn = 12;

/**
 * What stands after `name:`, with the space or the line end that comes first.
 *
 * @param indent of the line that `name` stands on.
 * @param column at which the type would begin on it.
 */
export function printType(node: TypeNode, shape: Shape, indent: string, column: number): string {
  const inline = fitting(node, shape, column);
  if (inline !== undefined) {
    return ` ${inline}`;
  }
  return isSet(node) ? printSet(node, shape, indent) : ` ${onLines(node, shape, indent)}`;
}

/** The members of an object, each on lines of its own below its comment. */
export function printMembers(members: readonly TypeMember[], shape: Shape, indent: string): string {
  return members
    .map((member) => {
      const head = `${indent}${key(member.key, shape)}${member.optional ? '?' : ''}:`;
      const type = printType(member.type, shape, indent, head.length + 1);
      return `${comment(commentOf(member, shape), indent)}${head}${type};\n`;
    })
    .join('');
}

function onLines(node: TypeNode, shape: Shape, indent: string): string {
  const deeper = `${indent}  `;
  switch (node.kind) {
    case 'object':
      return `{\n${printMembers(node.members, shape, deeper)}${indent}}`;
    case 'array':
      return isSet(node.of)
        ? `(${printSet(node.of, shape, indent)}\n${indent})[]`
        : `${onLines(node.of, shape, indent)}[]`;
    case 'tuple': {
      const items = [
        ...node.items.map((item) => ['', item] as const),
        ...(node.rest ? [['...', arrayOf(node.rest)] as const] : []),
      ];
      return `[\n${items.map(([dots, item]) => `${deeper}${dots}${printType(item, shape, deeper, deeper.length).trimStart()},\n`).join('')}${indent}]`;
    }
    case 'atom':
      return atom(node.text, shape);
    default:
      return printSet(node, shape, indent).trimStart();
  }
}

/** A union or an intersection that takes more than one line. */
function printSet(node: TypeSet, shape: Shape, indent: string): string {
  const members = flattened(node);
  const operator = node.kind === 'union' ? '|' : '&';
  const deeper = `${indent}  `;
  const short = members.map((member) => fitting(member, shape, deeper.length + 2));
  const long = members.filter((_, at) => short[at] === undefined);
  if (long.length === 1 && members.length <= 3) {
    const texts = members.map((member, at) => bracketed(member, short[at] ?? onLines(member, shape, indent)));
    return ` ${texts.join(` ${operator} `)}`;
  }
  if (members.length > longestColumn && long.length === 0) {
    return `\n${filled(short, operator, deeper)}`;
  }
  const texts = members.map((member, at) =>
    bracketed(member, short[at] ?? onLines(member, shape, `${deeper}  `)),
  );
  return texts.map((text) => `\n${deeper}${operator} ${text}`).join('');
}

function filled(texts: readonly (string | undefined)[], operator: string, indent: string): string {
  const lines: string[] = [];
  let line = indent;
  for (const text of texts.filter((text) => text !== undefined)) {
    if (line !== indent && line.length + text.length + 3 > lineWidth) {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += `${operator} ${text} `;
  }
  return [...lines, line.trimEnd()].join('\n');
}

/** The text of a type where it fits on the rest of a line. */
function fitting(node: TypeNode, shape: Shape, column: number): string | undefined {
  const text = onOneLine(node, shape);
  return text !== undefined && column + text.length < lineWidth ? text : undefined;
}

/** The text of a type without a line end, or nothing where a comment or several members need lines of their own. */
function onOneLine(node: TypeNode, shape: Shape): string | undefined {
  switch (node.kind) {
    case 'atom':
      return atom(node.text, shape);
    case 'array': {
      const of = onOneLine(node.of, shape);
      return of === undefined ? undefined : isSet(node.of) ? `(${of})[]` : `${of}[]`;
    }
    case 'tuple': {
      const items = together(node.items, shape);
      const rest = node.rest === undefined ? [] : together([arrayOf(node.rest)], shape);
      return items && rest && `[${[...items, ...rest.map((text) => `...${text}`)].join(', ')}]`;
    }
    case 'object': {
      const [only, ...others] = node.members;
      const type =
        only === undefined || others.length > 0 || commentOf(only, shape) !== ''
          ? undefined
          : onOneLine(only.type, shape);
      return only && type && `{ ${key(only.key, shape)}${only.optional ? '?' : ''}: ${type} }`;
    }
    default: {
      const members = flattened(node);
      const texts = together(members, shape);
      const operator = node.kind === 'union' ? ' | ' : ' & ';
      return texts && members.map((member, at) => bracketed(member, texts[at] ?? '')).join(operator);
    }
  }
}

function together(nodes: readonly TypeNode[], shape: Shape): string[] | undefined {
  const texts = nodes.flatMap((node) => onOneLine(node, shape) ?? []);
  return texts.length === nodes.length ? texts : undefined;
}

function flattened(node: TypeSet): TypeNode[] {
  return node.members.flatMap((member) =>
    isSet(member) && member.kind === node.kind ? flattened(member) : [member],
  );
}

function bracketed(member: TypeNode, text: string): string {
  return isSet(member) ? `(${text})` : text;
}

function isSet(node: TypeNode): node is TypeSet {
  return node.kind === 'union' || node.kind === 'intersection';
}

function arrayOf(node: TypeNode): TypeNode {
  return { kind: 'array', of: node };
}

function atom(text: string, shape: Shape): string {
  if (text.startsWith('"')) {
    return quoted(String(JSON.parse(text)));
  }
  return /^R\d+$/.test(text) ? (shape.references[Number(text.slice(1))] ?? 'unknown') : text;
}

function key(token: string, shape: Shape): string {
  const number = numberOf(token);
  return number === undefined ? token : propertyKey(shape.keys[number] ?? '');
}

function commentOf({ key }: TypeMember, shape: Shape): string {
  const number = numberOf(key);
  return number === undefined ? '' : (shape.comments[number] ?? '');
}

function numberOf(token: string): number | undefined {
  return token.startsWith('k') ? Number(token.slice(1)) : undefined;
}
