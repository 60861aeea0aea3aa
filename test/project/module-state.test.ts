import ts from 'typescript';
import { expect, test } from 'vitest';
import { readSourceFiles, type SourceFile } from './source-files.ts';

/**
 * Names of the only variables of modules that change after the module is loaded. Tests and gateways of one process share modules,
 * so nobody may see the change.
 */
const STATE = {
  'memoized functions of a text, bounded': [
    'classifyField',
    'formatDetail',
    'formatNode',
    'lowerName',
    'parseCacheStatus',
    'parseFixdate',
    'parseHeader',
    'parsePairs',
    'parseSortedNames',
    'quoteKnown',
    'readContentType',
    'singularOf',
    'toSharedCoding',
    'toClientNetwork',
    'toReason',
    'forwardingOf',
    'translatePattern',
    'treatmentOfResponseField',
  ],
  'results for an immutable object, held weakly': ['referencesBySnapshot', 'typesBySnapshot'],
  'what a synchronous call may still read, restored at its end': ['allowance'],
  'compiled patterns of the schemas of a generated module': ['patterns'],
  'sets of the characters of a class, of which PCRE has a fixed number': ['classSets'],
  'positions of patterns, set before each use': ['COMMON_SEGMENT', 'LITERAL'],
} as const;

const MUTATORS = new Set([
  'set',
  'add',
  'delete',
  'clear',
  'push',
  'pop',
  'shift',
  'unshift',
  'splice',
  'sort',
  'fill',
]);

test('a module has no state except caches of pure functions', () => {
  const found = new Set(readSourceFiles().flatMap(listState));
  expect([...found].sort()).toEqual(Object.values(STATE).flat().sort());
});

/** Lists the top-level variables of a file that are changed after it is loaded, and the functions that memoize. */
function listState({ source }: SourceFile): readonly string[] {
  const state = new Set<string>();
  const constants = new Set<string>();
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const isConstant = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
    for (const { initializer, name } of statement.declarationList.declarations) {
      if (!ts.isIdentifier(name)) continue;
      constants.add(name.text);
      const called =
        initializer !== undefined && ts.isCallExpression(initializer) ? initializer.expression : undefined;
      if (!isConstant || /^memoize/.test(called?.getText(source) ?? '')) state.add(name.text);
    }
  }
  const visit = (node: ts.Node): void => {
    const changed = changedName(node);
    if (changed !== undefined && constants.has(changed) && !isParameter(changed, node)) state.add(changed);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...state].sort();
}

/** The variable that an expression changes: `name.set(…)`, `getOrCreate(name, …)`, `name[…] = …`, `name.member += …`, `delete name.member`. */
function changedName(node: ts.Node): string | undefined {
  if (ts.isCallExpression(node) && node.expression.getText() === 'getOrCreate')
    return node.arguments[0]?.getText();
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { expression, name } = node.expression;
    return MUTATORS.has(name.text) && ts.isIdentifier(expression) ? expression.text : undefined;
  }
  const target =
    ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)
      ? node.left
      : ts.isDeleteExpression(node) || ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)
        ? operandOf(node)
        : undefined;
  if (target === undefined) return undefined;
  const isMember = ts.isPropertyAccessExpression(target) || ts.isElementAccessExpression(target);
  return isMember && ts.isIdentifier(target.expression) ? target.expression.text : undefined;
}

/** Whether a function around the node has a parameter of this name. */
function isParameter(name: string, node: ts.Node): boolean {
  for (let at: ts.Node = node; !ts.isSourceFile(at); at = at.parent) {
    const parameters = ts.isFunctionLike(at)
      ? at.parameters.map((parameter) => parameter.name.getText())
      : [];
    if (parameters.some((text) => new RegExp(`\\b${name}\\b`).test(text))) return true;
  }
  return false;
}

function operandOf(
  node: ts.DeleteExpression | ts.PrefixUnaryExpression | ts.PostfixUnaryExpression,
): ts.Expression | undefined {
  if (ts.isDeleteExpression(node)) return node.expression;
  const isStep =
    node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken;
  return isStep ? node.operand : undefined;
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}
