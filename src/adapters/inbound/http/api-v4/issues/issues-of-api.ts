import type { SubjectSource } from '../../../../../application/collaboration/ports/subject-ports.js';
import type { PlanningReader } from '../../../../../application/planning/ports/planning-readers.js';
import type { WebUrls } from '../../web-urls.js';
import type { SubjectOfApi } from '../collaboration/subject-of-api.js';
import { IssueSchema, presentOwnIssue } from './issue-schema.js';

/** Issues as subjects. */
export const issuesOfApi = (source: SubjectSource, planningReader: PlanningReader, urls: WebUrls): SubjectOfApi => ({
  source,
  name: 'Issue',
  words: 'an issue',
  collection: 'issues',
  parameter: ['iid', 'Number of the issue within the project'],
  timed: true,
  asked: true,
  planned: true,
  schema: IssueSchema,
  present: async (subjects, viewer) => {
    const issues = await planningReader.findIssues(
      subjects.map(({ id }) => id),
      viewer,
    );
    return new Map(issues.map((issue) => [issue.id, presentOwnIssue(issue, urls)]));
  },
});
