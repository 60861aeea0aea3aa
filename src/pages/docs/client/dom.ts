type Properties = Readonly<Record<string, string | boolean | EventListener | undefined>>;

/** Texts become text nodes, so nothing in them is markup. `true` sets an empty attribute, `false` none. */
export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Properties = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === 'function') element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (typeof value === 'string') element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

export function createFold(
  properties: Properties,
  summary: string,
  ...content: readonly (Node | string)[]
): HTMLDetailsElement {
  return createElement('details', properties, createElement('summary', {}, summary), ...content);
}

export function toStatusClass(status: number): string {
  return `status-${String(status).charAt(0)}`;
}

export function mountUrl(): URL {
  return new URL(document.body.dataset['root'] ?? './', document.baseURI);
}

/** URL of the interface at the gateway, without a slash at its end. */
export function requestUrl(): string {
  return mountUrl().href.replace(/\/$/, '') + (document.body.dataset['prefix'] ?? '');
}

export function docsUrl(file: string): URL {
  return new URL(`${document.body.dataset['docs'] ?? './docs'}/${file}`, document.baseURI);
}

const SHOWN_FOR = 2_000;

export function copyOnClick(button: HTMLButtonElement, getText: () => string | Promise<string>): void {
  const label = button.textContent;
  const show = (text: string): void => {
    button.textContent = text;
    setTimeout(() => {
      button.textContent = label;
    }, SHOWN_FOR);
  };
  button.addEventListener('click', () => {
    void Promise.resolve(getText())
      .then((text) => copyText(text, button))
      .then((isCopied) => show(isCopied ? 'Copied' : 'Not allowed'));
  });
}

/** Copies a text, also on plain http, where browsers have no clipboard for scripts. */
async function copyText(text: string, beside: HTMLElement): Promise<boolean> {
  const { clipboard }: { clipboard?: Clipboard } = navigator;
  if (clipboard !== undefined)
    return clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  const area = createElement('textarea', { readonly: true, class: 'copied' });
  area.value = text;
  beside.after(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  beside.focus();
  return isCopied;
}
