/** Runs one day's peak in small. See main.mjs. */
export function simulate(settings: {
  readonly rate: number;
  readonly gateways: number;
  readonly keys: number;
  readonly writes: number;
  readonly places: number;
  readonly siteTime: number;
  readonly seconds: number;
  readonly warmUp: number;
  readonly event: 'none' | 'cold' | 'all-cold' | 'redis-gone' | 'redis-away';
}): Promise<Readonly<Record<'hits' | 'siteRate' | 'p99' | 'longest' | 'cores', number>>>;
