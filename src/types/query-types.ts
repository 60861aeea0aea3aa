import type { TypeDeclaration } from './alias-cycles.ts';
import { QUERY_TYPE_NAMES } from './shape.ts';
import type { ShapeCache } from './shape-cache.ts';

const { boolean, number, numbers, words } = QUERY_TYPE_NAMES;

/** What WordPress reads as a value of each type. A type stands after those that refer to it. */
const QUERY_TYPES: readonly (readonly [name: string, comment: string, types: readonly string[]])[] = [
  [
    numbers,
    'Numbers in the query: one, a list, or a text that separates them by commas.',
    [number, `readonly ${number}[]`, '`${number},${string}`'],
  ],
  [
    words,
    'Several words in the query, separated by commas. TypeScript does not check which.',
    ['`${string},${string}`'],
  ],
  [number, 'A number in the query, or its text.', ['number', '`${number}`']],
  [boolean, 'A boolean in the query.', ['true', 'false', '1', '0', '"1"', '"0"', '"true"', '"false"']],
];

/** Declares the types of values in the query that the types created so far refer to. */
export function declareQueryTypes(shapes: ShapeCache): readonly TypeDeclaration[] {
  return QUERY_TYPES.flatMap(([name, comment, types]) =>
    shapes.refersTo(name) ? [{ name, comment, shape: shapes.shapeOfTypes(...types) }] : [],
  ).reverse();
}
