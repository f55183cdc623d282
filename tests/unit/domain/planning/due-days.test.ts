import { expect, it } from '@jest/globals';
import { daysOf, type DueDays, type DueName } from '../../../../src/domain/planning/due-days.js';

// 31 January 2028 is a Monday, and 2028 has a 29 February.
it.each<[DueName, string, DueDays]>([
  ['0', '2028-01-31', { due: false }],
  ['any', '2028-01-31', { due: true }],
  ['today', '2028-01-31', { dueFrom: '2028-01-31', dueTo: '2028-01-31' }],
  ['tomorrow', '2028-01-31', { dueFrom: '2028-02-01', dueTo: '2028-02-01' }],
  ['overdue', '2028-01-01', { dueTo: '2027-12-31' }],
  ['week', '2028-01-31', { dueFrom: '2028-01-31', dueTo: '2028-02-06' }],
  ['week', '2028-01-30', { dueFrom: '2028-01-24', dueTo: '2028-01-30' }],
  ['month', '2028-02-10', { dueFrom: '2028-02-01', dueTo: '2028-02-29' }],
  ['next_month_and_previous_two_weeks', '2028-01-10', { dueFrom: '2027-12-27', dueTo: '2028-02-29' }],
])('"%s" on %s stands for the days that people mean by it', (name, today, days) => {
  expect(daysOf(name, today)).toEqual(days);
});
