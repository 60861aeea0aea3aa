/** When the generated site was last touched. Its dates count back from here, whatever the computer's clock says. */
export const CONTENT_EPOCH: number = Date.UTC(2025, 0, 15, 9, 0, 0);

export const MS_PER_HOUR = 3_600_000;
export const MS_PER_DAY: number = 24 * MS_PER_HOUR;
