export { type Ambiguity, analyzeAmbiguity } from './ambiguity.ts';
export type { PcreNode } from './ast.ts';
export { countExpandedNodes } from './lengths.ts';
export { compilePattern, compileRoute, type PatternMatcher, type RouteMatcher } from './matcher.ts';
export { type ParsedPcre, parsePcre } from './parse.ts';
export { parseArgumentPattern, parseRoutePattern } from './parse-php-pattern.ts';
export { type EcmaPattern, toEcmaPattern } from './to-ecma.ts';
