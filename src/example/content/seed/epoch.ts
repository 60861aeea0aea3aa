/** When the generated site was last touched. Its dates count back from here, whatever the computer's clock says. */
export const EPOCH: number = Date.UTC(2025, 0, 15, 9, 0, 0);

export const HOUR = 3_600_000;
export const DAY: number = 24 * HOUR;
