import { toMethodClass } from '../details/method-class.ts';
import { type SampleRequest, toSampleUrl } from '../samples/sample-request.ts';
import { createElement, toStatusClass } from './dom.ts';

/** The line of a form that stays in sight: the request, the button that sends it, and what became of it. */
export interface RequestLine {
  readonly element: HTMLElement;
  readonly button: HTMLButtonElement;
  showRequest(request: SampleRequest): void;
  /**
   * @param text empty for nothing
   * @param status of the response, which gives the text its colour
   */
  showState(text: string, status?: number): void;
}

export function createRequestLine(method: string): RequestLine {
  const address = createElement('code');
  const button = createElement('button', { class: 'button primary' }, 'Send');
  const state = createElement('p', { role: 'status' });
  const element = createElement(
    'div',
    { class: 'send' },
    createElement('b', { class: toMethodClass(method) }, method),
    address,
    button,
    state,
  );
  return {
    element,
    button,
    showRequest(request) {
      address.textContent = toSampleUrl({ ...request, baseUrl: new URL(request.baseUrl).pathname });
    },
    showState(text, status) {
      state.textContent = text;
      state.className = status === undefined ? '' : toStatusClass(status);
    },
  };
}
