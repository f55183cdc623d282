import type { Subscriber } from '../shared/domain-events.js';
import type { CodeWorkRepository } from './ports/repository-repositories.js';

/** Branches of one push whose commits are read at most. */
const MOST_BRANCHES = 20;

/** Asks for the commits that branches got to be read, once the push is done: what they say may close issues. */
export const readPushedCommits: Subscriber<{ readonly codeWorks: CodeWorkRepository }> = async (
  event,
  repositories,
) => {
  if (event.kind !== 'pushed' || event.quiet === true) return;
  const { projectId, by: userId, byMachine, at } = event;
  const branches = event.refs.filter(
    ({ kind, to, commitCount, namesIssues = true }) =>
      kind === 'branch' && to !== null && commitCount > 0 && namesIssues,
  );
  for (const { name: branch, from, to } of branches.slice(0, MOST_BRANCHES))
    if (to !== null) {
      const payload = { branch, from, to, ...(byMachine && { byMachine }) };
      await repositories.codeWorks.add({ kind: 'read_commits', projectId, userId, payload }, at);
    }
};
