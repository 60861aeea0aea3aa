// What React Native sets up (Libraries/Core), with its own modules. Its native ones are a device's: here the network is a table.
globalThis.nativeModuleProxy = {};
globalThis.self = globalThis;
// Newer versions of the engine have these.
globalThis.performance ??= { now: () => Date.now() };
globalThis.btoa ??= (text) => require('base64-js').fromByteArray(toBytes(text));
globalThis.TextEncoder ??= class {
  encode(text) {
    return toBytes(unescape(encodeURIComponent(text)));
  }
};

function toBytes(text) {
  return Uint8Array.from(text, (each) => each.charCodeAt(0));
}

/** Responds from RESPONSES. Prints a request that is not there, which the script then sends. */
class XMLHttpRequest {
  #request = { headers: {} };
  open(method, url) {
    Object.assign(this.#request, { method, url });
  }
  setRequestHeader(name, value) {
    this.#request.headers[name] = value;
  }
  getAllResponseHeaders() {
    return this.headers;
  }
  send(body) {
    const request = JSON.stringify({ ...this.#request, body: body ?? undefined });
    const response = RESPONSES[request];
    if (response === undefined) return print(`request ${request}`);
    Object.assign(this, response, { statusText: '' });
    Promise.resolve().then(() => this.onload());
  }
  abort() {}
}

const { URL, URLSearchParams } = require('react-native/Libraries/Blob/URL');
const { AbortController } = require('react-native/src/private/webapis/dom/abort-api/AbortController');
const { AbortSignal_public } = require('react-native/src/private/webapis/dom/abort-api/AbortSignal');

Object.assign(globalThis, {
  AbortController,
  AbortSignal: AbortSignal_public,
  Blob: require('react-native/Libraries/Blob/Blob').default,
  FormData: require('react-native/Libraries/Network/FormData').default,
  URL,
  URLSearchParams,
  XMLHttpRequest,
});
require('react-native/Libraries/Network/fetch');
