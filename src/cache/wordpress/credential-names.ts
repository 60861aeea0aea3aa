import { memoizeByString } from '../../memoize.ts';

/** Words that name a credential wherever a name contains them: `api_token`, `restNonce`, `accesstoken`. */
const CREDENTIAL_PART =
  /nonce|token|secret|passw|passphrase|session|csrf|xsrf|jwt|signature|credential|api[-_.]?key|authori[sz]ation|bearer|hmac|oauth|autologin/;

/** Words that name a credential if they are a whole word of a name: `user_pass`, `authCode`, but not `author`. */
const CREDENTIAL_WORDS: ReadonlySet<string> = new Set([
  ...[
    'auth',
    'pass',
    'pwd',
    'passcode',
    'passkey',
    'otp',
    'totp',
    'sid',
    'sessid',
    'sig',
    'magic',
    'cart',
    'phpsessid',
  ],
]);

/** Names of WordPress core whose last word is `key` or that have another word of a credential, but that are none. */
const PLAIN_NAMES: ReadonlySet<string> = new Set(['meta_key']);

/**
 * Tells whether the name of a parameter says that its value is a credential or valid once: a nonce, a token, a key, a password,
 * a session, a cart. The last word decides about `key`: `cart_key` is one, `keyword` and `key_figures` are not.
 *
 * @param name in its own case, as `camelCase` separates words
 */
export const classifyParameterName: (name: string) => 'credential' | 'plain' = memoizeByString(
  (name): 'credential' | 'plain' => {
    const lower = name.toLowerCase();
    if (PLAIN_NAMES.has(lower)) return 'plain';
    if (CREDENTIAL_PART.test(lower)) return 'credential';
    const words = name
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((word) => word !== '');
    const isCredential =
      words.some((word) => CREDENTIAL_WORDS.has(word)) || /^(?:key|[a-z]*key)\d*$/.test(words.at(-1) ?? '');
    return isCredential ? 'credential' : 'plain';
  },
);
