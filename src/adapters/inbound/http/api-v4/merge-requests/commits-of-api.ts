import type { SubjectSource } from '../../../../../application/collaboration/ports/subject-ports.js';
import type { ObjectReader } from '../../../../../application/repositories/ports/object-stores.js';
import type { RefReader } from '../../../../../application/repositories/ports/ref-reader.js';
import type { WebUrls } from '../../web-urls.js';
import type { SubjectOfApi } from '../collaboration/subject-of-api.js';
import { CommitSchema, presentCommit } from '../repository/present-commit.js';

interface Parts {
  readonly refs: Pick<RefReader, 'findRepository'>;
  readonly objects: Pick<ObjectReader, 'commit'>;
  readonly urls: WebUrls;
}

/** Commits as subjects. */
export const commitsOfApi = (source: SubjectSource, { refs, objects, urls }: Parts): SubjectOfApi => ({
  source,
  name: 'Commit',
  words: 'a commit',
  collection: 'repository/commits',
  parameter: ['sha', 'Id of a commit, or its beginning; a branch or tag'],
  noted: false,
  awarded: false,
  subscribed: false,
  schema: CommitSchema,
  present: async (subjects) => {
    const shown = new Map<number, object>();
    for (const [projectId, some] of Map.groupBy(subjects, (subject) => subject.projectId)) {
      const repository = await refs.findRepository(projectId);
      if (repository === undefined) continue;
      for (const { id, commitId, projectPath } of some) {
        const commit = commitId === undefined ? undefined : await objects.commit(repository.store, commitId);
        if (commit) shown.set(id, presentCommit(commit, { id: projectId, fullPath: projectPath }, urls));
      }
    }
    return shown;
  },
});
