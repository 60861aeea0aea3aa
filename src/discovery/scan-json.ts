/** The end of a JSON value, or the reason and the position at which the scan stopped. Positions are UTF-16 offsets. */
export type JsonScanResult =
  | { readonly kind: 'complete'; readonly end: number }
  | { readonly kind: 'broken' | 'truncated' | 'too-deep'; readonly at: number };

/** Maximum nesting depth. `JSON.parse` keeps a stack frame for each open bracket: 64 MiB of `[` would need gigabytes. */
const MAX_DEPTH = 200_000;

const LITERAL = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const MAX_LITERAL_LENGTH = 'false'.length;

type Expected = 'value' | 'value-or-end' | 'name' | 'name-or-end' | 'colon' | 'comma-or-end';

/**
 * Finds the end of the JSON value that begins at `start` (RFC 8259), in one pass and without recursion. Escapes are not
 * checked; `JSON.parse` does that.
 */
export function scanJson(text: string, start: number): JsonScanResult {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = start;
  for (;;) {
    at = skipWhitespace(text, at);
    const character = text[at];
    if (character === undefined) return { kind: 'truncated', at };
    const innermost = open[open.length - 1];
    if (expected === 'colon') {
      if (character !== ':') return { kind: 'broken', at };
      expected = 'value';
      at += 1;
      continue;
    }
    if (expected === 'comma-or-end' && character === ',') {
      expected = innermost === '{' ? 'name' : 'value';
      at += 1;
      continue;
    }
    if (canClose(expected) && character === (innermost === '{' ? '}' : ']')) {
      open.pop();
      at += 1;
    } else if (expected === 'name' || expected === 'name-or-end') {
      if (character !== '"') return { kind: 'broken', at };
      const name = scanString(text, at);
      if (name.kind !== 'complete') return name;
      at = name.end;
      expected = 'colon';
      continue;
    } else if (expected === 'comma-or-end') {
      return { kind: 'broken', at };
    } else if (character === '{' || character === '[') {
      if (open.length >= MAX_DEPTH) return { kind: 'too-deep', at };
      open.push(character);
      expected = character === '{' ? 'name-or-end' : 'value-or-end';
      at += 1;
      continue;
    } else {
      const scalar = character === '"' ? scanString(text, at) : scanLiteral(text, at);
      if (scalar.kind !== 'complete') return scalar;
      at = scalar.end;
    }
    if (open.length === 0) return { kind: 'complete', end: at };
    expected = 'comma-or-end';
  }
}

function canClose(expected: Expected): boolean {
  return expected === 'comma-or-end' || expected === 'name-or-end' || expected === 'value-or-end';
}

function skipWhitespace(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 32 || code === 10 || code === 13 || code === 9; ) {
    at += 1;
    code = text.charCodeAt(at);
  }
  return at;
}

function scanString(text: string, start: number): JsonScanResult {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return { kind: 'complete', end: at + 1 };
    if (code === 0x5c) at += 1;
    else if (code < 0x20) return { kind: 'broken', at };
  }
  return { kind: 'truncated', at: text.length };
}

function scanLiteral(text: string, start: number): JsonScanResult {
  LITERAL.lastIndex = start;
  if (LITERAL.test(text)) return { kind: 'complete', end: LITERAL.lastIndex };
  const rest = text.slice(start, start + MAX_LITERAL_LENGTH);
  const isCut =
    rest.length < MAX_LITERAL_LENGTH && ['true', 'false', 'null', '-'].some((word) => word.startsWith(rest));
  return isCut ? { kind: 'truncated', at: text.length } : { kind: 'broken', at: start };
}
