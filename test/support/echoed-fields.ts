import { isJsonObject, type Json, type JsonObject } from '../../src/base/json.ts';

/**
 * Compares the fields of a write with those of the response that have the same name: a site that accepts a field and ignores it
 * responds with status 200. A text that the site renders is compared by its `raw` form; without one it is not compared.
 *
 * @returns the differences, `title: sent "a", received "b"`
 */
function listIgnoredFields(sent: JsonObject, received: JsonObject): readonly string[] {
  return Object.entries(sent).flatMap(([name, value]) => {
    const [raw, echoed] = [toRaw(value), toRaw(received[name])];
    if (raw === undefined || echoed === undefined || isEchoed(raw, echoed)) return [];
    return [`${name}: sent ${JSON.stringify(value)}, received ${JSON.stringify(echoed)}`];
  });
}

/** The form of a text that a client edits; undefined for a text of which the site has sent the rendered form only. */
function toRaw(value: Json | undefined): Json | undefined {
  return isJsonObject(value) && ('raw' in value || 'rendered' in value) ? value['raw'] : value;
}

/** Whether a value has all of another: the site adds members to objects, and stores numbers and booleans of a form as such. */
function isEchoed(sent: Json, received: Json): boolean {
  if (Array.isArray(sent)) {
    const items = Array.isArray(received) ? received : [];
    return sent.length === items.length && sent.every((item) => items.some((each) => isEchoed(item, each)));
  }
  if (!isJsonObject(received)) return String(sent) === String(received);
  if (isJsonObject(sent)) return listIgnoredFields(sent, received).length === 0;
  // An item that is created by its name.
  return Object.values(received).includes(sent);
}

/** The same for a request and its response as texts. Writes in a batch are compared one by one. */
export function listIgnoredFieldsOfTexts(sent: string, received: string): readonly string[] {
  const [request, response] = [parseObject(sent), parseObject(received)];
  if (request === undefined || response === undefined) return [];
  const [requests, responses] = [request['requests'], response['responses']];
  if (!Array.isArray(requests) || !Array.isArray(responses)) return listIgnoredFields(request, response);
  return requests.flatMap((each, at) => {
    const answer = responses[at];
    const isSuccess = isJsonObject(answer) && Number(answer['status']) < 300;
    if (!isSuccess || !isJsonObject(each)) return [];
    const [body, stored] = [each['body'], answer['body']];
    return isJsonObject(body) && isJsonObject(stored) ? listIgnoredFields(body, stored) : [];
  });
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
