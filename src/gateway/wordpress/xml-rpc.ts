/** Calls of XML-RPC that carry the name and the password of a user, which the site has taken. */

export function isXmlRpc({
  address,
  method,
}: {
  readonly address: string;
  readonly method: string;
}): boolean {
  return method === 'POST' && address.endsWith('/xmlrpc.php');
}

/**
 * A call of a method of WordPress that writes and checks a login first. `wp.newComment` can be allowed without
 * one, and `system.multicall` can contain any call.
 */
const CALL =
  /^\s{0,99}(?:<\?xml[^<>]{0,99}\?>\s{0,99})?<methodCall>\s{0,99}<methodName>\s{0,99}(?:wp|blogger|metaWeblog|mt)\.(?:new(?!Comment)|edit|delete|set|publish|upload|restore)\w{1,40}\s{0,99}<\/methodName>/;

/** No fault. */
const RESULT = /^\s{0,99}(?:<\?xml[^<>]{0,99}\?>\s{0,99})?<methodResponse>\s{0,99}<params>/;

/** Other encodings can hide tags: PHP reads `+ADw-` as `<` in UTF-7. */
const OTHER_ENCODING = /^[^>]{0,200}\bencoding\s{0,99}=\s{0,99}(?!["'](?:utf-8|iso-8859-1|us-ascii)["'])/i;

/** Whether the site has run a call that it refuses without a login. */
export function isProvenCall(call: string, response: string): boolean {
  // WordPress takes the last name (`IXR_Message::tag_close()`).
  const isOneName = call.indexOf('<methodName') === call.lastIndexOf('<methodName');
  return isOneName && CALL.test(call) && !OTHER_ENCODING.test(call) && RESULT.test(response);
}
