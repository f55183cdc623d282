import { describe, expect, it } from '@jest/globals';
import { lengthInWords, timeElement } from '../../../src/adapters/inbound/http/pages/frame/shown-time.js';
import { zoneOf } from '../../../src/adapters/inbound/http/pages/frame/viewer-zone.js';
import { instantOf } from '../../../src/adapters/inbound/http/pages/code/commit-words.js';
import { timeZoneIn } from '../../../src/domain/shared/time-zone.js';

const NOW = new Date('2026-11-22T17:30:00.000Z');

describe('an instant on a page', () => {
  it.each([
    ['UTC', '2026-11-22 16:30:00 UTC'],
    ['Europe/Berlin', '2026-11-22 17:30:00 UTC+01:00 (Europe/Berlin)'],
    ['Asia/Tokyo', '2026-11-23 01:30:00 UTC+09:00 (Asia/Tokyo)'],
    ['America/St_Johns', '2026-11-22 13:00:00 UTC-03:30 (America/St_Johns)'],
  ])('has the exact time of the zone %s where a pointer rests, and UTC for programs', (zone, exact) => {
    const at = new Date('2026-11-22T16:30:00.000Z');
    expect(timeElement(at, NOW, zone)).toBe(
      `<time datetime="2026-11-22T16:30:00.000Z" title="${exact}">1 hour ago</time>`,
    );
  });

  it('that is long ago is a day of the zone', () => {
    const at = new Date('2026-01-31T23:30:00.000Z');
    expect(timeElement(at, NOW, 'UTC')).toContain('>2026-01-31<');
    expect(timeElement(at, NOW, 'Europe/Berlin')).toContain('>2026-02-01<');
  });
});

describe('the instant of a commit', () => {
  it.each([
    ['2026-11-22T18:30:00.000+02:00', '2026-11-22T16:30:00.000Z'],
    ['2026-11-22T18:30:00.000+99:99', '2026-11-22T18:30:00.000Z'],
    ['+010000-01-01T09:59:59.+14:00', '1970-01-01T00:00:00.000Z'],
  ])('that says %s is %s: one that no clock has breaks no page', (said, at) => {
    expect(instantOf(said).toISOString()).toBe(at);
  });
});

describe('the zone of a viewer', () => {
  const asking = (cookie: string) => ({ headers: { cookie } });

  it('is what they chose, else what their browser says, else UTC', () => {
    const berlin = asking('gatehouse_zone=Europe/Berlin');
    expect(zoneOf({ timeZone: 'Asia/Tokyo' }, berlin)).toBe('Asia/Tokyo');
    expect(zoneOf({ timeZone: null }, berlin)).toBe('Europe/Berlin');
    expect(zoneOf(undefined, asking(''))).toBe('UTC');
  });

  it.each(['Nowhere/City', '"><script>', '+01:00', 'x'.repeat(4_000), 'Europe/../Berlin', ''])(
    'is UTC where a browser says %j',
    (text) => {
      expect(zoneOf(undefined, asking(`gatehouse_zone=${encodeURIComponent(text)}`))).toBe('UTC');
      expect(timeZoneIn(text)).toBeUndefined();
    },
  );
});

describe('how long something took', () => {
  it.each([
    [-5, '0 s'],
    [999, '0 s'],
    [45_000, '45 s'],
    [185_000, '3 min 5 s'],
    [7_440_000, '2 h 4 min'],
    [180_000_000, '2 d 2 h'],
  ])('is told of %d ms as %s', (milliseconds, words) => {
    expect(lengthInWords(milliseconds)).toBe(words);
  });
});
