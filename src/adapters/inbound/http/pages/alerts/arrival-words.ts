import type { GroupingDecision } from '../../../../../domain/alerts/alert-grouping.js';

type Outcome = GroupingDecision['outcome'];

const SENTENCES: { readonly [Each in Outcome]: Readonly<Record<string, string>> } = {
  opened: {
    not_grouped: 'It opened this alert: it has no fingerprint, so it stands for itself.',
    no_open_alert: 'It opened this alert: no alert with its fingerprint was open.',
  },
  counted: { same_fingerprint: 'It was counted: this alert was open and has the same fingerprint.' },
  resolved: { end_given: 'It resolved this alert: it said that it is over.' },
  nothing_to_resolve: {
    not_grouped: 'Nothing was done: it is over, and without a fingerprint nothing says which alert it ends.',
    no_open_alert: 'Nothing was done: it is over, and no alert with its fingerprint was open.',
  },
};

/** Why an arrival became what it did, as a sentence. */
export const describeArrival = ({ outcome, reason }: { readonly outcome: string; readonly reason: string }): string =>
  (SENTENCES as Readonly<Record<string, Readonly<Record<string, string>>>>)[outcome]?.[reason] ??
  `${outcome}: ${reason.replaceAll('_', ' ')}`;
