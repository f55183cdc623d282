import type { ProblemCollector } from '../shared/problem-collector.js';

export const MAX_NOTE = 1_000_000;

export const checkNote = (problems: ProblemCollector, body: string): void => {
  problems
    .check(body.trim() !== '', 'note', "can't be blank")
    .check(body.length <= MAX_NOTE, 'note', `is too long (maximum is ${MAX_NOTE} characters)`);
};
