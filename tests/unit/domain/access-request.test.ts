import { describe, expect, it } from '@jest/globals';
import { Conflict, Forbidden, TooManyRequests, Unprocessable } from '../../../src/domain/shared/domain-error.js';
import {
  mayRequestAccess,
  MOST_REQUESTS_OF_A_PERSON,
  MOST_REQUESTS_AN_HOUR,
  MOST_REQUESTS_TO_A_PLACE,
  refuseRequest,
  requireRoomForRequest,
} from '../../../src/domain/workspace/access-request.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const OPEN = { level: 0, requestAccessEnabled: true };

describe('a request for access', () => {
  it('is made by who has no access, where requests are on', () => {
    expect(() => refuseRequest(OPEN)).not.toThrow();
    expect(mayRequestAccess(OPEN)).toBe(true);
  });

  it('is a clash for who has access already, whether or not requests are on', () => {
    for (const requestAccessEnabled of [true, false]) {
      const guest = { level: 10, requestAccessEnabled };
      expect(() => refuseRequest(guest)).toThrow(Conflict);
      expect(mayRequestAccess(guest)).toBe(false);
    }
  });

  it('is forbidden where requests are off', () => {
    const closed = { ...OPEN, requestAccessEnabled: false };
    expect(() => refuseRequest(closed)).toThrow(Forbidden);
    expect(mayRequestAccess(closed)).toBe(false);
  });

  it('has room until a person has so many open, or so many are open in a place', () => {
    const [person, place] = [MOST_REQUESTS_OF_A_PERSON, MOST_REQUESTS_TO_A_PLACE];
    const room = (ofPerson: number, toPlace: number) => () =>
      requireRoomForRequest({ ofPerson, toPlace, lately: [] }, NOW);
    expect(room(person - 1, place - 1)).not.toThrow();
    expect(room(person, 0)).toThrow(Unprocessable);
    expect(room(0, place)).toThrow(Unprocessable);
  });

  it('waits where somebody asked so many times within the hour, until the oldest of them is an hour ago', () => {
    const lately = Array.from({ length: MOST_REQUESTS_AN_HOUR }, (_, ago) => new Date(NOW.getTime() - ago * 60_000));
    const room = (dates: readonly Date[]) => () =>
      requireRoomForRequest({ ofPerson: 0, toPlace: 0, lately: dates }, NOW);
    expect(room(lately.slice(1))).not.toThrow();
    expect(room(lately)).toThrow(TooManyRequests);
    expect(room(lately)).toThrow('Try again in 31 minutes.');
  });
});
