/** Letters from the rarest of text to the commonest: a search is as fast as its first letter is rare. */
const RARE_FIRST = 'zqxjkvbpygwfmucldrhsnioate';

/** Finds a text in long ones, by the part of it that begins with its rarest letter. */
export function createTextFinder(needle: string): (text: string, from: number) => number {
  let offset = 0;
  for (const [at, letter] of [...needle].entries()) {
    // What is left must be long enough to be rare.
    if (needle.length - at >= 6 && rank(letter) < rank(needle[offset] ?? '')) offset = at;
  }
  const tail = needle.slice(offset);
  return (text, from) => {
    for (let at = text.indexOf(tail, from + offset); at >= 0; at = text.indexOf(tail, at + 1)) {
      if (text.startsWith(needle, at - offset)) return at - offset;
    }
    return -1;
  };
}

function rank(letter: string): number {
  const at = RARE_FIRST.indexOf(letter);
  return at < 0 ? RARE_FIRST.length : at;
}
