export { type Ambiguity, analyzeAmbiguity } from './ambiguity.ts';
export type { PcreNode } from './ast.ts';
export { expandedLength } from './lengths.ts';
export { compilePattern, compileRoute, type PatternMatcher, type RouteMatcher } from './matcher.ts';
export { type ParsedPcre, parsePcre } from './parse.ts';
export { parseArgumentPattern, parseRoutePattern } from './parse-php-pattern.ts';
export { type EcmaPattern, toEcma } from './to-ecma.ts';
