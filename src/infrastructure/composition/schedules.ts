/** When the clock starts what: seconds, minutes, hours, days, months, weekdays. */
export const EVERY_TEN_SECONDS = '*/10 * * * * *';
export const EVERY_MINUTE = '40 * * * * *';
export const EVERY_FIVE_MINUTES = '30 */5 * * * *';
export const EVERY_HOUR = '15 7 * * * *';
