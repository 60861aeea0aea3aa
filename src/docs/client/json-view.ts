import { formatNumber } from '../../count-of.ts';
import { createElement } from './dom.ts';
import { createToken } from './highlight.ts';
import { describeJson } from './json-preview.ts';

/** Nodes that are created at once. Objects beyond it are folded, and created when they are opened. */
const MAX_NODES = 300;
/** Members of an object or a list that are shown at once. */
const MAX_MEMBERS = 100;
/** Objects with more members are folded at first. */
const MAX_OPEN_MEMBERS = 40;
/** Longer texts are cut. */
const MAX_TEXT = 2_000;

/** Shows a JSON value: objects and lists fold, and what is deep or too much is created when it is opened. */
export function createJsonView(value: unknown): HTMLElement {
  // Its box scrolls, so it can be focused.
  const properties = { class: 'json', role: 'group', 'aria-label': 'Content', tabindex: '0' };
  return createElement('div', properties, createNode(value, 0, { remaining: MAX_NODES }));
}

interface Budget {
  remaining: number;
}

function createNode(value: unknown, depth: number, budget: Budget): Node | string {
  budget.remaining -= 1;
  if (typeof value === 'string') return createText(value);
  if (typeof value !== 'object' || value === null) return createToken('word', String(value));
  const isList = Array.isArray(value);
  const names = isList ? [] : Object.keys(value);
  const count = isList ? value.length : names.length;
  if (count === 0) return isList ? '[]' : '{}';
  const readMembers = (from: number, to: number): readonly (readonly [string, unknown])[] =>
    isList
      ? value.slice(from, to).map((item: unknown, at) => [String(from + at), item])
      : names.slice(from, to).map((name) => [name, Reflect.get(value, name)]);

  const list = createElement('ul');
  const fill = (from: number, filled: Budget): void => {
    for (const [name, member] of readMembers(from, from + MAX_MEMBERS)) {
      list.append(
        createElement('li', {}, createToken('name', name), ': ', createNode(member, depth + 1, filled)),
      );
    }
    const next = from + MAX_MEMBERS;
    if (next >= count) return;
    const more = createElement(
      'li',
      {},
      createElement('button', { type: 'button', class: 'button' }, `${formatNumber(count - next)} more`),
    );
    more.firstElementChild?.addEventListener('click', () => {
      more.remove();
      fill(next, { remaining: 0 });
    });
    list.append(more);
  };
  const isOpen = depth === 0 || (depth === 1 && count <= MAX_OPEN_MEMBERS && budget.remaining > 0);
  const details = createElement(
    'details',
    { open: isOpen },
    createElement(
      'summary',
      {},
      `${isList ? 'list' : 'object'} (${formatNumber(count)})`,
      createElement('span', {}, ` ${describeJson(value)}`),
    ),
    list,
  );
  if (isOpen) fill(0, budget);
  else details.addEventListener('toggle', () => fill(0, { remaining: 0 }), { once: true });
  return details;
}

function createText(text: string): HTMLElement {
  const shown = createToken('text', JSON.stringify(text.slice(0, MAX_TEXT)));
  return text.length > MAX_TEXT ? createElement('span', {}, shown, ' … cut') : shown;
}
