import type { IssueParty } from '../../domain/planning/issue.js';
import type { IssueDetails } from './ports/planning-readers.js';

/** Has no value: nothing but what `Issues.find` hands out has it. */
declare const SEEN: unique symbol;

/** Proof that the caller may see an issue; only `Issues.find` hands it out. */
export interface VisibleIssue {
  readonly [SEEN]: true;
  readonly issue: IssueDetails;
  readonly party: IssueParty;
}

/** Has no value, like `SEEN`. */
declare const OPEN_TO_CHANGE: unique symbol;

/** Proof that the caller may see an issue, and that its project takes changes; only `Issues.findToChange` hands it out. */
export interface ChangeableIssue extends VisibleIssue {
  readonly [OPEN_TO_CHANGE]: true;
}
