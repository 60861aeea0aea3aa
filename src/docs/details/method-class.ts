const METHODS_WITH_COLOUR: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** The classes of an element that shows a method. Its colour repeats what its text says. */
export function toMethodClass(method: string): string {
  return `method method-${METHODS_WITH_COLOUR.has(method) ? method.toLowerCase() : 'other'}`;
}
