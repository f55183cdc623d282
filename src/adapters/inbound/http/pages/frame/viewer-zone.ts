import { parseCookie } from 'cookie';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import type { UserProfile } from '../../../../../application/identity/ports/identity-readers.js';
import { timeZoneIn } from '../../../../../domain/shared/time-zone.js';
import { UTC } from './shown-time.js';

/** Written by `zone.js`, which knows where the browser is. */
const ZONE_COOKIE = 'gatehouse_zone';

/** What browsers say their zone is: most say the same. */
const NAMES = new LRUCache<string, string>({ max: 100, maxSize: 20_000, sizeCalculation: (_, key) => key.length + 1 });

const named = (text: string): string => {
  const known = NAMES.get(text);
  if (known !== undefined) return known;
  const zone = timeZoneIn(text) ?? UTC;
  NAMES.set(text, zone);
  return zone;
};

/** The zone in which somebody is shown times: what they chose, or else that of their browser, as far as it is known. */
export const zoneOf = (
  user: Pick<UserProfile, 'timeZone'> | undefined,
  { headers }: Pick<Request, 'headers'>,
): string => user?.timeZone ?? named(parseCookie(headers.cookie ?? '')[ZONE_COOKIE] ?? UTC);
