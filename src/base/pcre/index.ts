export { countExpandedNodes } from './ast.ts';
export { compilePattern, compileRoute, hasTopLevelAlternation, type RouteMatcher } from './matcher.ts';
export { parseArgumentPattern, parsePcre, parseRoutePattern } from './parser.ts';
export { type EcmaPattern, toEcmaPattern } from './to-ecma.ts';
