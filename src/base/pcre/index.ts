export { countExpandedNodes } from './ast.ts';
export { compilePattern, compileRoute, hasTopLevelAlternation, type RouteMatcher } from './matcher.ts';
export { parseArgumentPattern } from './parser.ts';
export { toEcmaPattern } from './to-ecma.ts';
