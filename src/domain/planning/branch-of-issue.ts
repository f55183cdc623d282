import { plainLetters } from '../shared/plain-letters.js';
import type { Issue } from './issue.js';

const LONGEST_WORDS = 50;

const wordsOf = (title: string): string =>
  plainLetters(title)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_WORDS)
    .replace(/^-+|-+$/g, '');

/** The name of a branch for an issue: a merge request of it closes the issue. The title of a confidential one stays in the issue. */
export const branchOfIssue = ({ iid, title, confidential }: Pick<Issue, 'iid' | 'title' | 'confidential'>): string =>
  `${iid}-${confidential ? 'confidential-issue' : wordsOf(title) || 'issue'}`;
