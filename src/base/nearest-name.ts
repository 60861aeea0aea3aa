export function adviseNearest(nearest: string | undefined): string {
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}

/** Finds the name with the fewest edits: at most 3, and about one in four characters. The end of a glob stays. */
export function createNearestLookup(names: readonly string[]): (name: string) => string | undefined {
  const known = new Set(names.flatMap((name) => [name, name.replace(/\{[^}]*\}/g, '*')]));
  return (glob) => {
    const end = /(?:\/?\*)?$/.exec(glob)?.[0] ?? '';
    const text = glob.slice(0, glob.length - end.length);
    let most = Math.min(3, Math.floor((text.length + 1) / 4));
    let nearest: string | undefined;
    for (const name of known) {
      if (Math.abs(name.length - text.length) > most) continue;
      const edits = countEdits(text.toLowerCase(), name.toLowerCase());
      if (edits > most) continue;
      nearest = name;
      most = edits - 1;
    }
    return nearest === undefined ? undefined : `${nearest}${end}`;
  };
}

function countEdits(one: string, other: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let index = 1; index <= one.length; index++) {
    const next = [index];
    for (let at = 1; at <= other.length; at++) {
      const replaced = (row[at - 1] ?? 0) + Number(one[index - 1] !== other[at - 1]);
      const isSwapped = one[index - 1] === other[at - 2] && one[index - 2] === other[at - 1];
      const swapped = isSwapped ? (before[at - 2] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}
