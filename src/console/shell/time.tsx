import type { Html } from '../../docs/pages/html.ts';

/** A moment, and how long ago or ahead it is. Times are in milliseconds since the epoch. */
export function Time({ at, now }: { readonly at: number; readonly now: number }): Html {
  const iso = new Date(at).toISOString();
  return (
    <time datetime={iso} title={`${iso.slice(0, 19).replace('T', ' ')} UTC`}>
      {formatDistance(at - now)}
    </time>
  );
}

/** A moment to the second, in UTC. */
export function ExactTime({ at }: { readonly at: number }): Html {
  const iso = new Date(at).toISOString();
  return <time datetime={iso}>{`${iso.slice(0, 19).replace('T', ' ')} UTC`}</time>;
}

const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
];

/** Formats a distance from now: `3 minutes ago`, `in 2 hours`, `just now`. @param milliseconds negative for the past */
export function formatDistance(milliseconds: number): string {
  const seconds = Math.abs(milliseconds) / 1000;
  const unit = UNITS.find(([length]) => seconds >= length);
  if (unit === undefined) return milliseconds <= 0 ? 'just now' : 'in less than a minute';
  const count = Math.floor(seconds / unit[0]);
  const text = `${count} ${unit[1]}${count === 1 ? '' : 's'}`;
  return milliseconds <= 0 ? `${text} ago` : `in ${text}`;
}
