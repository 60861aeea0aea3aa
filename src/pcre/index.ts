export { countExpandedNodes, type PcreNode } from './ast.ts';
export { compilePattern, compileRoute, hasTopLevelAlternation, type RouteMatcher } from './matcher.ts';
export { type ParsedPcre, parseArgumentPattern, parsePcre, parseRoutePattern } from './parser.ts';
export { type PatternTextStyle, writePatternText } from './pattern-text.ts';
export { type EcmaPattern, toEcmaPattern } from './to-ecma.ts';
