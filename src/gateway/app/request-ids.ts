/**
 * Ids for the requests of one gateway: a random part that tells gateways apart, and a number that tells requests apart.
 * Short enough for a log line and cheap enough for each request; they identify, and protect nothing.
 *
 * @param random in [0, 1)
 */
export function createRequestIds(random: () => number): () => string {
  const instance = Math.floor(random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0');
  let count = 0;
  return () => {
    count += 1;
    return `${instance}-${count.toString(36)}`;
  };
}
