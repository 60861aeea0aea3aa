/** Counts the characters to insert, remove or replace, whatever their case (Levenshtein). */
export function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [index, character] of [...one.toLowerCase()].entries()) {
    const next = [index + 1];
    for (const [at, expected] of [...other.toLowerCase()].entries()) {
      const replaced = (row[at] ?? 0) + Number(character !== expected);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
