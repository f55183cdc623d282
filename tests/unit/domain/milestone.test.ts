import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkMilestone } from '../../../src/domain/planning/milestone.js';
import type { Invalid } from '../../../src/domain/shared/domain-error.js';
import { ProblemCollector } from '../../../src/domain/shared/problem-collector.js';

const MILESTONE = { title: '1.0', description: '', startDate: null, dueDate: null };

const problemsOf = (changes: Partial<Parameters<typeof checkMilestone>[1]>) => {
  const problems = new ProblemCollector();
  checkMilestone(problems, { ...MILESTONE, ...changes });
  try {
    problems.refuse();
    return {};
  } catch (error) {
    return (error as Invalid).problems;
  }
};

describe('a milestone', () => {
  it.each([
    ['', ["can't be blank"]],
    ['  ', ["can't be blank"]],
    ['x'.repeat(255), undefined],
    ['x'.repeat(256), ['is too long (maximum is 255 characters)']],
  ])('has a title of 1 to 255 characters: %#', (title, problems) => {
    expect(problemsOf({ title })).toEqual(problems === undefined ? {} : { title: problems });
  });

  it('is due on the day it starts or after it, and needs neither', () => {
    const day = fc
      .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    fc.assert(
      fc.property(fc.option(day), fc.option(day), (startDate, dueDate) => {
        const backwards = startDate !== null && dueDate !== null && new Date(dueDate) < new Date(startDate);
        expect(problemsOf({ startDate, dueDate })).toEqual(
          backwards ? { due_date: ['must be greater than start date'] } : {},
        );
      }),
    );
  });
});
