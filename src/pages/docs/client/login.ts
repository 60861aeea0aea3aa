import { isJsonObject, jsonTexts, parseJson } from '../../../base/json.ts';
import { createElement, mountUrl, requestUrl } from './dom.ts';

/** Credentials of all requests of a tab. A WooCommerce key is a user name with a password. */
export interface Credentials {
  readonly kind: 'none' | 'user' | 'bearer' | 'browser';
  readonly name: string;
  readonly secret: string;
}

const KINDS: Readonly<Record<Credentials['kind'], string>> = {
  none: 'No credentials',
  user: 'Application password or WooCommerce key',
  bearer: 'Bearer token',
  browser: "This browser's login at the site",
};

const NOBODY: Credentials = { kind: 'none', name: '', secret: '' };

export class Login {
  readonly #key = `waygate ${mountUrl().href}`;
  readonly #listeners: (() => void)[] = [];
  readonly #button = document.querySelector<HTMLButtonElement>('[data-login]');
  #credentials: Credentials;
  #dialog: HTMLDialogElement | undefined;

  constructor() {
    const stored = parseJson(sessionStorage.getItem(this.#key) ?? '');
    this.#credentials = isJsonObject(stored) ? readCredentials(stored) : NOBODY;
    if (this.#button === null) return;
    this.#button.hidden = false;
    this.#button.addEventListener('click', () => this.open());
    this.#showUser();
  }

  get credentials(): Credentials {
    return this.#credentials;
  }

  describe(): string {
    const { kind, name } = this.#credentials;
    if (kind === 'none') return '';
    return kind === 'user' ? `as ${name}` : `with ${kind === 'bearer' ? 'a bearer token' : KINDS.browser}`;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  open(): void {
    this.#dialog ??= this.#createDialog();
    this.#dialog.showModal();
  }

  #use(credentials: Credentials): void {
    this.#credentials = credentials;
    if (credentials.kind === 'none') sessionStorage.removeItem(this.#key);
    else sessionStorage.setItem(this.#key, JSON.stringify(credentials));
    this.#showUser();
    for (const listener of this.#listeners) listener();
  }

  #showUser(): void {
    const text = this.describe();
    if (this.#button !== null) this.#button.textContent = text === '' ? 'Credentials' : `Requests ${text}`;
  }

  #createDialog(): HTMLDialogElement {
    const { kind, name, secret } = this.#credentials;
    const options = Object.entries(KINDS).map(([value, text]) => createElement('option', { value }, text));
    const kinds = createElement('select', { name: 'kind' }, ...options);
    kinds.value = kind;
    const user = createElement('input', { name: 'user', autocomplete: 'off', spellcheck: 'false' });
    const password = createElement('input', { name: 'secret', type: 'password', autocomplete: 'off' });
    user.value = name;
    password.value = kind === 'browser' ? '' : secret;
    const userLabel = createElement('label', {}, 'User name or consumer key', user);
    const passwordLabel = createElement('label', {}, 'Password, consumer secret or token', password);
    const state = createElement('p', { role: 'status' });
    const showFields = (): void => {
      userLabel.hidden = kinds.value !== 'user';
      passwordLabel.hidden = kinds.value === 'none' || kinds.value === 'browser';
    };
    kinds.addEventListener('change', showFields);
    showFields();
    const close = createElement('button', { type: 'button', class: 'button' }, 'Close');
    const form = createElement(
      'form',
      { method: 'dialog' },
      createElement('p', {}, 'All forms of this tab use them, until it is closed.'),
      createElement('label', {}, 'Credentials', kinds),
      ...[userLabel, passwordLabel, state],
      createElement('button', { class: 'button primary' }, 'Use'),
      ' ',
      close,
    );
    const dialog = createElement('dialog', { class: 'login', 'aria-label': 'Credentials' }, form);
    close.addEventListener('click', () => dialog.close());
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      state.textContent = 'Asking the site…';
      const chosen = readCredentials({ kind: kinds.value, name: user.value, secret: password.value });
      void completeCredentials(chosen).then(async (credentials) => {
        this.#use(credentials ?? NOBODY);
        state.textContent =
          credentials === null
            ? 'This browser is not logged in to the site at this address.'
            : await describeUser(credentials);
      });
    });
    document.body.append(dialog);
    return dialog;
  }
}

function readCredentials({ kind, name, secret }: Readonly<Record<string, unknown>>): Credentials {
  const known = (['user', 'bearer', 'browser'] as const).find((each) => each === kind) ?? 'none';
  return known === 'none' ? NOBODY : { kind: known, name: String(name), secret: String(secret) };
}

async function completeCredentials(credentials: Credentials): Promise<Credentials | null> {
  if (credentials.kind !== 'browser') return credentials;
  const url = new URL('wp-admin/admin-ajax.php?action=rest-nonce', mountUrl());
  const response = await fetch(url, { credentials: 'same-origin' }).catch(() => null);
  const nonce = response?.ok === true ? (await response.text()).trim() : '';
  return /^[\da-f]{10}$/.test(nonce) ? { ...credentials, secret: nonce } : null;
}

async function describeUser(credentials: Credentials): Promise<string> {
  const path = document.body.dataset['user'] ?? '';
  if (credentials.kind === 'none') return 'Requests have no credentials.';
  if (path === '') return 'Used from now on.';
  const base = requestUrl();
  const url = `${base}${path}${base.includes('?') ? '&' : '?'}context=edit&_fields=name,roles`;
  const headers = createLoginHeaders(credentials);
  const response = await fetch(url, { headers, credentials: toCookieMode(credentials) }).catch(() => null);
  const user: unknown = await response?.json().catch(() => null);
  if (response?.ok !== true || !isJsonObject(user)) {
    const message = isJsonObject(user) ? String(user['message']) : '';
    return `The site does not accept them (${response?.status ?? 'no response'}). ${message}`;
  }
  return `The site knows you as ${String(user['name'])} (${jsonTexts(user['roles']).join(', ')}).`;
}

/** A nonce is valid together with the cookie of a signed-in user. */
export function toCookieMode({ kind }: Credentials): RequestCredentials {
  return kind === 'browser' ? 'same-origin' : 'omit';
}

export function createLoginHeaders({ kind, name, secret }: Credentials): Headers {
  const headers = new Headers({ accept: 'application/json' });
  if (kind === 'user') {
    const pair = String.fromCodePoint(...new TextEncoder().encode(`${name}:${secret}`));
    headers.set('authorization', `Basic ${btoa(pair)}`);
  } else if (kind === 'bearer') headers.set('authorization', `Bearer ${secret}`);
  else if (kind === 'browser') headers.set('x-wp-nonce', secret);
  return headers;
}
