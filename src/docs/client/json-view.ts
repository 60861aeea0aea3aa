import { createElement } from './dom.ts';

/** Nodes of a value that are shown. */
const MAX_NODES = 2_000;
/** Longer texts are cut. */
const MAX_TEXT = 2_000;

/** Shows a JSON value: objects and lists fold, and what is too much is left out. */
export function createJsonView(value: unknown): HTMLElement {
  const budget = { remaining: MAX_NODES };
  return createElement('div', { class: 'json' }, createNode(value, 0, budget));
}

function createNode(value: unknown, depth: number, budget: { remaining: number }): Node {
  budget.remaining -= 1;
  if (typeof value === 'string') return createText(value);
  if (typeof value !== 'object' || value === null) {
    return createElement('span', { class: 'json-word' }, String(value));
  }
  const entries = Object.entries(value);
  const isList = Array.isArray(value);
  if (entries.length === 0) return createElement('span', {}, isList ? '[]' : '{}');
  const rows: Node[] = [];
  for (const [name, member] of entries) {
    if (budget.remaining <= 0) {
      rows.push(createElement('li', {}, '… cut'));
      break;
    }
    rows.push(
      createElement('li', {}, createElement('b', {}, `${name}: `), createNode(member, depth + 1, budget)),
    );
  }
  const count = `${isList ? 'list' : 'object'} (${entries.length})`;
  return createElement(
    'details',
    { open: depth < 2 && entries.length <= 40 },
    createElement('summary', {}, count),
    createElement('ul', {}, ...rows),
  );
}

function createText(text: string): HTMLElement {
  const shown = createElement('span', { class: 'json-text' }, JSON.stringify(text.slice(0, MAX_TEXT)));
  return text.length > MAX_TEXT ? createElement('span', {}, shown, ' … cut') : shown;
}
