/** A measurement replaces one whose round trip was shorter by at most this many milliseconds. */
const ROUND_TRIP_TOLERANCE = 5;

/** Estimates by how much Redis's clock is ahead of the local one, from the times in Redis's replies. */
export class ClockOffset {
  #milliseconds = 0;
  /** Round-trip time of the reply that the estimate comes from. Grows, so that a newer reply replaces it eventually. */
  #roundTrip = Number.POSITIVE_INFINITY;

  get milliseconds(): number {
    return this.#milliseconds;
  }

  /** Measures the offset from a reply. A slow reply is ignored: its error is up to half of its round-trip time. */
  measure(redisTime: number, sentAt: number, receivedAt: number): void {
    const roundTrip = receivedAt - sentAt;
    if (roundTrip <= this.#roundTrip + ROUND_TRIP_TOLERANCE) {
      this.#milliseconds = redisTime - (sentAt + receivedAt) / 2;
      this.#roundTrip = roundTrip;
    } else {
      this.#roundTrip += 1;
    }
  }
}
