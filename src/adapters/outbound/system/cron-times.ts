import { Cron } from 'croner';
import type { CronTimes } from '../../../application/pipelines/ports/schedule-ports.js';
import { ZONES_BY_RAILS_NAME } from './rails-time-zones.js';

/** No offset, and nothing that isn't in the data base of time zones. */
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

const zoneOf = (name: string): string | undefined => {
  const zone = ZONES_BY_RAILS_NAME.get(name) ?? name;
  if (!NAME.test(zone)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
};

/** Reads patterns of cron as croner does. */
export const cronTimes: CronTimes = {
  isZone: (timezone) => zoneOf(timezone) !== undefined,
  next: (cron, timezone, after) => {
    const zone = zoneOf(timezone);
    if (zone === undefined) return undefined;
    try {
      return new Cron(cron, { timezone: zone, mode: '5-part', paused: true }).nextRun(after) ?? undefined;
    } catch {
      return undefined;
    }
  },
};
