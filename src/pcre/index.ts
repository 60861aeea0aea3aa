export { type Ambiguity, ambiguityOf } from './ambiguity.ts';
export type { PcreNode } from './ast.ts';
export { type EcmaPattern, toEcma } from './ecma.ts';
export { spelledOut } from './lengths.ts';
export { compilePattern, compileRoute, type PatternMatcher, type RouteMatcher } from './matcher.ts';
export { type ParsedPcre, parsePcre } from './parse.ts';
export { parseArgumentPattern, parseRoute } from './php.ts';
