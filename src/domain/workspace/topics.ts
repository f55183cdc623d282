import type { ProblemCollector } from '../shared/problem-collector.js';

const MOST = 50;
const LONGEST = 255;

/** What was given of topics, each once: without the spaces around it, and parted by commas, which none has in its name. */
export const topicsIn = (given: readonly string[]): readonly string[] => {
  const names = given.flatMap((each) => each.split(',')).map((name) => name.trim());
  const byKey = new Map(names.filter((name) => name !== '').map((name) => [name.toLowerCase(), name]));
  return [...byKey.values()];
};

export const checkTopics = (problems: ProblemCollector, topics: readonly string[]): void => {
  problems.check(topics.length <= MOST, 'topics', `are too many (maximum is ${MOST})`).check(
    topics.every((name) => name.length <= LONGEST),
    'topics',
    `have a name that is too long (maximum is ${LONGEST} characters)`,
  );
};
